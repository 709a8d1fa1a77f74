// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Generates the LLVM module of the device side, linked with libdevice, before
/// any pass. It exists because clang's own action for this also links LLVM's
/// passes and code generators into the program: a third of its size with static
/// archives.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PIPELINE_DEVICEMODULE_H
#define CUDAOPT_LIB_DRIVER_PIPELINE_DEVICEMODULE_H

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <memory>

namespace cudaopt {

/// Returns the module; null on failure, which the diagnostics of \p CI explain.
std::unique_ptr<llvm::Module> makeDeviceModule(clang::CompilerInstance &CI,
                                               llvm::LLVMContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PIPELINE_DEVICEMODULE_H
