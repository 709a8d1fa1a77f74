// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What may not become of a kernel of the file that is parsed: by its text (the
/// one place that asks for marks, headers, macros, instances of templates), by
/// what is doubtful about the parse, and by what judges refused of earlier
/// candidates.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_KERNELRULES_H
#define CUDAOPT_LIB_FRONTEND_KERNELRULES_H

#include "ParseDoubts.h"
#include "ParseFacts.h"
#include "cudaopt/Frontend/Pipeline.h"
#include "cudaopt/Model/SourceMarks.h"
#include "cudaopt/Transforms/PlanRules.h"

#include <map>
#include <optional>

namespace cudaopt {

/// What is wrong with a candidate for the plan of a kernel.
struct Refusal {
  enum class Part { Layout, Storage, Rewrite, All };
  Part Of = Part::All;
  /// The array of a layout; the place of another rewrite in the plan.
  unsigned Number = 0;
  /// Of all, the place is that of the array or of the kernel.
  Blocker Why;
};

/// What the rules of all kernels of a file are taken from.
struct RuleSources {
  const Options &Opts;
  const ParseFacts &Facts;
  const ParseDoubts &Doubts;
  const SourceMarks &Marks;
  const Reordering &Orders;
  clang::ASTContext &Context;
};

class KernelRules final : public PlanRules {
public:
  /// \p Index is the place of \p K in the report. All arguments outlive the
  /// rules.
  KernelRules(const Kernel &K, size_t Index, const RuleSources &From);

  Blocker ofArray(ArrayId Array) const override;
  Blocker ofLayout(ArrayId Array, const Layout &New) const override;
  Blocker ofStorage(const Plan &P) const override;
  Blocker ofOrder(const OrderDecision &New) const override;
  bool isReordered() const override;
  /// Why \p Wanted, the rewrite at \p Number in the plan, is not made.
  Blocker ofRewrite(unsigned Number, const KernelRewrite &Wanted) const;

  /// From now on, what \p What refuses is not allowed.
  void add(Refusal What);

private:
  Blocker ofText(clang::SourceLocation Loc) const;
  Blocker ofDoubts(clang::SourceLocation Loc) const;
  Blocker ofKernel() const;
  Blocker ofStorageText(const Plan &P) const;

  const Kernel &K;
  const size_t Index;
  const RuleSources &From;
  const Blocker OfInstances;
  std::optional<Blocker> All, Storage;
  std::map<ArrayId, Blocker> Layouts;
  std::map<unsigned, Blocker> Rewrites; ///< By number.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_KERNELRULES_H
