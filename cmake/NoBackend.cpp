// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Functions that clang asks for when it parses and makes LLVM IR, for flags
/// that have no meaning for the device side of CUDA. They bring along all
/// passes of LLVM, and what reads and writes another format. These definitions
/// are weak: a program that uses more of the same archives has clang's own.
//===----------------------------------------------------------------------===//

#include "clang/APINotes/APINotesYAMLCompiler.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/CodeGen/BackendUtil.h"
#include "llvm/Support/ErrorHandling.h"

/// A host side takes such objects in.
[[gnu::weak]] void clang::EmbedObject(llvm::Module *,
                                      const CodeGenOptions &Options,
                                      llvm::vfs::FileSystem &,
                                      DiagnosticsEngine &) {
  if (!Options.OffloadObjects.empty())
    llvm::report_fatal_error("no objects can be embedded");
}

/// Notes on headers of Objective-C: returns that they are wrong.
[[gnu::weak]] bool
clang::api_notes::compileAPINotes(llvm::StringRef, const FileEntry *,
                                  llvm::raw_ostream &,
                                  llvm::SourceMgr::DiagHandlerTy, void *) {
  return true;
}
