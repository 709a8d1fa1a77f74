// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Archives of LLVM that were built with Polly ask for it. It has an isl of its
/// own, which must not meet ours in one program.
//===----------------------------------------------------------------------===//

#include "llvm/Plugins/PassPlugin.h"

llvm::PassPluginLibraryInfo getPollyPluginInfo();

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "no-polly", LLVM_VERSION_STRING,
          [](llvm::PassBuilder &) {}, nullptr};
}
