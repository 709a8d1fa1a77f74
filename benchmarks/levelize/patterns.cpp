// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the matrices of triangular.cu are. Without an argument it prints their
/// names; with a name, facts on stderr, as JSON, and the matrix on stdout: its
/// row pointers of 8 bytes, then its columns of 4, for a program that hashes.
//===----------------------------------------------------------------------===//

#include "row_bound.hpp"

#include <cstdio>

namespace {

template <class T> bool write(const std::vector<T> &values) {
  return std::fwrite(values.data(), sizeof(T), values.size(), stdout) ==
         values.size();
}

bool describe(const matrices::pattern &p) {
  const std::int64_t levels = matrices::levels(p);
  const std::int64_t chain = matrices::longest_chain(p);
  std::fprintf(stderr,
               "{\"rows\": %lld, \"terms\": %lld, \"longest_row\": %lld, "
               "\"levels\": %lld, \"chain\": %lld, \"bound_ms\": %.6g}\n",
               (long long)p.rows, (long long)p.terms(),
               (long long)matrices::longest_row(p), (long long)levels,
               (long long)chain, matrices::bound_ms(p, levels, chain));
  return write(p.ptr) && write(p.col) && std::fflush(stdout) == 0;
}

} // namespace

int main(int argc, char **argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  for (const matrices::named &m : matrices::suite())
    if (name.empty())
      std::printf("%s\n", m.name.c_str());
    else if (m.name == name)
      return describe(m.make()) ? 0 : 1;
  return name.empty() ? 0 : 1;
}
