// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Recognises functions of values by their parameters: numbers, and structs of
/// at most 16 bytes by value or by reference.
//===----------------------------------------------------------------------===//

#include "ToolkitBodies.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace cudaopt::check;

/// What the functions of numbers begin their names with.
static constexpr StringLiteral Prefix = "value.";
static constexpr uint64_t MaxBytes = 16; ///< Of a struct that is a value.

StringRef cudaopt::check::nameOfToolkit(const Function &F,
                                        const SymbolTable &Symbols) {
  StringRef Symbol = F.getName();
  Symbol.consume_front(Prefix);
  const auto Known = Symbols.Library.find(Symbol);
  return Known == Symbols.Library.end() ? StringRef() : Known->second;
}

/// Returns true for a copy constructor or a copy assignment.
static bool isCopy(StringRef Symbol) {
  return any_of(ArrayRef<StringRef>{"C1ERKS_", "C2ERKS_", "C1EOS_", "C2EOS_",
                                    "C1EOKS_", "C2EOKS_", "aSERKS_", "aSEOS_",
                                    "aSEOKS_"},
                [&](StringRef End) { return Symbol.ends_with(End); });
}

/// Returns true if the function assigns its result to its first operand.
static bool isAssignment(StringRef Name) {
  return Name.starts_with("operator") && Name.ends_with("=") &&
         !is_contained({"operator==", "operator!=", "operator<=", "operator>="},
                       Name);
}

/// Returns true if calls do more than compute a value.
static bool hasEffects(StringRef Name) {
  return any_of(ArrayRef<StringRef>{"__shfl", "atomic", "__reduce", "__match",
                                    "__syncwarp", "load_", "store_", "fill_",
                                    "mma_", "wait", "arrive", "operator++",
                                    "operator--"},
                [&](StringRef Begin) { return Name.starts_with(Begin); });
}

/// Returns the bytes of the struct to which the parameter points; 0 if it is no
/// pointer to a value.
static uint64_t bytesOf(const Argument &A) {
  if (!A.getType()->isPointerTy())
    return 0;
  const uint64_t Bytes =
      A.hasByValAttr()       ? A.getParent()->getDataLayout().getTypeAllocSize(
                                   A.getParamByValType())
      : A.hasStructRetAttr() ? A.getParent()->getDataLayout().getTypeAllocSize(
                                   A.getParamStructRetType())
                             : A.getDereferenceableBytes();
  return Bytes <= MaxBytes ? Bytes : 0;
}

static Type *wordOf(LLVMContext &Context, uint64_t Bytes) {
  return Type::getIntNTy(Context, unsigned(8 * Bytes));
}

/// Returns true if the result is a number, nothing, a small struct, or the
/// reference to the first operand that an assignment returns.
static bool hasValueResult(const Function &F, bool Assigns) {
  Type *Result = F.getReturnType();
  if (Result->isPointerTy())
    return Assigns;
  return Result->isVoidTy() || Result->isIntegerTy() ||
         Result->isFloatingPointTy() ||
         (Result->isStructTy() &&
          F.getDataLayout().getTypeAllocSize(Result) <= MaxBytes);
}

/// Makes the body of a function of values. An assignment other than `=` reads
/// its first operand, too.
static void addBody(Function &F, bool Assigns, bool ReadsTarget) {
  LLVMContext &Context = F.getContext();
  IRBuilder<> Builder(BasicBlock::Create(Context, "", &F));
  SmallVector<Value *, 4> Operands;
  Argument *Written = Assigns ? F.getArg(0) : nullptr;
  for (Argument &A : F.args())
    if (A.hasStructRetAttr())
      Written = &A;
    else if (&A == Written && !ReadsTarget)
      continue;
    else if (const uint64_t Bytes = bytesOf(A))
      Operands.push_back(Builder.CreateLoad(wordOf(Context, Bytes), &A));
    else
      Operands.push_back(&A);
  Type *Result = F.getReturnType();
  const bool IsStruct = Result->isStructTy();
  Type *Number =
      Written    ? wordOf(Context, bytesOf(*Written))
      : IsStruct ? wordOf(Context, F.getDataLayout().getTypeAllocSize(Result))
                 : Result;
  SmallVector<Type *, 4> Types;
  for (const Value *Operand : Operands)
    Types.push_back(Operand->getType());
  Function *Compute = Function::Create(FunctionType::get(Number, Types, false),
                                       GlobalValue::ExternalLinkage,
                                       Prefix + F.getName(), F.getParent());
  Compute->setDoesNotAccessMemory();
  Compute->setDoesNotThrow();
  Compute->setWillReturn();
  Value *Made = Builder.CreateCall(Compute, Operands);
  if (Written)
    Builder.CreateStore(Made, Written);
  if (IsStruct) {
    Value *Slot = Builder.CreateAlloca(Result);
    Builder.CreateStore(Made, Slot);
    Builder.CreateRet(Builder.CreateLoad(Result, Slot));
  } else if (Result->isVoidTy()) {
    Builder.CreateRetVoid();
  } else {
    Builder.CreateRet(Result->isPointerTy() ? F.getArg(0) : Made);
  }
}

/// Makes the body of a copy: all bytes of the second operand.
static void addCopy(Function &F) {
  IRBuilder<> Builder(BasicBlock::Create(F.getContext(), "", &F));
  const uint64_t Bytes = bytesOf(*F.getArg(1));
  Builder.CreateStore(
      Builder.CreateLoad(wordOf(F.getContext(), Bytes), F.getArg(1)),
      F.getArg(0));
  if (F.getReturnType()->isVoidTy())
    Builder.CreateRetVoid();
  else
    Builder.CreateRet(F.getArg(0));
}

/// Returns true if every parameter is a number or a small value.
static bool hasValueParameters(const Function &F) {
  return !F.arg_empty() && all_of(F.args(), [](const Argument &A) {
    return A.getType()->isIntegerTy() || A.getType()->isFloatingPointTy() ||
           bytesOf(A);
  });
}

void cudaopt::check::addToolkitBodies(Module &M, const SymbolTable &Symbols) {
  for (Function &F : make_early_inc_range(M)) {
    if (!F.isDeclaration() || F.isIntrinsic() || !hasValueParameters(F))
      continue;
    const StringRef Name = nameOfToolkit(F, Symbols);
    if (Name.empty() || hasEffects(Name))
      continue;
    const bool Assigns =
        isAssignment(Name) && F.getArg(0)->getType()->isPointerTy();
    if (F.arg_size() == 2 && isCopy(F.getName()) && bytesOf(*F.getArg(1)) &&
        bytesOf(*F.getArg(0)) == bytesOf(*F.getArg(1)))
      addCopy(F);
    else if (!hasValueResult(F, Assigns))
      continue;
    else if (none_of(F.args(), [](const Argument &A) {
               return A.getType()->isPointerTy();
             }))
      F.setDoesNotAccessMemory(), F.setDoesNotThrow(), F.setWillReturn();
    else if (!F.getReturnType()->isVoidTy() || F.hasStructRetAttr())
      addBody(F, Assigns, /*ReadsTarget=*/Name != "operator=");
    else
      continue;
    F.removeFnAttr(Attribute::NoInline);
    F.removeFnAttr(Attribute::Convergent);
    if (!F.isDeclaration())
      F.setLinkage(GlobalValue::InternalLinkage);
  }
}
