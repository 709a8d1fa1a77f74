// Without CUDA the runtime is C++17 for any compiler.
// RUN: echo '#include "cudaopt/levelize.hpp"' > %t.cpp
// RUN: echo 'int main() { cudaopt::plan p; }' >> %t.cpp
// RUN: g++ -std=c++17 -Wall -Wextra -Werror -I %S/../../runtime/include %t.cpp -o %t
// RUN: clang++ -std=c++20 -Wall -Wextra -Werror -I %S/../../runtime/include -fsyntax-only %t.cpp
