// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cudaopt/Plan/PlanRules.h"

using namespace cudaopt;

PlanRules::~PlanRules() = default;

Blocker PlanRules::ofArray(ArrayId) const { return {}; }

Blocker PlanRules::ofLayout(ArrayId, const Layout &) const { return {}; }

Blocker PlanRules::ofStorage(const Plan &) const { return {}; }

Blocker PlanRules::ofOrder(const OrderDecision &) const { return {}; }

bool PlanRules::isReordered() const { return false; }
