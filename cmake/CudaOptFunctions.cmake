# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the package CudaOpt adds to a build. OPTIONS are those of cuda-opt
# (`cuda-opt --help`), as in a shell.

# cudaopt_enable(<target> [OPTIONS <option>...])
#
# Compiles what the target's CUDA sources become: by the plugin if the CUDA
# compiler is the clang that it is for, else by the launcher, in front of what
# launches the compiler already.
function(cudaopt_enable target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPTIONS")
  _cudaopt_check_arguments(cudaopt_enable ${target})
  _cudaopt_has_plugin(uses_plugin)
  if(uses_plugin)
    get_target_property(plugin CudaOpt::plugin LOCATION)
    set(flags -fplugin=${plugin})
    foreach(option IN LISTS arg_OPTIONS)
      string(REGEX REPLACE "^--?" "" option "${option}")
      list(APPEND flags -fplugin-arg-cudaopt-${option})
    endforeach()
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANGUAGE:CUDA>:${flags}>")
    return()
  endif()
  get_target_property(tool CudaOpt::cuda-opt LOCATION)
  get_target_property(launcher ${target} CUDA_COMPILER_LAUNCHER)
  if(NOT launcher)
    set(launcher)
  endif()
  set(launcher ${tool} ${arg_OPTIONS} ${launcher})
  set_target_properties(${target} PROPERTIES
    CUDA_COMPILER_LAUNCHER "${launcher}")
endfunction()

# cudaopt_generate(<variable> <source>... [TARGET <target>] [OPTIONS <option>...]
#                  [FLAGS <flag>...])
#
# Makes rules that write what the sources become, and sets the variable to the
# names of the files written: sources for a target. FLAGS are the compiler's;
# with TARGET, those of an existing target, too.
function(cudaopt_generate variable)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TARGET" "OPTIONS;FLAGS")
  set(flags ${arg_FLAGS})
  if(arg_TARGET)
    _cudaopt_find_flags(target_flags ${arg_TARGET})
    list(APPEND flags ${target_flags})
  endif()
  set(outputs)
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    get_filename_component(path "${source}" ABSOLUTE)
    get_filename_component(folder "${path}" DIRECTORY)
    file(RELATIVE_PATH name "${CMAKE_CURRENT_SOURCE_DIR}" "${path}")
    string(REPLACE ".." "__" name "${name}")
    set(output "${CMAKE_CURRENT_BINARY_DIR}/cudaopt/${name}")
    get_filename_component(output_folder "${output}" DIRECTORY)
    file(MAKE_DIRECTORY "${output_folder}")
    add_custom_command(OUTPUT "${output}"
      COMMAND CudaOpt::cuda-opt --quiet --line-directives ${arg_OPTIONS}
              "--depfile=${output}.d" -o "${output}" "${path}" -- "${flags}"
      # A text that is what it was is left alone, whatever the source's time.
      COMMAND ${CMAKE_COMMAND} -E touch "${output}"
      DEPENDS "${path}" CudaOpt::cuda-opt
      DEPFILE "${output}.d"
      COMMENT "Optimizing ${name}"
      COMMAND_EXPAND_LISTS VERBATIM)
    # Headers in quotes are still those beside the original.
    set_property(SOURCE "${output}" APPEND PROPERTY INCLUDE_DIRECTORIES
      "${folder}")
    list(APPEND outputs "${output}")
  endforeach()
  set(${variable} ${outputs} PARENT_SCOPE)
endfunction()

# cudaopt_add_check(<name> TARGET <target> [OPTIONS <option>...] [BUILD])
#
# Adds a test that fails if cuda-opt would change a CUDA source of the target;
# with BUILD, a target of the build instead.
function(cudaopt_add_check name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "BUILD" "TARGET" "OPTIONS")
  _cudaopt_check_arguments(cudaopt_add_check ${arg_TARGET})
  get_target_property(sources ${arg_TARGET} SOURCES)
  get_target_property(folder ${arg_TARGET} SOURCE_DIR)
  list(FILTER sources INCLUDE REGEX "\\.cu$")
  list(TRANSFORM sources PREPEND "${folder}/" REGEX "^[^/]")
  if(NOT sources)
    message(FATAL_ERROR "cudaopt_add_check: ${arg_TARGET} has no .cu files")
  endif()
  _cudaopt_find_flags(flags ${arg_TARGET})
  set(command CudaOpt::cuda-opt --check ${arg_OPTIONS} ${sources} -- "${flags}")
  if(arg_BUILD)
    add_custom_target(${name} COMMAND ${command} COMMAND_EXPAND_LISTS VERBATIM)
  else()
    list(REMOVE_AT command 0)
    add_test(NAME ${name} COMMAND $<TARGET_FILE:CudaOpt::cuda-opt> ${command}
      COMMAND_EXPAND_LISTS)
  endif()
endfunction()

function(_cudaopt_check_arguments function target)
  if(NOT TARGET "${target}")
    message(FATAL_ERROR "${function}: '${target}' is not a target")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "${function}: what does '${arg_UNPARSED_ARGUMENTS}' mean?")
  endif()
endfunction()

function(_cudaopt_has_plugin variable)
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" version "${CMAKE_CUDA_COMPILER_VERSION}")
  if(TARGET CudaOpt::plugin AND CMAKE_CUDA_COMPILER_ID STREQUAL "Clang"
     AND version VERSION_EQUAL CudaOpt_CLANG_VERSION)
    set(${variable} TRUE PARENT_SCOPE)
  else()
    set(${variable} FALSE PARENT_SCOPE)
  endif()
endfunction()

# The flags with which the target's CUDA sources are compiled, as far as they
# decide what these mean.
function(_cudaopt_find_flags variable target)
  set(flags)
  get_target_property(standard ${target} CUDA_STANDARD)
  if(NOT standard)
    set(standard ${CMAKE_CUDA_STANDARD})
  endif()
  if(standard)
    list(APPEND flags -std=c++${standard})
  endif()
  get_target_property(architectures ${target} CUDA_ARCHITECTURES)
  foreach(architecture IN LISTS architectures)
    string(REGEX REPLACE "-(real|virtual)$" "" architecture "${architecture}")
    if(architecture MATCHES "^[0-9]+[a-z]?$")
      list(APPEND flags
        "-gencode=arch=compute_${architecture},code=sm_${architecture}")
    endif()
  endforeach()
  foreach(pair IN ITEMS "-I INCLUDE_DIRECTORIES" "-D COMPILE_DEFINITIONS")
    separate_arguments(pair)
    list(GET pair 0 flag)
    list(GET pair 1 property)
    set(values "$<TARGET_PROPERTY:${target},${property}>")
    list(APPEND flags "$<$<BOOL:${values}>:${flag}$<JOIN:${values},$<SEMICOLON>${flag}>>")
  endforeach()
  set(${variable} "${flags}" PARENT_SCOPE)
endfunction()
