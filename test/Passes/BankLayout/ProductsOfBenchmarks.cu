// REQUIRES: cuda
// DEFINE: %{benchmarks} = %S/../../../benchmarks/banks
// DEFINE: %{run} = %cuda-opt --passes=bank-layout --quiet --cuda-path=%cuda-path
// DEFINE: %{flags} = -std=c++17 -arch=sm_90 -I %{benchmarks}/gpu \
// DEFINE:   -I %S/../../../examples/common \
// DEFINE:   -I %S/../../../examples/cell-proliferation
//
// The next run changes nothing of what this one wrote.
// RUN: rm -rf %t && mkdir -p %t/jobs %t/gpu %t/examples %t/again
// RUN: %{run} --output-dir=%t/jobs %{benchmarks}/jobs/*.cu -- %{flags}
// RUN: %{run} --output-dir=%t/gpu %{benchmarks}/gpu/*.cu -- %{flags}
// RUN: %{run} --output-dir=%t/examples %S/../../../examples/*/*.cu -- %{flags}
//
// RUN: %{run} --output-dir=%t/again %t/jobs/*.cu -- %{flags}
// RUN: diff -r %t/jobs %t/again
// RUN: rm -rf %t/again && mkdir %t/again
// RUN: %{run} --output-dir=%t/again %t/gpu/*.cu -- %{flags}
// RUN: diff -r %t/gpu %t/again
// RUN: rm -rf %t/again && mkdir %t/again
// RUN: %{run} --output-dir=%t/again %t/examples/*.cu -- %{flags}
// RUN: diff -r %t/examples %t/again
//
// The first one changed something.
// RUN: not diff -q %{benchmarks}/jobs/network.cu %t/jobs/network.cu
