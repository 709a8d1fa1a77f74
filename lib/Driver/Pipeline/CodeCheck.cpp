// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Asks the independent check (cudaopt/Check) whether the claims of a plan hold
/// in clang's code, and turns a disagreement into a refusal of the smallest
/// part of the plan that depends on the claim.
//===----------------------------------------------------------------------===//

#include "CodeCheck.h"

#include "PlanClaims.h"
#include "RunClaims.h"
#include "WorkMeter.h"

#include "cudaopt/Check/RunCheck.h"
#include "cudaopt/Source/Line.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/Twine.h"

using namespace cudaopt;
using namespace clang;

const SourcePoints &CodeCheck::points(llvm::ArrayRef<SourceLocation> Errors) {
  if (!Points)
    Points.emplace(CI.getASTContext(), Code.listFunctions(Errors));
  return *Points;
}

/// Compares the claims about what threads do at run time: which elements they
/// access, and how many wavefronts that takes.
static std::optional<check::Disagreement>
findDisagreementOfRuns(const check::DeviceCheck &Check,
                       llvm::ArrayRef<check::KernelClaims> Instances,
                       llvm::ArrayRef<check::WavefrontClaim> Promises,
                       const Target &T) {
  for (const check::KernelClaims &Claims : Instances) {
    if (auto Found = check::compareElements(Check, Claims))
      return Found;
    if (auto Found = check::compareParts(Check, Claims))
      return Found;
  }
  return check::compareWavefronts(Check, Instances, Promises, T.Shared);
}

/// Compares every instance whose shape is known with the device code, and its
/// launches with the host code; then what the threads do.
std::optional<check::Disagreement>
CodeCheck::findDisagreement(const Kernel &K, const Plan &P, const Target &T,
                            llvm::ArrayRef<SourceLocation> Errors) {
  const check::DeviceCheck *Check = Code.check(Errors);
  if (!Check)
    return check::Disagreement{
        check::Disagreement::Kind::Code, "clang makes no code of it", {}};
  const std::vector<check::KernelClaims> Instances =
      makeClaims(K, P, points(Errors), CI.getASTContext());
  for (const check::KernelClaims &Claims : Instances) {
    if (Claims.Launch.IsAssumed)
      continue;
    if (auto Found = Check->compare(Claims))
      return Found;
    const check::HostCheck *Host =
        Claims.Shapes ? Code.checkHost(Errors) : nullptr;
    if (Host)
      if (auto Found = Host->compare(Claims))
        return Found;
  }
  return findDisagreementOfRuns(*Check, Instances, makeWavefrontClaims(K, P),
                                T);
}

llvm::Error CodeCheck::verifyInPlace(const Kernel &K, const Plan &P,
                                     const SharedProgram &Program,
                                     llvm::ArrayRef<StoredAt> Places,
                                     const UnorderedSteps &Steps,
                                     llvm::ArrayRef<SourceLocation> Errors) {
  const check::DeviceCheck *Check = Code.check(Errors);
  if (!Check)
    return llvm::createStringError("clang makes no code of it");
  const auto [Claims, InPlace] = makeInPlaceClaims(
      K, P, Program, Places, Steps, points(Errors), CI.getASTContext());
  if (auto Found = check::compareInPlace(*Check, Claims, InPlace))
    return llvm::createStringError(Found->Text);
  return llvm::Error::success();
}

/// Returns the location of \p At if it is in the file of \p Near; otherwise
/// \p Near.
static SourceLocation findLocation(const SourceManager &SM, SourceLocation Near,
                                   const check::SourcePoint &At) {
  const SourceLocation Loc =
      findPosition(SM, Near, At.File, At.Line, At.Column);
  return Loc.isValid() ? Loc : Near;
}

/// Returns the text of the disagreement, preceded by its position.
static std::string describe(const check::Disagreement &Found) {
  if (!Found.At.isValid())
    return Found.Text;
  return (Found.At.File + ":" + llvm::Twine(Found.At.Line) + ":" +
          llvm::Twine(Found.At.Column) + ": " + Found.Text)
      .str();
}

/// Returns true if the disagreement refutes only the storage: then the layouts
/// of \p P may be right with the storage of the source.
static bool isOfStorage(const check::Disagreement &Found, const Plan &P) {
  if (!P.Reuse || !P.Reuse->isRewritten())
    return false;
  switch (Found.What) {
  case check::Disagreement::Kind::Leave:
  case check::Disagreement::Kind::Thread:
  case check::Disagreement::Kind::Element:
    return true;
  case check::Disagreement::Kind::Wavefront:
    return P.Reuse->placesLayouts();
  default:
    return false;
  }
}

std::optional<PlanRefusal>
CodeCheck::findRefusal(const Kernel &K, const Plan &P, const Target &T,
                       llvm::ArrayRef<SourceLocation> Errors) {
  const auto Found = findDisagreement(K, P, T, Errors);
  if (!Found)
    return std::nullopt;
  const bool IsOfStorage = isOfStorage(*Found, P);
  const SourceLocation Loc = K.Decl->getLocation();
  return PlanRefusal{
      IsOfStorage ? PlanRefusal::Part::Storage : PlanRefusal::Part::All,
      {},
      {Reason::CodeDisagrees, describe(*Found),
       IsOfStorage ? findLocation(CI.getSourceManager(), Loc, Found->At)
                   : Loc}};
}

std::optional<KernelWork>
CodeCheck::measure(const CountedLaunch &Launch, const Target &T,
                   llvm::ArrayRef<SourceLocation> Errors) {
  const check::DeviceCheck *Check = Code.check(Errors);
  if (!Check)
    return std::nullopt;
  return measureWork(*Check, Launch, T);
}
