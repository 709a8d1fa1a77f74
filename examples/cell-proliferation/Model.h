// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the user says of the subpopulations, and how it becomes the rules of a
/// simulation.
//===----------------------------------------------------------------------===//

#ifndef CELLS_MODEL_H
#define CELLS_MODEL_H

#include "Lineage.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cells {

/// A subpopulation.
struct CellType {
  double proportion;
  /// Mean and standard deviation of the hours between divisions; -1 for cells
  /// that never divide.
  double mean, deviation;

  bool isQuiescent() const { return mean < 0; }
};

/// One simulation of a batch.
struct Model {
  std::vector<CellType> types;
  uint64_t seed = 1;
};

/// What all simulations of a batch have in common.
struct Conditions {
  double duration; ///< Hours.
  Start start = Start::ASYNCHRONOUS;
};

/// Reads rows of a proportion, a mean and a deviation. Throws InputError.
std::vector<CellType> readTypes(const std::string &path);

/// Reads a batch: each row is a seed and, for each type, three numbers as in
/// readTypes. Throws InputError.
std::vector<Model> readModels(const std::string &path);

/// The greatest number of types of a model.
int mostTypes(const std::vector<Model> &models);

/// Makes the rules of one simulation.
template <typename Real>
Rules<Real> rulesOf(const Model &model, const Conditions &conditions);

} // namespace cells

#endif // CELLS_MODEL_H
