// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The steps of the thesis, see Variants.h.
//===----------------------------------------------------------------------===//

#include "Variants.h"

using namespace cells;

bool cells::hasVariant(Variant variant) {
#ifdef CELLS_HAS_REWRITTEN_LOOP
  return true;
#else
  return variant != Variant::REWRITTEN_LOOP;
#endif
}

VariantRun cells::runVariant(const Population &population, const Model &model,
                             const Conditions &conditions,
                             const VariantSettings &settings) {
#ifdef CELLS_HAS_REWRITTEN_LOOP
  if (settings.variant == Variant::REWRITTEN_LOOP)
    return runRewrittenHostLoop(population, model, conditions);
#endif
  if (settings.variant == Variant::HOST_LOOP)
    return runHostLoop(population, model, conditions);
  return runDynamic(population, model, conditions, settings);
}
