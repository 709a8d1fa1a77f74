// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads the pattern of a matrix from a file: Matrix Market's coordinates, or
/// bare triplets that count from 0.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_BENCHMARKS_LEVELIZE_MATRIX_MARKET_HPP
#define CUDAOPT_BENCHMARKS_LEVELIZE_MATRIX_MARKET_HPP

#include "matrices.hpp"

#include <cstdio>
#include <fstream>

namespace matrices {

/// \p entries in any order, of \p rows rows and columns.
inline pattern of_entries(std::int64_t rows,
                          std::vector<std::pair<int, int>> entries) {
  pattern p;
  std::sort(entries.begin(), entries.end());
  std::size_t e = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (; e < entries.size() && entries[e].first == i; ++e)
      p.col.push_back(entries[e].second);
    p.end_row();
  }
  return p;
}

/// All entries, both triangles of a symmetric matrix whose file has one; of
/// triplets, those of the file. Empty if \p path cannot be read.
inline pattern read_matrix_market(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line))
    return {};
  const bool has_header = line.rfind("%%MatrixMarket matrix coo", 0) == 0;
  if (!has_header && line.rfind("%", 0) == 0)
    return {};
  const bool is_symmetric =
      has_header && (line.find("symmetric") != std::string::npos ||
                     line.find("hermitian") != std::string::npos);
  long long rows = 0, columns = 0, terms = 0;
  if (has_header) {
    while (std::getline(file, line) && (line.empty() || line[0] == '%'))
      ;
    if (std::sscanf(line.c_str(), "%lld %lld %lld", &rows, &columns, &terms) !=
        3)
      return {};
    line.clear();
  }
  std::vector<std::pair<int, int>> entries;
  long long size = std::max(rows, columns);
  do {
    long long i = 0, j = 0;
    if (std::sscanf(line.c_str(), "%lld %lld", &i, &j) != 2)
      continue;
    i -= has_header;
    j -= has_header;
    entries.push_back({int(i), int(j)});
    if (is_symmetric)
      entries.push_back({int(j), int(i)});
    if (!has_header)
      size = std::max({size, i + 1, j + 1});
  } while (std::getline(file, line));
  return of_entries(size, std::move(entries));
}

} // namespace matrices

#endif // CUDAOPT_BENCHMARKS_LEVELIZE_MATRIX_MARKET_HPP
