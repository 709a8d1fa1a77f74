// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks that all code a kernel may run is known not to order threads, and
/// collects the dimensions of the thread index it reads. As in an effect
/// system, each kind of statement, expression and call must be on a list of
/// known ones; anything else counts as ordering threads.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/ObservedThread.h"

#include "cudaopt/Model/CallTable.h"
#include "cudaopt/Model/TextRefusals.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace cudaopt {
namespace {

/// Visits all code that a kernel may run, as long as it is known not to order
/// threads.
class ObservationFinder {
public:
  explicit ObservationFinder(const ASTContext &Context) : Context(Context) {}

  /// Returns true if nothing but barriers of the block orders the threads of
  /// \p Kernel.
  bool run(const FunctionDecl *Kernel);
  /// Returns the dimensions that the kernel observes, after a successful run();
  /// std::nullopt if it may tell threads apart by other means.
  std::optional<ThreadDimensions> observed() const {
    return TellsApart ? std::nullopt : std::optional(Observed);
  }
  /// Returns the kernel and the functions that it calls.
  llvm::ArrayRef<const FunctionDecl *> reached() const {
    return Reached.getArrayRef();
  }

private:
  bool isKnown(const Stmt *S);
  bool areKnown(Stmt::const_child_range Children) {
    return llvm::all_of(Children, [&](const Stmt *S) { return isKnown(S); });
  }
  bool isKnownExpr(const Expr *E);
  bool isKnownFunction(const FunctionDecl *Function);
  bool isKnownDecl(const Decl *D);
  bool isKnownProperty(const PseudoObjectExpr *E);
  bool isKnownCall(const CallExpr *Call);
  bool isKnownCallee(const FunctionDecl *Callee);
  bool isKnownConstruction(const CXXConstructExpr *Construct);
  bool isKnownLibraryCall(const CallExpr *Call, const FunctionDecl *Callee);
  bool readsBuiltin(const FunctionDecl *Callee);
  /// Notes code that orders no threads, but may tell them apart unless
  /// \p IsBlind. Returns true, for use as a condition.
  bool tellsUnless(bool IsBlind) {
    TellsApart |= !IsBlind;
    return true;
  }

  const ASTContext &Context;
  llvm::SetVector<const FunctionDecl *> Reached;
  ThreadDimensions Observed = {};
  bool TellsApart = false;
};

} // namespace

static StringRef nameOf(const NamedDecl *D) {
  return D && D->getIdentifier() ? D->getName() : "";
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Returns true if objects of the type are neither volatile nor atomic: loads
/// of such see what other threads store at any time.
static bool isPlain(QualType Type) {
  const auto *Record = Type->getAsRecordDecl();
  return !Type.isVolatileQualified() && !Type->isAtomicType() &&
         !(Record && Record->hasVolatileMember());
}

/// Returns true for casts that cannot tell threads apart. Casts of pointers to
/// integers are not among them: the address of a local variable is the thread's
/// own.
static bool isBlindCast(CastKind Kind) {
  switch (Kind) {
  case CK_LValueToRValue:
  case CK_NoOp:
  case CK_ToVoid:
  case CK_ArrayToPointerDecay:
  case CK_NullToPointer:
  case CK_PointerToBoolean:
  case CK_DerivedToBase:
  case CK_UncheckedDerivedToBase:
  case CK_ConstructorConversion:
  case CK_UserDefinedConversion:
  case CK_IntegralCast:
  case CK_IntegralToBoolean:
  case CK_IntegralToFloating:
  case CK_FloatingCast:
  case CK_FloatingToBoolean:
  case CK_FloatingToIntegral:
  case CK_BooleanToSignedIntegral:
    return true;
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Returns true if \p Callee reads `threadIdx.x` and its like, as clang's
/// headers implement them; notes the dimension.
bool ObservationFinder::readsBuiltin(const FunctionDecl *Callee) {
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  const unsigned Dimension = llvm::StringSwitch<unsigned>(nameOf(Callee))
                                 .Case("__fetch_builtin_x", 0)
                                 .Case("__fetch_builtin_y", 1)
                                 .Case("__fetch_builtin_z", 2)
                                 .Default(3);
  if (!Method || Dimension == 3)
    return false;
  const StringRef Of = nameOf(Method->getParent());
  if (Of == "__cuda_builtin_threadIdx_t" || Of == "__cuda_builtin_blockDim_t")
    return Observed[Dimension] = true;
  return Of == "__cuda_builtin_blockIdx_t" || Of == "__cuda_builtin_gridDim_t";
}

/// Returns true for classes of the toolkit that are numbers: `__half`, `float4`
/// and their like.
static bool isNumberRecord(const ASTContext &Context,
                           const CXXRecordDecl *Record) {
  return Record && Record->hasDefinition() &&
         Record->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
         Context.getSourceManager().isInSystemHeader(Record->getLocation()) &&
         Record->hasTrivialDestructor() && !Record->isPolymorphic() &&
         llvm::all_of(Record->fields(), [](const FieldDecl *Field) {
           return !Field->getType()->isAnyPointerType() &&
                  !Field->getType().isVolatileQualified();
         });
}

static bool isNumber(const ASTContext &Context, QualType Type) {
  Type = Type.getNonReferenceType();
  return !Type.isVolatileQualified() &&
         (Type->isArithmeticType() || Type->isEnumeralType() ||
          isNumberRecord(Context, Type->getAsCXXRecordDecl()));
}

/// Returns true for functions of the toolkit that compute numbers of numbers.
/// Functions that wait for other threads of a warp, or ask them, are told by
/// their names: `__shfl_sync`, `__any_sync`, `__syncwarp`.
static bool isArithmetic(const ASTContext &Context,
                         const FunctionDecl *Callee) {
  if (Callee->getBuiltinID() && Callee->hasAttr<ConstAttr>())
    return true;
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  const StringRef Name = nameOf(Callee);
  if (Method ? !isNumberRecord(Context, Method->getParent())
             : !Callee->getDeclContext()
                       ->getRedeclContext()
                       ->isTranslationUnit() &&
                   !ir::isInNamespace(Callee, "std"))
    return false;
  if (!llvm::all_of(Callee->parameters(), [&](const ParmVarDecl *P) {
        return isNumber(Context, P->getType());
      }))
    return false;
  const QualType Result = Callee->getReturnType().getNonReferenceType();
  if (Method || !Result->isIntegralOrEnumerationType())
    return isNumber(Context, Result) && !Name.contains("sync") &&
           !Name.contains("shfl");
  return llvm::StringSwitch<bool>(Name)
      .Cases({"min", "max", "abs", "labs", "llabs", "umin", "umax"}, true)
      .Cases({"__popc", "__popcll", "__clz", "__clzll", "__ffs", "__ffsll"},
             true)
      .Cases({"__mul24", "__umul24", "__mulhi", "__umulhi", "__brev"}, true)
      .Cases({"isnan", "isinf", "isfinite", "signbit"}, true)
      .Cases({"__float_as_int", "__float_as_uint"}, true)
      .Cases({"__float2int_rn", "__float2int_rz", "__float2int_rd",
              "__float2int_ru", "__float2uint_rn"},
             true)
      .Default(false);
}

/// Returns true for barriers, the functions that return the group of threads
/// they wait for, and functions of numbers.
bool ObservationFinder::isKnownLibraryCall(const CallExpr *Call,
                                           const FunctionDecl *Callee) {
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  if (Method && Method->isTrivial()) // A trivial assignment.
    return true;
  if (ir::isBlockBarrier(Call, Context))
    return tellsUnless(Call->getType()->isVoidType()); // Others count threads.
  if (isArithmetic(Context, Callee))
    return Callee->hasBody() ? isKnownCallee(Callee) : tellsUnless(false);
  return nameOf(Callee) == "this_thread_block" && !Call->getNumArgs() &&
         ir::isInNamespace(Callee, "cooperative_groups");
}

bool ObservationFinder::isKnownCallee(const FunctionDecl *Callee) {
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  const FunctionDecl *Definition = nullptr;
  if (!Callee->hasBody(Definition) || Definition->hasAttr<CUDAGlobalAttr>() ||
      Definition->isWeak() || (Method && Method->isVirtual()))
    return false;
  Reached.insert(Definition);
  return tellsUnless(Callee->getIdentifier());
}

bool ObservationFinder::isKnownConstruction(const CXXConstructExpr *Construct) {
  const CXXConstructorDecl *Callee = Construct->getConstructor();
  if (Callee->isTrivial())
    return true;
  if (isLibraryFunction(Context, Callee))
    return tellsUnless(false) && isNumberRecord(Context, Callee->getParent()) &&
           llvm::all_of(Callee->parameters(), [&](const ParmVarDecl *P) {
             return isNumber(Context, P->getType());
           });
  return isKnownCallee(Callee);
}

bool ObservationFinder::isKnownCall(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  const Expr *Named = Call->getCallee()->IgnoreParenImpCasts();
  const auto *Member = dyn_cast<MemberExpr>(Named);
  if (!Callee || isa<CUDAKernelCallExpr>(Call) ||
      !(Member || isa<DeclRefExpr>(Named)))
    return false;
  if (Member && isa<OpaqueValueExpr>(Member->getBase()))
    return readsBuiltin(Callee);
  if ((Member && !isKnown(Member->getBase())) ||
      !llvm::all_of(Call->arguments(),
                    [&](const Expr *E) { return isKnown(E); }))
    return false;
  return isLibraryFunction(Context, Callee) ? isKnownLibraryCall(Call, Callee)
                                            : isKnownCallee(Callee);
}

//===----------------------------------------------------------------------===//
// Expressions and statements
//===----------------------------------------------------------------------===//

static bool isBlindUnary(const UnaryOperator *Op) {
  switch (Op->getOpcode()) {
  case UO_Plus:
  case UO_Minus:
  case UO_Not:
  case UO_LNot:
  case UO_Deref:
  case UO_AddrOf:
    return true;
  default:
    return Op->isIncrementDecrementOp();
  }
}

/// Returns true for operators that cannot tell threads apart. A comparison or
/// difference of two addresses might.
static bool isBlindBinary(const BinaryOperator *Op) {
  const bool ArePointers = Op->getLHS()->getType()->isPointerType() &&
                           Op->getRHS()->getType()->isPointerType();
  return !Op->isPtrMemOp() && Op->getOpcode() != BO_Cmp &&
         (!ArePointers || Op->getOpcode() == BO_Assign ||
          Op->getOpcode() == BO_Comma);
}

/// Returns true for a variable that may be read as it is. The compiler's
/// built-in variables can only be read as in readsBuiltin().
static bool isKnownVariable(const ValueDecl *D) {
  const auto *Var = dyn_cast<VarDecl>(D);
  if (!Var)
    return isa<EnumConstantDecl>(D);
  return !isa<DecompositionDecl>(Var) &&
         Var->getTLSKind() == VarDecl::TLS_None &&
         !Var->hasAttr<AsmLabelAttr>() &&
         !llvm::StringSwitch<bool>(nameOf(Var))
              .Cases({"threadIdx", "blockDim", "blockIdx", "gridDim"}, true)
              .Default(false);
}

static bool isKnownMemberDecl(const ValueDecl *D) {
  return isa<FieldDecl>(D) || isKnownVariable(D);
}

static bool isBlindMember(const MemberExpr *Member) {
  const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
  return !Field || !Field->getParent()->isUnion();
}

/// Returns true for a property of a built-in variable, as `threadIdx.x`, if
/// nothing else is computed on the way.
bool ObservationFinder::isKnownProperty(const PseudoObjectExpr *E) {
  const auto *Property = dyn_cast<MSPropertyRefExpr>(E->getSyntacticForm());
  const auto *Call = dyn_cast_or_null<CallExpr>(
      E->getResultExpr() ? E->getResultExpr()->IgnoreParenImpCasts() : nullptr);
  const auto *Base =
      Property ? dyn_cast<OpaqueValueExpr>(Property->getBaseExpr()) : nullptr;
  return Base && isa_and_nonnull<DeclRefExpr>(Base->getSourceExpr()) && Call &&
         isKnownCall(Call);
}

bool ObservationFinder::isKnownExpr(const Expr *E) {
  if (!isPlain(E->getType()))
    return false;
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
    return isKnownProperty(Pseudo);
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return isKnownCall(Call);
  if (isa<UnaryExprOrTypeTraitExpr>(E))
    return true; // Its operand is not evaluated.
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
    return tellsUnless(false) && isKnown(Default->getExpr());
  bool IsKnown = false;
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    IsKnown = tellsUnless(isBlindCast(Cast->getCastKind()));
  else if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    IsKnown = tellsUnless(isBlindUnary(Unary));
  else if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    IsKnown = !Binary->isPtrMemOp() && tellsUnless(isBlindBinary(Binary));
  else if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    IsKnown = isKnownVariable(Ref->getDecl());
  else if (const auto *Member = dyn_cast<MemberExpr>(E))
    IsKnown = isKnownMemberDecl(Member->getMemberDecl()) &&
              tellsUnless(isBlindMember(Member));
  else if (const auto *Construct = dyn_cast<CXXConstructExpr>(E))
    IsKnown = isKnownConstruction(Construct);
  else if (isa<CompoundLiteralExpr, LambdaExpr, StmtExpr, StringLiteral>(E))
    IsKnown = tellsUnless(false);
  else
    IsKnown = isa<IntegerLiteral, FloatingLiteral, CharacterLiteral,
                  CXXBoolLiteralExpr, CXXNullPtrLiteralExpr, ParenExpr,
                  ArraySubscriptExpr, ConditionalOperator, ConstantExpr,
                  ExprWithCleanups, MaterializeTemporaryExpr, InitListExpr,
                  ImplicitValueInitExpr, CXXScalarValueInitExpr, CXXThisExpr,
                  SubstNonTypeTemplateParmExpr>(E);
  return IsKnown && areKnown(E->children());
}

bool ObservationFinder::isKnownDecl(const Decl *D) {
  if (isa<EmptyDecl, StaticAssertDecl, TypeDecl, UsingDecl, UsingDirectiveDecl>(
          D))
    return true;
  const auto *Var = dyn_cast<VarDecl>(D);
  return Var && isKnownVariable(Var) && isPlain(Var->getType()) &&
         Var->needsDestruction(Context) == QualType::DK_none &&
         !Var->hasAttr<CleanupAttr>() &&
         (isa<ParmVarDecl>(Var) || isKnown(Var->getInit()));
}

bool ObservationFinder::isKnown(const Stmt *S) {
  if (!S)
    return true;
  if (const auto *E = dyn_cast<Expr>(S))
    return isKnownExpr(E);
  if (const auto *Declarations = dyn_cast<DeclStmt>(S))
    return llvm::all_of(Declarations->decls(),
                        [&](const Decl *D) { return isKnownDecl(D); });
  if (isa<GotoStmt, LabelStmt>(S))
    return tellsUnless(false) && areKnown(S->children());
  return isa<AttributedStmt, BreakStmt, CaseStmt, CompoundStmt, ContinueStmt,
             DefaultStmt, DoStmt, ForStmt, IfStmt, NullStmt, ReturnStmt,
             SwitchStmt, WhileStmt>(S) &&
         areKnown(S->children());
}

bool ObservationFinder::isKnownFunction(const FunctionDecl *Function) {
  if (!Function->getBody() || !isKnown(Function->getBody()) ||
      !llvm::all_of(Function->parameters(),
                    [&](const Decl *D) { return isKnownDecl(D); }))
    return false;
  const auto *Constructor = dyn_cast<CXXConstructorDecl>(Function);
  return !Constructor || llvm::all_of(Constructor->inits(),
                                      [&](const CXXCtorInitializer *Init) {
                                        return isKnown(Init->getInit());
                                      });
}

bool ObservationFinder::run(const FunctionDecl *Kernel) {
  Reached.insert(Kernel);
  for (unsigned I = 0; I != Reached.size(); ++I)
    if (!isKnownFunction(Reached[I]))
      return false;
  return true;
}

void findObserved(Kernel &K, const ASTContext &Context,
                  llvm::ArrayRef<SourceRange> Skipped) {
  for (const auto &Instance : K.Instances) {
    if (!Instance->Block.IsUnseen || Instance->Accesses.empty())
      continue;
    ObservationFinder Finder(Context);
    if (!Finder.run(Instance->Decl) ||
        llvm::any_of(Finder.reached(), [&](const FunctionDecl *Each) {
          return hasInactiveText(Each, Context, Skipped);
        }))
      continue;
    Instance->OrderedByBarriers = true;
    Instance->Observed = Finder.observed();
  }
}

} // namespace cudaopt
