// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks marks against the declarations and loops that they stand at. A mark
/// without effect is reported: its author believes that it works.
//===----------------------------------------------------------------------===//

#include "MarkCheck.h"

#include "cudaopt/IR/OwnDeclarations.h"
#include "cudaopt/Passes/Passes.h"
#include "cudaopt/Support/Diagnostics.h"
#include "cudaopt/Support/Spelling.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

std::unique_ptr<SourceMarks> readMarks(ASTContext &Context,
                                       llvm::ArrayRef<SourceRange> Comments,
                                       const LineFilter *Filter) {
  llvm::SmallVector<StringRef, 8> Passes(llvm::map_range(
      allPassNames(), [](const PassName &P) { return P.Name; }));
  return std::make_unique<SourceMarks>(Context, Comments, Passes, Filter);
}

namespace {

/// Checks each of our annotations, once for each location: a template has as
/// many declarations as instances.
class AnnotationChecker {
public:
  explicit AnnotationChecker(ASTContext &Context)
      : Diags(Context.getDiagnostics()) {}

  void visit(const Decl *D) {
    for (const auto *Mark : D->specific_attrs<AnnotateAttr>())
      if (std::optional<Annotation> Said = readAnnotation(Mark);
          Said && !Mark->isInherited() &&
          Seen.insert(Mark->getLocation()).second)
        check(*D, Mark->getLocation(), *Said);
  }
  void visit(const AttributedStmt *S) {
    for (const Attr *Each : S->getAttrs()) {
      const auto *Mark = dyn_cast<AnnotateAttr>(Each);
      std::optional<Annotation> Said =
          Mark ? readAnnotation(Mark) : std::nullopt;
      if (Said && Said->Name != "levelize" &&
          Seen.insert(Mark->getLocation()).second)
        complainOfName(Mark->getLocation(), Said->Name);
    }
  }

private:
  void check(const Decl &D, SourceLocation Loc, const Annotation &Said);
  void checkLayout(const VarDecl *Var, SourceLocation Loc, StringRef Kind);
  void checkBlock(const FunctionDecl *Kernel, SourceLocation Loc,
                  StringRef Extents);
  void complainOfName(SourceLocation Loc, StringRef Name) {
    report(Diags, Loc, diag::warn_mark_unknown)
        << "cudaopt::" + Name.str()
        << suggestSpelling(
               Name, {"off", "keep", "layout", "assume_block", "levelize"});
  }

  DiagnosticsEngine &Diags;
  llvm::DenseSet<SourceLocation> Seen;
};

} // namespace

/// Returns what \p D is not, "'x' is no __shared__ variable"; an empty string
/// if it is a shared variable.
static std::string findNotShared(const Decl &D) {
  const auto *Var = dyn_cast<VarDecl>(&D);
  if (Var && (Var->hasAttr<CUDASharedAttr>() ||
              Var->getType()->isPointerType())) // May be a part of an array.
    return "";
  const auto *Named = dyn_cast<NamedDecl>(&D);
  return "'" + (Named ? Named->getNameAsString() : "it") +
         "' is no __shared__ variable";
}

/// Checks that the mark fits the declaration \p D at which it stands.
void AnnotationChecker::check(const Decl &D, SourceLocation Loc,
                              const Annotation &Said) {
  // Where arrays share bytes, a rewritten text has their declarations as
  // fields.
  if ((Said.Name == "off" && isa<FunctionDecl>(D)) || isa<FieldDecl>(D))
    return;
  if (Said.Name == "layout" || Said.Name == "keep" || Said.Name == "off") {
    std::string Macro = "CUDAOPT_" + Said.Name.upper();
    if (Said.Name == "layout")
      Macro += "(" + Said.Value.str() + ")";
    if (std::string Not = findNotShared(D); !Not.empty())
      report(Diags, Loc, diag::warn_mark_misplaced) << Macro << Not;
    else if (Said.Name == "layout")
      checkLayout(cast<VarDecl>(&D), Loc, Said.Value);
    return;
  }
  if (Said.Name != "assume_block") {
    // This is a loop's mark in front of a declaration.
    if (Said.Name == "levelize")
      report(Diags, Loc, diag::warn_mark_misplaced) << "CUDAOPT_LEVELIZE"
                                                    << "it is for a loop";
    else
      complainOfName(Loc, Said.Name);
    return;
  }
  const auto *Function = dyn_cast<FunctionDecl>(&D);
  if (Function && Function->hasAttr<CUDAGlobalAttr>())
    checkBlock(Function, Loc, Said.Value);
  else
    report(Diags, Loc, diag::warn_mark_misplaced)
        << "CUDAOPT_ASSUME_BLOCK"
        << "it is for a __global__ function";
}

/// Checks the argument of CUDAOPT_LAYOUT, and other marks of the same variable.
void AnnotationChecker::checkLayout(const VarDecl *Var, SourceLocation Loc,
                                    StringRef Kind) {
  const std::string Macro = "CUDAOPT_LAYOUT(" + Kind.str() + ")";
  if (!parseLayoutChoice(Kind)) {
    std::string Hint =
        suggestSpelling(Kind, {"auto", "pad", "xor", "linear", "T", "keep"});
    report(Diags, Loc, diag::warn_mark_malformed)
        << Macro << "there are auto, pad, xor, linear, T and keep" + Hint;
    return;
  }
  for (const auto *Other : Var->specific_attrs<AnnotateAttr>()) {
    std::optional<Annotation> Said = readAnnotation(Other);
    if (!Said || Other->getLocation() == Loc)
      continue;
    if ((Said->Name == "keep" || Said->Name == "off") && Kind != "keep")
      report(Diags, Loc, diag::warn_mark_contradiction)
          << Macro << "CUDAOPT_" + Said->Name.upper()
          << "'" + Var->getNameAsString() + "' is left alone";
    else if (Said->Name == "layout" && Said->Value != Kind &&
             Seen.insert(Other->getLocation()).second)
      report(Diags, Other->getLocation(), diag::warn_mark_contradiction)
          << "CUDAOPT_LAYOUT(" + Said->Value.str() + ")" << Macro
          << "the first counts";
  }
}

/// Checks the argument of CUDAOPT_ASSUME_BLOCK against the limits and the
/// kernel's launch bounds.
void AnnotationChecker::checkBlock(const FunctionDecl *Kernel,
                                   SourceLocation Loc, StringRef Extents) {
  const std::string Macro = "CUDAOPT_ASSUME_BLOCK(" + Extents.str() + ")";
  const auto Block = parseBlock(Extents);
  if (!Block) {
    report(Diags, Loc, diag::warn_mark_malformed)
        << Macro
        << "give one to three positive numbers, of at most 1024 threads";
    return;
  }
  const auto *Bounds = Kernel->getAttr<CUDALaunchBoundsAttr>();
  Expr::EvalResult Max;
  if (Bounds && !Bounds->getMaxThreads()->isValueDependent() &&
      Bounds->getMaxThreads()->EvaluateAsInt(Max, Kernel->getASTContext()) &&
      Max.Val.getInt() < (*Block)[0] * (*Block)[1] * (*Block)[2])
    report(Diags, Loc, diag::warn_mark_contradiction)
        << Macro << "__launch_bounds__"
        << "such a block cannot be launched";
}

static std::string textOf(const std::array<uint32_t, 3> &Block) {
  return std::to_string(Block[0]) + ", " + std::to_string(Block[1]) + ", " +
         std::to_string(Block[2]);
}

/// Warns of an assumed block that a launch contradicts: assumptions count only
/// if no launch is known.
static void checkLaunches(const Kernel &K, DiagnosticsEngine &Diags) {
  const auto Assumed = findAssumedBlock(K.Decl);
  if (!Assumed)
    return;
  for (const auto &Instance : K.Instances)
    if (const BlockShape &Block = Instance->Block;
        Block.Origin == ShapeOrigin::Launch && Block.Threads != *Assumed) {
      report(Diags, K.Decl->getLocation(), diag::warn_mark_contradiction)
          << "CUDAOPT_ASSUME_BLOCK(" + textOf(*Assumed) + ")"
          << "a launch with blocks of (" + textOf(Block.Threads) + ")"
          << "the launch counts";
      return;
    }
}

void checkMarks(ASTContext &Context, const SourceMarks &Marks,
                llvm::ArrayRef<Kernel> Kernels) {
  DiagnosticsEngine &Diags = Context.getDiagnostics();
  // These are not warnings of the compiler, which its flags may switch off.
  const bool IsSilent = Diags.getIgnoreAllWarnings();
  Diags.setIgnoreAllWarnings(false);
  for (const BadMark &Bad : Marks.badMarks())
    report(Diags, Bad.Loc, diag::warn_mark_unknown) << Bad.Text << Bad.Hint;
  AnnotationChecker Checker(Context);
  for (const Decl *D : listOwnDeclarations(Context))
    forEachNode(D, [&](const DynTypedNode &N) {
      if (const auto *Declared = N.get<Decl>())
        Checker.visit(Declared);
      else if (const auto *Marked = N.get<AttributedStmt>())
        Checker.visit(Marked);
    });
  for (const Kernel &K : Kernels)
    checkLaunches(K, Diags);
  Diags.setIgnoreAllWarnings(IsSilent);
}

std::optional<Refusal> findLoopMark(const LevelizeDecision &D,
                                    const SourceMarks &Marks) {
  const Stmt *Loop = D.Loop.Loop;
  if (!Loop && D.Loop.Marked)
    Loop = D.Loop.Marked->getSubStmt();
  if (!Loop || !D.Loop.Function)
    return std::nullopt;
  SourceLocation Begin = Loop->getBeginLoc();
  if (D.Loop.Marked)
    Begin = D.Loop.Marked->getBeginLoc();
  else if (D.Loop.Pragma)
    Begin = D.Loop.Pragma->Begin;
  return Marks.ofLoop(D.Loop.Function, {Begin, Loop->getBeginLoc()},
                      Loop->getSourceRange(), "levelize");
}

std::optional<Refusal> findMarkedEdit(const Edits &All,
                                      const SourceMarks &Marks) {
  for (const auto &[File, OfFile] : All.byFile())
    for (const auto &[Offset, Each] : OfFile)
      if (auto Mark = Marks.ofBytes(File, Offset, Offset + Each.Length))
        return Mark;
  return std::nullopt;
}

} // namespace cudaopt
