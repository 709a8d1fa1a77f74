// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads the pattern of a matrix in Matrix Market coordinate format.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_BENCHMARKS_LEVELIZE_MATRIX_MARKET_HPP
#define CUDAOPT_BENCHMARKS_LEVELIZE_MATRIX_MARKET_HPP

#include "matrices.hpp"

#include <cstdio>
#include <fstream>

namespace matrices {

/// All entries, both triangles of a symmetric matrix. Empty if \p path is not
/// such a file.
inline pattern read_matrix_market(const std::string &path) {
  pattern p;
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || line.rfind("%%MatrixMarket matrix coo", 0))
    return p;
  const bool is_symmetric = line.find("symmetric") != std::string::npos ||
                            line.find("hermitian") != std::string::npos;
  while (std::getline(file, line) && (line.empty() || line[0] == '%'))
    ;
  long long rows = 0, columns = 0, terms = 0;
  if (std::sscanf(line.c_str(), "%lld %lld %lld", &rows, &columns, &terms) != 3)
    return p;
  std::vector<std::pair<int, int>> entries;
  for (long long i, j; std::getline(file, line);)
    if (std::sscanf(line.c_str(), "%lld %lld", &i, &j) == 2) {
      entries.push_back({int(i - 1), int(j - 1)});
      if (is_symmetric)
        entries.push_back({int(j - 1), int(i - 1)});
    }
  std::sort(entries.begin(), entries.end());
  std::size_t e = 0;
  for (long long i = 0; i < std::max(rows, columns); ++i) {
    for (; e < entries.size() && entries[e].first == i; ++e)
      p.col.push_back(entries[e].second);
    p.end_row();
  }
  return p;
}

} // namespace matrices

#endif // CUDAOPT_BENCHMARKS_LEVELIZE_MATRIX_MARKET_HPP
