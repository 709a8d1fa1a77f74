// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Requests of one warp whose cost was measured on a GPU: the rows of the
/// tables in test/Data.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_UNIT_MACHINE_MEASUREDREQUESTS_H
#define CUDAOPT_TEST_UNIT_MACHINE_MEASUREDREQUESTS_H

#include "cudaopt/Machine/BankMap.h"

#include "gtest/gtest.h"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace cudaopt {

/// A row of a table.
struct MeasuredRequest {
  std::string Line; ///< The whole row, for messages.
  std::string Op;   ///< "ld", "st", "red" or "atom".
  uint32_t Width = 0, ActiveLanes = 0;
  std::array<uint32_t, WarpSize> Addresses = {}; ///< In bytes.
  unsigned Cost = 0;
};

/// Returns the rows of the table \p Name; a failure is one of the test.
inline std::vector<MeasuredRequest> readMeasured(const std::string &Name) {
  std::ifstream File(CUDAOPT_TEST_DIR "/Data/" + Name);
  std::vector<MeasuredRequest> Rows;
  std::string Line, Field;
  EXPECT_TRUE(std::getline(File, Line)) << "the header is missing";
  while (std::getline(File, Line)) {
    std::istringstream Row(Line);
    auto next = [&] {
      std::getline(Row, Field, ',');
      return Field;
    };
    MeasuredRequest &R = Rows.emplace_back();
    R.Line = Line;
    R.Width = std::stoul(next());
    R.Op = next();
    R.ActiveLanes = std::stoul(next(), nullptr, 16);
    next();
    for (uint32_t &Address : R.Addresses)
      Address = std::stoul(next()) * R.Width;
    R.Cost = std::stoul(next());
  }
  return Rows;
}

} // namespace cudaopt

#endif // CUDAOPT_TEST_UNIT_MACHINE_MEASUREDREQUESTS_H
