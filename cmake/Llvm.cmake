# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What programs link to: cudaopt_llvm, cudaopt_clang, ISL_LIBRARY. Either shared
# libraries or archives: LLVM twice in a process registers everything twice. A
# program with the property STARTS_OFTEN has archives where they are: it starts
# in a fifth of the time, most of which goes into relocations of libraries.
option(CUDAOPT_STATIC_LLVM
  "Link LLVM, clang and isl as archives: one program that runs anywhere" OFF)

add_library(cudaopt_llvm INTERFACE)
add_library(cudaopt_clang INTERFACE)

# Packages of clang may say that its archives need LLVM as a shared library, so
# the archives are named here; the linker takes what is used.
file(GLOB archives ${LLVM_LIBRARY_DIR}/libLLVM*.a)
file(GLOB clang_archives ${LLVM_LIBRARY_DIR}/libclang*.a)
foreach(name IN ITEMS isl gmp z)
  find_library(CUDAOPT_${name}_ARCHIVE lib${name}.a)
endforeach()
# Without its archive, zstd is the one library that the program asks for.
find_library(CUDAOPT_zstd_LIBRARY NAMES libzstd.a libzstd.so.1)
if(archives AND clang_archives AND CUDAOPT_isl_ARCHIVE AND CUDAOPT_gmp_ARCHIVE
    AND CUDAOPT_z_ARCHIVE AND CUDAOPT_zstd_LIBRARY)
  set(has_archives 1)
else()
  set(has_archives 0)
endif()

if(CUDAOPT_STATIC_LLVM)
  if(NOT has_archives)
    message(FATAL_ERROR "no archives of LLVM and clang in ${LLVM_LIBRARY_DIR}, "
      "or no libisl.a, libgmp.a, libz.a or libzstd")
  endif()
  set(takes_archives 1)
else()
  set(takes_archives
    $<AND:${has_archives},$<BOOL:$<TARGET_PROPERTY:STARTS_OFTEN>>>)
endif()
set(takes_libraries $<NOT:${takes_archives}>)

find_library(CUDAOPT_isl_LIBRARY isl REQUIRED)
set(ISL_LIBRARY "$<${takes_libraries}:${CUDAOPT_isl_LIBRARY}>"
  "$<${takes_archives}:${CUDAOPT_isl_ARCHIVE};${CUDAOPT_gmp_ARCHIVE}>")
target_link_libraries(cudaopt_llvm INTERFACE "$<${takes_libraries}:LLVM>")
target_link_libraries(cudaopt_clang INTERFACE
  "$<${takes_libraries}:clang-cpp>" cudaopt_llvm)
if(NOT has_archives)
  return()
endif()

# LLVM is built without exceptions: nothing is ever unwound through its functions,
# whose tables for that are a tenth of the program.
find_program(CUDAOPT_OBJCOPY NAMES llvm-objcopy
  HINTS ${LLVM_TOOLS_BINARY_DIR} NO_DEFAULT_PATH)
if(CUDAOPT_STATIC_LLVM AND CUDAOPT_OBJCOPY)
  set(other_targets ${LLVM_TARGETS_TO_BUILD})
  list(REMOVE_ITEM other_targets NVPTX ${LLVM_NATIVE_ARCH})
  list(JOIN other_targets "|" other_targets)
  list(FILTER archives EXCLUDE REGEX "/libLLVM(${other_targets})[A-Z]")
  list(FILTER clang_archives EXCLUDE REGEX "/libclang(Tidy|Daemon|d[A-Z]|Doc|StaticA)")
  foreach(kind IN ITEMS archives clang_archives)
    set(copies)
    foreach(archive IN LISTS ${kind})
      get_filename_component(name ${archive} NAME)
      set(copy ${PROJECT_BINARY_DIR}/archives/${name})
      add_custom_command(OUTPUT ${copy}
        COMMAND ${CUDAOPT_OBJCOPY} --remove-section=.eh_frame
                --remove-section=.rela.eh_frame ${archive} ${copy}
        DEPENDS ${archive} VERBATIM)
      list(APPEND copies ${copy})
    endforeach()
    set(${kind} ${copies})
  endforeach()
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/archives)
  add_custom_target(cudaopt_archives DEPENDS ${archives} ${clang_archives})
  add_dependencies(cudaopt_llvm cudaopt_archives)
endif()

# Packages of LLVM may have Polly built in, with an isl of its own.
add_library(cudaopt_no_llvm OBJECT ${PROJECT_SOURCE_DIR}/cmake/NoPolly.cpp)
if(CUDAOPT_STATIC_LLVM)
  target_sources(cudaopt_no_llvm PRIVATE ${PROJECT_SOURCE_DIR}/cmake/OldLibc.cpp)
endif()
set(all_archives $<TARGET_OBJECTS:cudaopt_no_llvm>
  -Wl,--start-group ${clang_archives} ${archives} -Wl,--end-group
  ${CUDAOPT_z_ARCHIVE} ${CUDAOPT_zstd_LIBRARY} ${CMAKE_DL_LIBS} m)
target_link_libraries(cudaopt_llvm INTERFACE
  "$<${takes_archives}:${all_archives}>")
# At a fixed place, it needs no relocations at all.
set(link_options -static-libstdc++ -static-libgcc -Wl,--gc-sections -no-pie
  -Wl,-O2)
# A tenth of the code is there twice.
find_program(CUDAOPT_LLD ld.lld HINTS ${LLVM_TOOLS_BINARY_DIR})
if(CUDAOPT_LLD)
  list(APPEND link_options -fuse-ld=${CUDAOPT_LLD} -Wl,--icf=all)
endif()
target_link_options(cudaopt_llvm INTERFACE
  "$<${takes_archives}:${link_options}>")
