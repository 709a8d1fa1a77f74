// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The module that clang makes of the device side, libdevice linked in, before
/// any pass. clang's own action for this brings along the passes and the code
/// generators of LLVM: a third of a program that is linked to archives.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_DEVICEMODULE_H
#define CUDAOPT_LIB_FRONTEND_DEVICEMODULE_H

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <memory>

namespace cudaopt {

/// Null if there is none; the diagnostics of \p CI say why.
std::unique_ptr<llvm::Module> makeDeviceModule(clang::CompilerInstance &CI,
                                               llvm::LLVMContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_DEVICEMODULE_H
