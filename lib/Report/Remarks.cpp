// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cudaopt/Report/Remarks.h"

#include "cudaopt/Support/Diagnostics.h"

#include "llvm/Support/FormatVariadic.h"

using namespace clang;

namespace cudaopt {

static std::string format(double Count) {
  return llvm::formatv("{0}", llvm::format("%.10g", Count)).str();
}

static void remarkLayout(const Kernel &K, ArrayId Array,
                         const LayoutDecision &Decision,
                         DiagnosticsEngine &Diags) {
  const SharedArray &A = K.Arrays[Array];
  if (!Decision.isRewritten()) {
    SourceLocation Loc = Decision.WhyKept.Loc.isValid() ? Decision.WhyKept.Loc
                                                        : A.Decl->getLocation();
    report(Diags, Loc, diag::remark_layout_kept)
        << A.Name << Decision.WhyKept.text();
    return;
  }
  // Not all instances of a template need have the array.
  const auto &Instance = *llvm::find_if(K.Instances, [&](const auto &Each) {
    return !Each->Shapes[Array].Extents.empty();
  });
  const ArrayShape &Shape = Instance->Shapes[Array];
  report(Diags, A.Decl->getLocation(), diag::remark_layout_changed)
      << A.Name << Decision.New.text(Shape) << format(Decision.Cost.Before)
      << format(Decision.Cost.After) << format(Decision.Cost.Bound)
      << getName(Decision.Proof);
}

static void remarkArrays(const Kernel &K, const ReuseDecision &Reuse,
                         DiagnosticsEngine &Diags) {
  for (ArrayId Id : Reuse.Private)
    report(Diags, K.Arrays[Id].Decl->getLocation(), diag::remark_array_private)
        << K.Arrays[Id].Name;
  for (const TrimmedArray &Each : Reuse.Trimmed)
    report(Diags, K.Arrays[Each.Array].Decl->getLocation(),
           diag::remark_array_trimmed)
        << K.Arrays[Each.Array].Name << std::to_string(Each.Extent);
  auto reportKept = [&](const StaysShared &Each, auto Remark) {
    report(Diags,
           Each.Why.Loc.isValid() ? Each.Why.Loc
                                  : K.Arrays[Each.Array].Decl->getLocation(),
           Remark)
        << K.Arrays[Each.Array].Name << Each.Why.text();
  };
  for (const StaysShared &Each : Reuse.NotPrivate)
    reportKept(Each, diag::remark_array_shared);
  for (const StaysShared &Each : Reuse.NotTrimmed)
    reportKept(Each, diag::remark_array_untrimmed);
  for (const InPlacePair &Pair : Reuse.InPlace)
    report(Diags, Reuse.Variables[Pair.B].Decl->getLocation(),
           diag::remark_arrays_in_place)
        << Reuse.Variables[Pair.A].Name << Reuse.Variables[Pair.B].Name;
  for (const StaysApart &Each : Reuse.NotInPlace)
    report(Diags, Each.Why.Loc.isValid() ? Each.Why.Loc : K.Decl->getLocation(),
           diag::remark_arrays_apart)
        << Each.Dying << Each.Born << Each.Why.text();
}

static void remarkStorage(const Kernel &K, const ReuseDecision &Reuse,
                          DiagnosticsEngine &Diags) {
  if (Reuse.isRewritten()) {
    report(Diags, K.Decl->getLocation(), diag::remark_storage_changed)
        << K.Name << std::to_string(Reuse.BytesAfter)
        << std::to_string(Reuse.BytesBefore) << std::to_string(Reuse.LowerBound)
        << std::to_string(Reuse.BlocksAfter)
        << std::to_string(Reuse.BlocksBefore);
    return;
  }
  // Most kernels have nothing that could be used again.
  const Blocker &Why = Reuse.WhyKept;
  if (Why.Why == Reason::None || Why.Why == Reason::FewVariables)
    return;
  report(Diags, Why.Loc.isValid() ? Why.Loc : K.Decl->getLocation(),
         diag::remark_storage_kept)
      << K.Name << Why.text();
}

static void remarkOrder(const Kernel &K, const OrderDecision &Order,
                        DiagnosticsEngine &Diags) {
  if (Order.IsApplied)
    report(Diags, K.Decl->getLocation(), diag::remark_order_changed) << K.Name;
  else if (Order.WhyKept.Why != Reason::None)
    report(Diags,
           Order.WhyKept.Loc.isValid() ? Order.WhyKept.Loc
                                       : K.Decl->getLocation(),
           diag::remark_order_kept)
        << K.Name << Order.WhyKept.text();
}

void remarkLoop(const LevelizeDecision &D, llvm::StringRef Mark,
                DiagnosticsEngine &Diags) {
  const HostLoop &L = D.Loop;
  const SourceLocation Loc = L.getBeginLoc();
  const std::string Name = L.Function->getNameAsString();
  if (D.WhyKept.Why != Reason::None) {
    // Who marks a loop wants to know.
    report(Diags, D.WhyKept.Loc.isValid() ? D.WhyKept.Loc : Loc,
           L.isMarked() ? diag::remark_marked_loop_kept
                        : diag::remark_loop_kept)
        << Name << D.WhyKept.text();
    return;
  }
  if (D.IsProposal) {
    report(Diags, Loc, diag::remark_loop_proposed)
        << Name << FixItHint::CreateInsertion(Loc, Mark);
    return;
  }
  unsigned NumConflicts = 0;
  for (const HostArray &A : L.Arrays)
    NumConflicts += A.IsConflict;
  std::string How = D.IsIndependent ? "no two of its iterations meet"
                    : D.Slice.IsSelfIndexing
                        ? "its accesses depend on what it writes"
                        : "its accesses are found at run time";
  report(Diags, Loc, diag::remark_loop_levelized)
      << Name << std::to_string(NumConflicts)
      << (NumConflicts == 1 ? "array" : "arrays") << How;
}

void remarkPlan(const Kernel &K, const Plan &P, DiagnosticsEngine &Diags) {
  for (const auto &[Array, Decision] : P.Layouts)
    remarkLayout(K, Array, Decision, Diags);
  if (P.Order)
    remarkOrder(K, *P.Order, Diags);
  if (!P.Reuse)
    return;
  remarkArrays(K, *P.Reuse, Diags);
  remarkStorage(K, *P.Reuse, Diags);
}

} // namespace cudaopt
