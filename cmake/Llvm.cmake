# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the program links to: cudaopt_llvm, cudaopt_clang, ISL_LIBRARY. Either
# shared libraries or archives: LLVM twice in a process registers everything
# twice.
option(CUDAOPT_STATIC_LLVM
  "Link LLVM, clang and isl as archives: one program that runs anywhere" OFF)

add_library(cudaopt_llvm INTERFACE)
add_library(cudaopt_clang INTERFACE)
if(NOT CUDAOPT_STATIC_LLVM)
  find_library(ISL_LIBRARY isl REQUIRED)
  target_link_libraries(cudaopt_llvm INTERFACE LLVM)
  target_link_libraries(cudaopt_clang INTERFACE clang-cpp LLVM)
  return()
endif()

# Packages of clang may say that its archives need LLVM as a shared library, so
# the archives are named here; the linker takes what is used.
file(GLOB archives ${LLVM_LIBRARY_DIR}/libLLVM*.a)
file(GLOB clang_archives ${LLVM_LIBRARY_DIR}/libclang*.a)
if(NOT archives OR NOT clang_archives)
  message(FATAL_ERROR "no archives of LLVM and clang in ${LLVM_LIBRARY_DIR}")
endif()
foreach(name IN ITEMS isl gmp z)
  find_library(CUDAOPT_${name}_ARCHIVE lib${name}.a REQUIRED)
  list(APPEND other_archives ${CUDAOPT_${name}_ARCHIVE})
endforeach()
set(ISL_LIBRARY ${CUDAOPT_isl_ARCHIVE} ${CUDAOPT_gmp_ARCHIVE})
# Without its archive, zstd is the one library that the program asks for.
find_library(CUDAOPT_zstd_LIBRARY NAMES libzstd.a libzstd.so.1 REQUIRED)
# Packages of LLVM may have Polly built in, with an isl of its own.
add_library(cudaopt_no_polly OBJECT ${PROJECT_SOURCE_DIR}/cmake/NoPolly.cpp)
target_link_libraries(cudaopt_llvm INTERFACE
  $<TARGET_OBJECTS:cudaopt_no_polly>
  -Wl,--start-group ${clang_archives} ${archives} -Wl,--end-group
  ${CUDAOPT_z_ARCHIVE} ${CUDAOPT_zstd_LIBRARY} ${CMAKE_DL_LIBS} m)
target_link_options(cudaopt_llvm INTERFACE
  -static-libstdc++ -static-libgcc -Wl,--gc-sections)
# A tenth of the code is there twice.
find_program(CUDAOPT_LLD ld.lld)
if(CUDAOPT_LLD)
  target_link_options(cudaopt_llvm INTERFACE
    -fuse-ld=${CUDAOPT_LLD} -Wl,--icf=all)
endif()
target_link_libraries(cudaopt_clang INTERFACE cudaopt_llvm)
