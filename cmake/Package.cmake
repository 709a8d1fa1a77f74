# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What is installed, the CMake package for other projects (installed, and in the
# build tree), and packages of CPack. Components: Runtime, Tool, Plugin.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# The program looks beside itself, in ../lib.
set(plugin_dir lib/cuda-opt)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/CudaOpt)
set(build_package_dir ${PROJECT_BINARY_DIR}/lib/cmake/CudaOpt)

# install_component(<component> <target> <kind and folder>): installs the target
# that other projects know as CudaOpt::<its export name>.
function(install_component component target)
  install(TARGETS ${target} EXPORT CudaOpt${component}Targets ${ARGN}
    COMPONENT ${component})
  install(EXPORT CudaOpt${component}Targets NAMESPACE CudaOpt::
    DESTINATION ${package_dir} COMPONENT ${component})
  export(EXPORT CudaOpt${component}Targets NAMESPACE CudaOpt::
    FILE ${build_package_dir}/CudaOpt${component}Targets.cmake)
endfunction()

# The tool, its second name, and what it needs to parse.
install_component(Tool cuda-opt RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# A wheel would hold the program twice.
if(NOT SKBUILD)
  set(second_name
    "\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/cuda-opt-nvcc")
  install(CODE "file(CREATE_LINK cuda-opt \"\$ENV{DESTDIR}${second_name}\" SYMBOLIC)
    list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"${second_name}\")" COMPONENT Tool)
endif()

add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND} -P ${PROJECT_SOURCE_DIR}/cmake/Uninstall.cmake
  COMMENT "Removing what was installed from this build" VERBATIM)
if(CUDAOPT_STATIC_LLVM)
  # Packages are made of what is in them.
  set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
  # Who has no clang has not its headers either.
  install(DIRECTORY ${LLVM_LIBRARY_DIR}/clang/${LLVM_VERSION_MAJOR}/include
    DESTINATION ${plugin_dir}/clang/${LLVM_VERSION_MAJOR} COMPONENT Tool
    PATTERN "arm_*" EXCLUDE PATTERN "riscv_*" EXCLUDE PATTERN "hvx_*" EXCLUDE
    PATTERN "hexagon_*" EXCLUDE PATTERN "altivec.h" EXCLUDE
    PATTERN "opencl-c*" EXCLUDE PATTERN "hlsl*" EXCLUDE
    PATTERN "ppc_wrappers" EXCLUDE)
else()
  install(TARGETS cuda-sim RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
    COMPONENT Tool)
  install_component(Plugin CudaOptPlugin LIBRARY DESTINATION ${plugin_dir})
  install(TARGETS CudaOptPluginClang LIBRARY DESTINATION ${plugin_dir}
    COMPONENT Plugin)
endif()

# The headers of rewritten programs.
install_component(Runtime cudaopt_runtime)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/include/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT Runtime)
configure_file(${PROJECT_SOURCE_DIR}/cmake/cudaopt-runtime.pc.in
  ${PROJECT_BINARY_DIR}/cudaopt-runtime.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cudaopt-runtime.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT Runtime)

# The program finds them in the build tree as it does where it is installed.
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/runtime/include
  ${PROJECT_BINARY_DIR}/include SYMBOLIC)

# Each component brings the package's own files: it may come alone.
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/CudaOptConfig.cmake.in
  ${build_package_dir}/CudaOptConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  ${build_package_dir}/CudaOptConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
configure_file(${PROJECT_SOURCE_DIR}/cmake/CudaOptFunctions.cmake
  ${build_package_dir}/CudaOptFunctions.cmake COPYONLY)
foreach(component IN ITEMS Runtime Tool)
  install(FILES ${build_package_dir}/CudaOptConfig.cmake
                ${build_package_dir}/CudaOptConfigVersion.cmake
                ${build_package_dir}/CudaOptFunctions.cmake
    DESTINATION ${package_dir} COMPONENT ${component})
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CHANGELOG.md
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/cuda-opt COMPONENT ${component})
endforeach()

# What is written for man and for shells, where the project has it.
function(install_if_there file folder)
  if(EXISTS ${PROJECT_SOURCE_DIR}/docs/${file})
    install(FILES ${PROJECT_SOURCE_DIR}/docs/${file} ${ARGN} COMPONENT Tool
      DESTINATION ${folder})
  endif()
endfunction()
install_if_there(man/cuda-opt.1 ${CMAKE_INSTALL_MANDIR}/man1)
install_if_there(completions/cuda-opt.bash
  ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME cuda-opt)
install_if_there(completions/_cuda-opt
  ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)

set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_NAME cuda-opt)
set(CPACK_PACKAGE_VENDOR "cuda-opt developers")
set(CPACK_PACKAGE_CONTACT "cuda-opt developers <developers@cuda-opt.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "source-to-source optimizer for CUDA")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGE_FILE_NAME
  cuda-opt-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS nvidia-cuda-toolkit)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS clang-${LLVM_VERSION_MAJOR})
if(NOT CUDAOPT_STATIC_LLVM)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "libclang-common-${LLVM_VERSION_MAJOR}-dev (>= 1:${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR})")
endif()
include(CPack)
