// RUN: rm -rf %t && split-file %s %t
// RUN: cmake -S %t -B %t/build -DCMAKE_PREFIX_PATH=%build -DID=Clang | FileCheck %s
// RUN: cmake -S %t -B %t/build -DCMAKE_PREFIX_PATH=%build -DID=NVIDIA | FileCheck %s --check-prefix=NVCC
// RUN: not cmake -S %t -B %t/build -DCMAKE_PREFIX_PATH=%build -DID=None 2>&1 | FileCheck %s --check-prefix=NONE
//
// Where clang compiles CUDA, the package takes the plugin, else the launcher, in
// front of the one there is.
//
// CHECK: options: $<$<COMPILE_LANGUAGE:CUDA>:-fplugin={{.*}}/CudaOptPlugin.so;-fplugin-arg-cudaopt-layout=pad;-fplugin-arg-cudaopt-quiet>, launcher: ccache
// NVCC: options: options-NOTFOUND, launcher: {{.*}}/cuda-opt;--layout=pad;-quiet;ccache
// NONE: cudaopt_enable: 'none' is not a target
//--- CMakeLists.txt
cmake_minimum_required(VERSION 3.21)
project(Other LANGUAGES CXX)
find_package(CudaOpt REQUIRED)
# What a project with CUDA would know.
set(CMAKE_CUDA_COMPILER_ID ${ID})
set(CMAKE_CUDA_COMPILER_VERSION 22.1.8)
if(ID STREQUAL "None")
  cudaopt_enable(none)
endif()
add_library(lib STATIC lib.cpp)
set_target_properties(lib PROPERTIES CUDA_COMPILER_LAUNCHER ccache)
cudaopt_enable(lib OPTIONS --layout=pad -quiet)
get_target_property(options lib COMPILE_OPTIONS)
get_target_property(launcher lib CUDA_COMPILER_LAUNCHER)
message(STATUS "options: ${options}, launcher: ${launcher}")
//--- lib.cpp
