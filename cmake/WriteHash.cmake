# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DFILE=f -DOUTPUT=h -P WriteHash.cmake: writes a header that defines
# CUDAOPT_PLUGIN_HASH as the hash of a file.
file(SHA256 ${FILE} hash)
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define CUDAOPT_PLUGIN_HASH \"${hash}\"\n")
