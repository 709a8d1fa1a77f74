// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// cudaGetDeviceProperties as source text: the layout of cudaDeviceProp is that
/// of the program's own toolkit, so its compiler fills the struct.
//===----------------------------------------------------------------------===//

#ifndef CUDASIM_DEVICEPROPERTIES_H
#define CUDASIM_DEVICEPROPERTIES_H

#include "llvm/ADT/StringRef.h"

namespace cudaopt::cudasim {

/// True for the names that toolkits give to the function.
bool isDeviceProperties(llvm::StringRef Symbol);

llvm::StringRef getDevicePropertiesPath();
llvm::StringRef getDevicePropertiesText();

} // namespace cudaopt::cudasim

#endif // CUDASIM_DEVICEPROPERTIES_H
