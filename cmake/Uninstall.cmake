# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The target uninstall: removes the files that installations from this build, the
# working folder, have noted in their manifests, then the folders of our name that
# are empty because of that.
file(GLOB manifests install_manifest*.txt)
if(NOT manifests)
  message(FATAL_ERROR "nothing was installed from this build: it has no "
    "install_manifest.txt")
endif()

set(installed)
foreach(manifest IN LISTS manifests)
  file(STRINGS ${manifest} files)
  list(APPEND installed ${files})
endforeach()
list(REMOVE_DUPLICATES installed)

set(folders)
foreach(file IN LISTS installed)
  set(path "$ENV{DESTDIR}${file}")
  if(EXISTS "${path}" OR IS_SYMLINK "${path}")
    file(REMOVE "${path}")
    if(EXISTS "${path}" OR IS_SYMLINK "${path}")
      message(FATAL_ERROR "cannot remove ${path}")
    endif()
    message(STATUS "Removed ${path}")
  endif()
  get_filename_component(folder "${path}" DIRECTORY)
  list(APPEND folders "${folder}")
endforeach()

# Others may expect to find lib, or an empty bin.
set(own "/(cuda-opt|cudaopt|CudaOpt)(/|$)")

# The deepest first; a parent is looked at when its last child is gone.
list(REMOVE_DUPLICATES folders)
list(FILTER folders INCLUDE REGEX "${own}")
while(folders)
  set(parents)
  foreach(folder IN LISTS folders)
    file(GLOB entries LIST_DIRECTORIES true "${folder}/*" "${folder}/.*")
    list(FILTER entries EXCLUDE REGEX "/\\.\\.?$")
    if(IS_DIRECTORY "${folder}" AND NOT IS_SYMLINK "${folder}" AND NOT entries)
      file(REMOVE_RECURSE "${folder}")
      get_filename_component(parent "${folder}" DIRECTORY)
      list(APPEND parents "${parent}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES parents)
  list(FILTER parents INCLUDE REGEX "${own}")
  set(folders ${parents})
endwhile()
file(REMOVE ${manifests})
