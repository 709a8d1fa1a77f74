# cudaopt_room(<Name> [SEES <Room>...] [LIBRARIES <library>...])
#
# The library cudaopt_<name> of all sources in lib/<Name>. It may include headers
# of include/cudaopt/<Name>, and of the rooms that it sees, which are those behind
# SEES and what they see. The build refuses all other includes, those of clang and
# LLVM without cudaopt_clang or cudaopt_llvm among them.
#
#   cudaopt_room(Launches SEES IR Support)
function(cudaopt_room name)
  cmake_parse_arguments(PARSE_ARGV 1 room "" "" "SEES;LIBRARIES")
  string(TOLOWER ${name} lower)
  set(target cudaopt_${lower})
  set(headers ${PROJECT_SOURCE_DIR}/include/cudaopt/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${name}/*.cpp)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS
    ${name}/*.cpp ${name}/*.h ${headers}/*.h ${headers}/*.def)
  add_library(${target} STATIC ${sources})
  # Its own headers are named from the room's folder: "Build/Lowering.h".
  target_include_directories(${target} PRIVATE ${name})

  set(seen ${room_SEES})
  set(libraries ${room_LIBRARIES})
  foreach(other IN LISTS room_SEES)
    get_property(more GLOBAL PROPERTY CUDAOPT_${other}_SEES)
    list(APPEND seen ${more})
    get_property(more GLOBAL PROPERTY CUDAOPT_${other}_LIBRARIES)
    list(APPEND libraries ${more})
    string(TOLOWER ${other} other)
    target_link_libraries(${target} PUBLIC cudaopt_${other})
  endforeach()
  target_link_libraries(${target} PUBLIC ${room_LIBRARIES})
  list(REMOVE_DUPLICATES seen)
  list(FILTER libraries INCLUDE REGEX "^cudaopt_")
  list(REMOVE_DUPLICATES libraries)
  set_property(GLOBAL PROPERTY CUDAOPT_${name}_SEES ${seen})
  set_property(GLOBAL PROPERTY CUDAOPT_${name}_LIBRARIES ${libraries})
  set_property(GLOBAL APPEND PROPERTY CUDAOPT_ROOMS ${name})

  if(cudaopt_clang IN_LIST libraries)
    list(APPEND libraries cudaopt_llvm)
    # clang's headers take most of the time that a file takes.
    if(NOT name STREQUAL Support)
      target_precompile_headers(${target} REUSE_FROM cudaopt_support)
    endif()
  endif()

  set(stamp ${CMAKE_CURRENT_BINARY_DIR}/${name}.includes)
  add_custom_command(OUTPUT ${stamp}
    COMMAND ${CMAKE_COMMAND} -DROOM=${name} "-DSEEN=${seen}"
            "-DLIBRARIES=${libraries}" -DSTAMP=${stamp}
            -DROOT=${PROJECT_SOURCE_DIR}
            -P ${PROJECT_SOURCE_DIR}/cmake/CheckIncludes.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/CheckIncludes.cmake
    COMMENT "Checking what ${name} includes" VERBATIM)
  add_custom_target(${target}_includes DEPENDS ${stamp})
  add_dependencies(${target} ${target}_includes)
endfunction()
