// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A kernel given as LLVM IR, run on buffers.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_SIMT_KERNELRUN_H
#define CUDAOPT_TEST_SIMT_KERNELRUN_H

#include "cudaopt/Simt/Executor.h"
#include "cudaopt/Simt/Lower.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include <cstring>
#include <gtest/gtest.h>
#include <string>

namespace cudaopt::simt {

/// Parses and holds a kernel @k. In its body, "; 7" at the end of a line puts
/// the instruction into line 7.
class KernelRun {
public:
  KernelRun(const std::string &Globals, const std::string &Parameters,
            const std::string &Body) {
    std::string Text = Prologue + Globals + "define ptx_kernel void @k(" +
                       Parameters + ") !dbg !3 {\n" + placed(Body) + "}\n" +
                       Epilogue;
    llvm::SMDiagnostic Error;
    auto M = llvm::parseAssemblyString(Text, Error, Context);
    if (!M) {
      ADD_FAILURE() << Error.getMessage().str() << " in "
                    << Error.getLineContents().str();
      return;
    }
    auto Loaded = DeviceImage::load(std::move(M), Memory);
    if (!Loaded) {
      ADD_FAILURE() << llvm::toString(Loaded.takeError());
      return;
    }
    Image = std::move(*Loaded);
    auto Lowered = Image->kernel("k");
    if (!Lowered)
      ADD_FAILURE() << llvm::toString(Lowered.takeError());
    else
      P = &*Lowered;
  }

  /// A buffer of \p Count elements, passed as the next argument; the elements
  /// are 0, 1, ...
  template <class T = uint32_t> void addBuffer(size_t Count) {
    auto &A = Memory.allocate(StateSpace::Global, Count * sizeof(T),
                              "buffer " + std::to_string(Buffers.size()));
    Buffers.push_back(&A);
    addScalar(A.Address);
    for (size_t I = 0; I < Count; ++I) {
      T Value = static_cast<T>(I);
      std::memcpy(A.Data + I * sizeof(T), &Value, sizeof(T));
    }
  }
  template <class T> void addScalar(T Value) {
    L.Arguments.emplace_back();
    L.Arguments.back().Bytes.resize(sizeof(T));
    std::memcpy(L.Arguments.back().Bytes.data(), &Value, sizeof(T));
  }
  /// Makes each word of a buffer a symbol.
  void makeSymbolic(size_t Buffer, uint32_t Input) {
    DeviceMemory::Allocation &A = *Buffers[Buffer];
    A.Tags.resize(A.Size);
    for (uint32_t Offset = 0; Offset < A.Size; Offset += 4)
      for (unsigned I = 0; I < 4; ++I)
        A.Tags[Offset + I] = tagOf(Terms->symbol(Input, Offset, 32), I);
  }

  RunResult run() {
    if (!P)
      return {RunStatus::Unsupported, "no kernel", {}, {}};
    return simt::run(*P, L, Memory, Options, Terms);
  }
  template <class T = uint32_t> T at(size_t Buffer, size_t Index) const {
    T Value;
    std::memcpy(&Value, Buffers[Buffer]->Data + Index * sizeof(T), sizeof(T));
    return Value;
  }

  DeviceMemory Memory;
  std::vector<DeviceMemory::Allocation *> Buffers;
  Launch L;
  ExecutorOptions Options;
  TermTable *Terms = nullptr;
  const Program *P = nullptr;

private:
  static std::string placed(const std::string &Body) {
    std::string Text, Line;
    for (char C : Body) {
      if (C != '\n') {
        Line += C;
        continue;
      }
      if (size_t Mark = Line.find(" ; "); Mark != std::string::npos)
        Line = Line.substr(0, Mark) +
               ", !dbg !DILocation(line: " + Line.substr(Mark + 3) +
               ", column: 1, scope: !3)";
      Text += Line + '\n';
      Line.clear();
    }
    return Text;
  }

  static constexpr const char *Prologue = R"(
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32 immarg)
declare void @llvm.trap()
declare void @__assertfail(ptr, ptr, i32, ptr, i64)
declare i32 @vprintf(ptr, ptr)
)";
  static constexpr const char *Epilogue = R"(
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!4}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "")
!2 = !DISubroutineType(types: !{})
!3 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!4 = !{i32 2, !"Debug Info Version", i32 3}
)";

  llvm::LLVMContext Context;
  std::unique_ptr<DeviceImage> Image;
};

} // namespace cudaopt::simt

#endif // CUDAOPT_TEST_SIMT_KERNELRUN_H
