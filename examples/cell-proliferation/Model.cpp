// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the user says of the subpopulations, see Model.h.
//===----------------------------------------------------------------------===//

#include "Model.h"

#include "Rows.h"

#include <algorithm>
#include <cmath>

using namespace cells;

static CellType typeOf(const Row &row, size_t first) {
  CellType type{row.numbers[first], row.numbers[first + 1],
                row.numbers[first + 2]};
  if (type.proportion < 0 || type.proportion > 1)
    refuse(row.where, "a proportion is not between 0 and 1");
  if (type.mean == -1 && type.deviation == -1)
    return type;
  if (type.mean <= 0)
    refuse(row.where, "a mean is not above 0 (-1 -1 never divides)");
  if (type.deviation < 0)
    refuse(row.where, "a deviation is negative");
  return type;
}

static void checkTypes(const std::vector<CellType> &types,
                       const std::string &where) {
  if (types.size() > MOST_TYPES)
    refuse(where, "more than " + std::to_string(MOST_TYPES) + " types");
  double sum = 0;
  for (const CellType &type : types)
    sum += type.proportion;
  if (std::fabs(sum - 1) > 1e-6)
    refuse(where,
           "the proportions add up to " + std::to_string(sum) + ", not to 1");
}

std::vector<CellType> cells::readTypes(const std::string &path) {
  std::vector<CellType> types;
  for (const Row &row : readRows(path)) {
    if (row.numbers.size() != 3)
      refuse(row.where, "a row is a proportion, a mean and a deviation");
    types.push_back(typeOf(row, 0));
  }
  checkTypes(types, path);
  return types;
}

std::vector<Model> cells::readModels(const std::string &path) {
  std::vector<Model> models;
  for (const Row &row : readRows(path)) {
    double seed = row.numbers[0];
    if (row.numbers.size() % 3 != 1 || row.numbers.size() < 4)
      refuse(row.where, "a row is a seed and, for each type, a proportion, a "
                        "mean and a deviation");
    if (seed < 0 || seed != std::floor(seed) || seed > 0x1p53)
      refuse(row.where, "the seed is no natural number");
    Model model{{}, uint64_t(seed)};
    for (size_t i = 1; i < row.numbers.size(); i += 3)
      model.types.push_back(typeOf(row, i));
    checkTypes(model.types, row.where);
    models.push_back(std::move(model));
  }
  return models;
}

int cells::mostTypes(const std::vector<Model> &models) {
  size_t most = 0;
  for (const Model &model : models)
    most = std::max(most, model.types.size());
  return int(most);
}

template <typename Real>
Rules<Real> cells::rulesOf(const Model &model, const Conditions &conditions) {
  Rules<Real> rules{};
  rules.key = keyOf(model.seed);
  rules.duration = Real(conditions.duration);
  rules.start = conditions.start;
  rules.typeCount = int32_t(model.types.size());
  double sum = 0;
  for (size_t i = 0; i < model.types.size(); ++i) {
    const CellType &type = model.types[i];
    rules.cumulative[i] = Real(sum += type.proportion);
    if (type.isQuiescent())
      rules.intervals[i].mean = Real(-1);
    else
      rules.intervals[i] = truncatedNormal<Real>(type.mean, type.deviation);
  }
  return rules;
}

template Rules<float> cells::rulesOf(const Model &, const Conditions &);
template Rules<double> cells::rulesOf(const Model &, const Conditions &);
