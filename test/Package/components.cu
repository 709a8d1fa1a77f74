// RUN: rm -rf %t && cmake --install %build --component Runtime --prefix %t/installed > %t.log
// RUN: not ls %t/installed/bin
// RUN: %if pkg-config %{ env PKG_CONFIG_PATH=%t/installed/lib/pkgconfig pkg-config --cflags --libs cudaopt-runtime > %t.flags %}
// RUN: %if pkg-config %{ %host-cxx -x c++ -std=c++17 -fsyntax-only @%t.flags %s %}
// RUN: split-file %s %t/project
// RUN: cmake -S %t/project -B %t/build -DCMAKE_PREFIX_PATH=%t/installed -DCOMPONENTS=Runtime | FileCheck %s
// RUN: not cmake -S %t/project -B %t/other -DCMAKE_PREFIX_PATH=%t/installed -DCOMPONENTS=Tool 2>&1 | FileCheck %s --check-prefix=NONE
//
// The runtime's headers come without the tool: with pkg-config and CMake.
//
// CHECK: runtime: 1, tool: 0
// NONE: CudaOpt
#include <cudaopt/levelize/loop.hpp>
#if 0
//--- CMakeLists.txt
cmake_minimum_required(VERSION 3.21)
project(Other LANGUAGES CXX)
find_package(CudaOpt REQUIRED COMPONENTS ${COMPONENTS})
if(TARGET CudaOpt::runtime)
  set(runtime 1)
endif()
if(TARGET CudaOpt::cuda-opt)
  set(tool 1)
else()
  set(tool 0)
endif()
message(STATUS "runtime: ${runtime}, tool: ${tool}")
//--- end
#endif
