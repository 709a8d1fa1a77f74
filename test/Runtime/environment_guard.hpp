// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// An environment variable that is set while an object lives.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_RUNTIME_ENVIRONMENT_GUARD_HPP
#define CUDAOPT_TEST_RUNTIME_ENVIRONMENT_GUARD_HPP

#include <cstdlib>

namespace cudaopt::test {

class environment_guard {
public:
  environment_guard(const char *name, const char *value) : Name(name) {
    setenv(name, value, 1);
  }
  ~environment_guard() { unsetenv(Name); }
  environment_guard(const environment_guard &) = delete;
  environment_guard &operator=(const environment_guard &) = delete;

private:
  const char *Name;
};

} // namespace cudaopt::test

#endif // CUDAOPT_TEST_RUNTIME_ENVIRONMENT_GUARD_HPP
