// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads the numbers of a text file, see Rows.h.
//===----------------------------------------------------------------------===//

#include "Rows.h"

#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

using namespace cells;

void cells::refuse(const std::string &where, const std::string &what) {
  throw InputError(where + ": " + what);
}

double cells::parseNumber(const std::string &text, const std::string &where) {
  double number = 0;
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || !std::isfinite(number))
    refuse(where, "'" + text + "' is no number");
  return number;
}

std::vector<Row> cells::readRows(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    refuse(path, "cannot be read");
  std::vector<Row> rows;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    Row row{path + ":" + std::to_string(number), {}};
    if (!line.empty() && line.back() == '\r')
      refuse(row.where, "the lines end with CR LF; convert the file to LF");
    if (!line.empty() && line.front() == '#')
      continue;
    std::istringstream words(line);
    for (std::string word; words >> word;)
      row.numbers.push_back(parseNumber(word, row.where));
    if (!row.numbers.empty())
      rows.push_back(std::move(row));
  }
  if (file.bad())
    refuse(path, "cannot be read");
  if (rows.empty())
    refuse(path, "has no rows");
  return rows;
}
