// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Follows the control-flow graph from each write, and what is written to the
/// operations that compute it.
//===----------------------------------------------------------------------===//

#include "ReadBacks.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace cudaopt {

namespace {
class ReadBackFinder {
public:
  ReadBackFinder(const ir::Function &F, const clang::VarDecl &Array,
                 bool Approximates)
      : F(F), Array(Array), Approximates(Approximates) {
    for (const std::unique_ptr<ir::Block> &B : F.blocks())
      for (const ir::Operation &O : B->Operations)
        if (O.Result)
          Definitions[O.Result] = &O;
    for (const std::unique_ptr<ir::Block> &B : F.blocks())
      HoldsProduct |= llvm::any_of(B->Operations, [&](const auto &O) {
        return writes(O) && writesProduct(O);
      });
  }

  bool writes(const ir::Operation &O) const;
  bool writesProduct(const ir::Operation &O) const;
  bool isReadBack(const ir::Block &From, size_t Next) const;

private:
  bool reads(const ir::Operation &O) const;
  bool mayBeProduct(ir::ValueId V, llvm::DenseSet<ir::ValueId> &Seen) const;
  bool mayBeConstant(ir::ValueId V, llvm::DenseSet<ir::ValueId> &Seen) const;
  bool mayLoadConstant(ir::ValueId Address,
                       llvm::DenseSet<ir::ValueId> &Seen) const;
  bool isInArray(ir::ValueId Address) const;
  std::optional<bool> readsFrom(const ir::Block &B, size_t First) const;

  const ir::Function &F;
  const clang::VarDecl &Array;
  const bool Approximates;
  llvm::DenseMap<ir::ValueId, const ir::Operation *> Definitions;
  /// True if the array may get a product that is none of its own elements.
  bool HoldsProduct = false;
};
} // namespace

/// Each instance of a template has a declaration of its own at the same place.
bool ReadBackFinder::isInArray(ir::ValueId Address) const {
  return Address && llvm::any_of(F.rootsOf(Address), [&](ir::ObjectId Id) {
           const clang::ValueDecl *Root = F.object(Id).Decl;
           return Root && Root->getLocation() == Array.getLocation();
         });
}

/// Returns true if a compiler may know the number at \p Address: of a variable
/// that does not change, or one that was just written.
bool ReadBackFinder::mayLoadConstant(ir::ValueId Address,
                                     llvm::DenseSet<ir::ValueId> &Seen) const {
  const auto Roots = F.rootsOf(Address);
  if (Roots.empty() || llvm::any_of(Roots, [&](ir::ObjectId Id) {
        const ir::Object &Root = F.object(Id);
        return Root.What == ir::Object::Unknown ||
               Root.What == ir::Object::Constant || Root.IsUnchanged;
      }))
    return true;
  const auto mayWrite = [&](const ir::Touch &T) {
    return T.Writes &&
           (!T.Address ||
            llvm::any_of(F.rootsOf(T.Address), [&](ir::ObjectId Id) {
              return llvm::is_contained(Roots, Id);
            }));
  };
  for (const std::unique_ptr<ir::Block> &B : F.blocks())
    for (const ir::Operation &O : B->Operations)
      if (llvm::any_of(ir::touchesOf(O), mayWrite) &&
          (O.What != ir::Operation::Store || mayBeConstant(O.Stored, Seen)))
        return true;
  return false;
}

/// Returns true if a compiler may know the number that \p V is. Attributes of
/// the kernel may tell the size of the block.
bool ReadBackFinder::mayBeConstant(ir::ValueId V,
                                   llvm::DenseSet<ir::ValueId> &Seen) const {
  if (!Seen.insert(V).second)
    return false;
  const ir::Value &Of = F.value(V);
  switch (Of.What) {
  case ir::Value::Argument: // Of the kernel.
    return false;
  case ir::Value::Result: {
    const ir::Operation *O = Definitions.lookup(V);
    return !O || O->What != ir::Operation::Load ||
           mayLoadConstant(O->Address, Seen);
  }
  case ir::Value::Binary:
  case ir::Value::Phi:
  case ir::Value::Unary:
  case ir::Value::Convert:
  case ir::Value::Select:
    return llvm::any_of(Of.Operands, [&](ir::ValueId Each) {
      return mayBeConstant(Each, Seen);
    });
  default:
    return true;
  }
}

/// A quotient is computed as a product where the divisor is a known power of
/// two. Sums that compilers may fold to products are not looked through: an
/// array that holds one is refused for that (ProductFlow.h).
bool ReadBackFinder::mayBeProduct(ir::ValueId V,
                                  llvm::DenseSet<ir::ValueId> &Seen) const {
  if (!Seen.insert(V).second)
    return false;
  const ir::Value &Of = F.value(V);
  switch (Of.What) {
  case ir::Value::Literal:
  case ir::Value::Special:
  case ir::Value::Argument:
    return false;
  case ir::Value::Binary:
    if (Of.Ty.What == ir::Type::Float && Of.binary() == clang::BO_Div) {
      llvm::DenseSet<ir::ValueId> OfDivisor;
      return Approximates || mayBeConstant(Of.Operands[1], OfDivisor);
    }
    return Of.Ty.What == ir::Type::Float && Of.binary() == clang::BO_Mul;
  case ir::Value::Result: {
    const ir::Operation *O = Definitions.lookup(V);
    return !O || O->What != ir::Operation::Load ||
           (HoldsProduct && isInArray(O->Address));
  }
  case ir::Value::Phi:
  case ir::Value::Unary:
  case ir::Value::Convert:
  case ir::Value::Pure:
    return llvm::any_of(Of.Operands, [&](ir::ValueId Each) {
      return mayBeProduct(Each, Seen);
    });
  case ir::Value::Select:
    return mayBeProduct(Of.Operands[1], Seen) ||
           mayBeProduct(Of.Operands[2], Seen);
  default:
    return true;
  }
}

/// The value of a copy, an atomic operation and the like is not known.
bool ReadBackFinder::writesProduct(const ir::Operation &O) const {
  llvm::DenseSet<ir::ValueId> Seen;
  return O.What != ir::Operation::Store || mayBeProduct(O.Stored, Seen);
}

bool ReadBackFinder::writes(const ir::Operation &O) const {
  return llvm::any_of(ir::touchesOf(O), [&](const ir::Touch &T) {
    return T.Writes && isInArray(T.Address);
  });
}

bool ReadBackFinder::reads(const ir::Operation &O) const {
  return llvm::any_of(ir::touchesOf(O), [&](const ir::Touch &T) {
    return T.Reads && isInArray(T.Address);
  });
}

/// Returns true if an operation of \p B, from \p First on, reads the array;
/// false if a barrier comes before that; std::nullopt if there is neither.
std::optional<bool> ReadBackFinder::readsFrom(const ir::Block &B,
                                              size_t First) const {
  for (const ir::Operation &O : llvm::drop_begin(B.Operations, First)) {
    if (reads(O))
      return true;
    if (O.What == ir::Operation::Barrier && O.Extent >= ir::Scope::Block)
      return false;
  }
  return std::nullopt;
}

bool ReadBackFinder::isReadBack(const ir::Block &From, size_t Next) const {
  llvm::SmallPtrSet<const ir::Block *, 16> Seen;
  llvm::SmallVector<std::pair<const ir::Block *, size_t>, 8> Open = {
      {&From, Next}};
  while (!Open.empty()) {
    const auto [B, First] = Open.pop_back_val();
    const std::optional<bool> Reads = readsFrom(*B, First);
    if (Reads && *Reads)
      return true;
    if (Reads)
      continue;
    for (const ir::Block *Successor : B->Successors)
      if (Seen.insert(Successor).second)
        Open.push_back({Successor, 0});
  }
  return false;
}

ReadBacks findReadBacks(const ir::Function &F, const clang::VarDecl &Array,
                        bool Approximates) {
  const ReadBackFinder Finder(F, Array, Approximates);
  ReadBacks Result;
  for (const std::unique_ptr<ir::Block> &B : F.blocks())
    for (auto [I, O] : llvm::enumerate(B->Operations)) {
      if (!Finder.writes(O) || !Finder.isReadBack(*B, I + 1))
        continue;
      ++Result.NumWrites;
      if (!Result.Product && Finder.writesProduct(O))
        Result.Product = &O;
    }
  return Result;
}

} // namespace cudaopt
