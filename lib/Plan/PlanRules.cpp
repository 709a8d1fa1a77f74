// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cudaopt/Plan/PlanRules.h"

using namespace cudaopt;

PlanRules::~PlanRules() = default;

std::optional<Refusal> PlanRules::ofArray(ArrayId) const {
  return std::nullopt;
}

std::optional<Refusal> PlanRules::ofLayout(ArrayId, const Layout &) const {
  return std::nullopt;
}

std::optional<Refusal> PlanRules::ofStorage(const Plan &) const {
  return std::nullopt;
}

std::optional<Refusal> PlanRules::ofOrder(const OrderDecision &) const {
  return std::nullopt;
}

bool PlanRules::isReordered() const { return false; }
