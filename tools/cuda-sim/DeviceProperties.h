// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// cudaGetDeviceProperties as source text. The layout of cudaDeviceProp depends
/// on the version of the program's toolkit, so that the function is compiled
/// with the headers of that toolkit.
//===----------------------------------------------------------------------===//

#ifndef CUDASIM_DEVICEPROPERTIES_H
#define CUDASIM_DEVICEPROPERTIES_H

#include "llvm/ADT/StringRef.h"

namespace cudaopt::cudasim {

/// Returns true for the symbols that different toolkits give to the function.
bool isDeviceProperties(llvm::StringRef Symbol);

llvm::StringRef getDevicePropertiesPath();
llvm::StringRef getDevicePropertiesText();

} // namespace cudaopt::cudasim

#endif // CUDASIM_DEVICEPROPERTIES_H
