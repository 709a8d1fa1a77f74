// REQUIRES: cuda
// DEFINE: %{flags} = --cuda-path=%cuda-path --no-offload-new-driver -Wno-unknown-cuda-version -isystem%cuda-path/include/cccl
// RUN: %python %S/consumer.py %build %t %host-cxx %{flags} | FileCheck %s
// RUN: cmake -G Ninja -S %t/source -B %t/launched -DCMAKE_PREFIX_PATH=%build -DCMAKE_CUDA_COMPILER=%host-cxx -DCMAKE_CUDA_ARCHITECTURES=80 "-DCMAKE_CUDA_FLAGS=%{flags}" "-DCMAKE_CUDA_COMPILER_ID_TEST_FLAGS_FIRST=--cuda-gpu-arch=sm_80 %{flags}" "-DCMAKE_CUDA_COMPILER_LAUNCHER=%cuda-opt;--layout=pad" > %t.log
// RUN: cmake --build %t/launched --target plain | FileCheck %s --check-prefix=LAUNCHED
// RUN: cmake --build %t/launched --target plain | FileCheck %s --check-prefix=AGAIN
//
// A project whose CUDA compiler is clang builds with the package's plugin, and
// with the launcher.
//
// CHECK: 100% tests passed, 0 tests failed out of 2
// LAUNCHED: transpose.cu: 1 kernel, 1 array rewritten
// AGAIN: no work to do
