// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Pairs of kernels in LLVM IR, and verdicts on them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_UNIT_EQUIVALENCE_KERNELPAIR_H
#define CUDAOPT_TEST_UNIT_EQUIVALENCE_KERNELPAIR_H

#include "cudaopt/Equivalence/Equivalence.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <memory>
#include <string>

namespace cudaopt {

/// A module with one kernel, k, ready to run.
struct Loaded {
  explicit Loaded(const std::string &Text) {
    llvm::SMDiagnostic Diagnostic;
    auto M = llvm::parseAssemblyString(Text, Diagnostic, Context);
    if (!M) {
      ADD_FAILURE() << Diagnostic.getLineContents().str() << ": "
                    << Diagnostic.getMessage().str();
      return;
    }
    auto Loaded = simt::DeviceImage::load(std::move(M), Memory);
    if (!Loaded) {
      ADD_FAILURE() << llvm::toString(Loaded.takeError());
      return;
    }
    Image = std::move(*Loaded);
  }

  llvm::LLVMContext Context;
  DeviceMemory Memory;
  std::unique_ptr<simt::DeviceImage> Image;
};

inline constexpr char Head[] = R"(
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @vprintf(ptr, ptr)
)";
/// A kernel whose body knows %t, its thread, and the element %p of %out that
/// belongs to it.
inline std::string kernel(const std::string &Parameters,
                          const std::string &Body,
                          const std::string &Globals = "") {
  return std::string(Head) + Globals + "define ptx_kernel void @k(ptr %out" +
         Parameters +
         ") {\n"
         "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
         "%p = getelementptr float, ptr %out, i32 %t\n" +
         Body + "ret void\n}\n";
}

inline constexpr char Barrier[] =
    "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";

/// A kernel that reverses a block of 64 floats through shared memory.
struct Reverse {
  unsigned Size = 64;  ///< Elements of the shared array.
  int WriteOffset = 0; ///< Thread t writes element t + WriteOffset,
  int ReadOffset = 63; ///< and reads element ReadOffset - t.
  std::string Between = Barrier;

  operator std::string() const {
    std::string Array = "[" + std::to_string(Size) + " x float]";
    return std::string(Head) + "@s = internal addrspace(3) global " + Array +
           " undef, align 4\n"
           "define ptx_kernel void @k(ptr %out, ptr %in) {\n"
           "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
           "%from = getelementptr float, ptr %in, i32 %t\n"
           "%v = load float, ptr %from\n"
           "%w = add i32 %t, " +
           std::to_string(WriteOffset) +
           "\n"
           "%ws = getelementptr " +
           Array +
           ", ptr addrspace(3) @s, i32 0, i32 %w\n"
           "store float %v, ptr addrspace(3) %ws\n" +
           Between + "%r = sub i32 " + std::to_string(ReadOffset) +
           ", %t\n"
           "%rs = getelementptr " +
           Array +
           ", ptr addrspace(3) @s, i32 0, i32 %r\n"
           "%x = load float, ptr addrspace(3) %rs\n"
           "%to = getelementptr float, ptr %out, i32 %t\n"
           "store float %x, ptr %to\n"
           "ret void\n}\n";
  }
};

/// Stores \p Value where the input is positive.
inline std::string positive(const char *Value) {
  return kernel(", ptr %in", std::string("%f = getelementptr float, ptr %in, "
                                         "i32 %t\n"
                                         "%v = load float, ptr %f\n"
                                         "%c = fcmp ogt float %v, 0.0\n"
                                         "br i1 %c, label %yes, label %no\n"
                                         "yes:\nstore float ") +
                                 Value + ", ptr %p\nbr label %no\nno:\n");
}

inline Verdict compare(const std::string &Before, const std::string &After,
                       LaunchShape Shape = {{1, 1, 1}, {64, 1, 1}, 0, false},
                       EquivalenceOptions Options = {}) {
  Loaded Original(Before), Rewritten(After);
  if (!Original.Image || !Rewritten.Image)
    return {};
  return compareKernels(*Original.Image, Original.Memory, *Rewritten.Image,
                        Rewritten.Memory, "k", Shape, Options);
}

#define EXPECT_VERDICT(WANTED, VERDICT)                                        \
  EXPECT_EQ(VerdictKind::WANTED, (VERDICT).Kind)                               \
      << nameOf((VERDICT).Kind).str() << ": " << (VERDICT).Detail

inline testing::AssertionResult tells(const std::string &Text,
                                      const char *Part) {
  if (Text.find(Part) != std::string::npos)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << Text;
}

} // namespace cudaopt

#endif // CUDAOPT_TEST_UNIT_EQUIVALENCE_KERNELPAIR_H
