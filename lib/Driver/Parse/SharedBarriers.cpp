// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Clang checks the destructor of a shared variable when it finishes the
/// declaration. Two consumers around the real one switch the triviality of the
/// barriers' destructors: off before the real consumer sees a declaration, and
/// on again behind it, while the parser goes on.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Parse/SharedBarriers.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace cudaopt;

namespace {

/// The destructors that clang must consider trivial.
class BarrierDestructors {
public:
  void initialize(clang::Sema &NewSema) { Sema = &NewSema; }
  void add(clang::TagDecl &Defined);
  void setTrivial(bool IsTrivial) {
    for (clang::CXXDestructorDecl *Each : All)
      Each->setTrivial(IsTrivial);
  }

private:
  bool isBarrier(const clang::CXXRecordDecl &Class) const;
  bool holdsBarrier(clang::QualType Type) const;

  clang::Sema *Sema = nullptr;
  llvm::SmallPtrSet<const clang::CXXRecordDecl *, 4> Classes;
  llvm::SmallVector<clang::CXXDestructorDecl *, 4> All;
};

/// One of the two consumers: the first stands before the real consumer, the
/// second behind it.
class DestructorSwitch : public clang::SemaConsumer {
public:
  DestructorSwitch(std::shared_ptr<BarrierDestructors> Destructors,
                   bool IsBehind)
      : Destructors(std::move(Destructors)), IsBehind(IsBehind) {}

  void InitializeSema(clang::Sema &Sema) override {
    Destructors->initialize(Sema);
  }
  bool HandleTopLevelDecl(clang::DeclGroupRef) override {
    Destructors->setTrivial(IsBehind);
    return true;
  }
  void HandleInlineFunctionDefinition(clang::FunctionDecl *) override {
    Destructors->setTrivial(IsBehind);
  }
  void HandleTagDeclDefinition(clang::TagDecl *Defined) override {
    if (IsBehind)
      Destructors->add(*Defined);
    Destructors->setTrivial(IsBehind);
  }
  void HandleTranslationUnit(clang::ASTContext &) override {
    // The real consumer may have freed the tree, which is not needed any more.
    if (!IsBehind)
      Destructors->setTrivial(false);
  }

private:
  std::shared_ptr<BarrierDestructors> Destructors;
  bool IsBehind;
};

} // namespace

/// Returns true for the class `cuda::barrier` of a system header.
bool BarrierDestructors::isBarrier(const clang::CXXRecordDecl &Class) const {
  return Class.getIdentifier() && Class.getName() == "barrier" &&
         llvm::StringRef(Class.getQualifiedNameAsString())
             .starts_with("cuda::") &&
         Sema->getSourceManager().isInSystemHeader(Class.getLocation());
}

bool BarrierDestructors::holdsBarrier(clang::QualType Type) const {
  const clang::CXXRecordDecl *Class =
      Type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return Class && Classes.contains(Class->getCanonicalDecl());
}

void BarrierDestructors::add(clang::TagDecl &Defined) {
  auto *Class = llvm::dyn_cast<clang::CXXRecordDecl>(&Defined);
  if (!Class || Class->isDependentContext() || Class->isInvalidDecl() ||
      Class->hasTrivialDestructor())
    return;
  const bool IsHolder =
      !Class->hasUserDeclaredDestructor() &&
      (llvm::any_of(Class->bases(),
                    [&](const clang::CXXBaseSpecifier &Base) {
                      return holdsBarrier(Base.getType());
                    }) ||
       llvm::any_of(Class->fields(), [&](const clang::FieldDecl *Field) {
         return holdsBarrier(Field->getType());
       }));
  if (!IsHolder && !isBarrier(*Class))
    return;
  clang::CXXDestructorDecl *Destructor = Sema->LookupDestructor(Class);
  if (!Destructor || !Classes.insert(Class->getCanonicalDecl()).second)
    return;
  All.push_back(Destructor);
}

std::unique_ptr<clang::ASTConsumer>
cudaopt::acceptSharedBarriers(std::unique_ptr<clang::ASTConsumer> Next) {
  auto Destructors = std::make_shared<BarrierDestructors>();
  std::vector<std::unique_ptr<clang::ASTConsumer>> All;
  All.push_back(std::make_unique<DestructorSwitch>(Destructors, false));
  All.push_back(std::move(Next));
  All.push_back(std::make_unique<DestructorSwitch>(Destructors, true));
  return std::make_unique<clang::MultiplexConsumer>(std::move(All));
}
