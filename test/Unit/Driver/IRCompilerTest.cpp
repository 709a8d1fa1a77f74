// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Modules of both sides, from files and from texts in memory.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Pipeline/IRCompiler.h"

#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace cudaopt;
using namespace llvm;

namespace {

constexpr char Text[] = R"(#include "cuda.h"
__device__ int variable;
__global__ void kernel(int *out) { *out = 1 + threadIdx.x; }
void launch(int *out) { kernel<<<1, 32>>>(out); }
)";

std::unique_ptr<Module> emitModule(clang::CompilerInstance &CI,
                                   LLVMContext &Context) {
  clang::EmitLLVMOnlyAction Action(&Context);
  return CI.ExecuteAction(Action) ? Action.takeModule() : nullptr;
}

/// Compiles a file that need not exist, with the tests' own cuda.h.
class IRCompilerTest : public testing::Test {
protected:
  IRCompiler create(StringRef File, std::vector<std::string> Flags = {}) {
    for (const char *Flag :
         {"-nocudainc", "-nocudalib", "-I" CUDAOPT_TEST_DIR "/Inputs"})
      Flags.push_back(Flag);
    Input In;
    In.File = File.str();
    In.Command = cantFail(readNvccCommand(Flags));
    return cantFail(IRCompiler::create(In, "cuda-opt", "sm_90"));
  }
  std::unique_ptr<Module> compile(const IRCompiler &Compiler) {
    Expected<std::unique_ptr<Module>> M = Compiler.compileDevice(Context);
    if (M)
      return std::move(*M);
    ADD_FAILURE() << toString(M.takeError());
    return nullptr;
  }

  LLVMContext Context;
};

TEST_F(IRCompilerTest, TheDeviceIsNotOptimizedYetMayBe) {
  IRCompiler Compiler = create("memory.cu", {"-O3", "-g"});
  Compiler.replaceFile("memory.cu", Text);
  std::unique_ptr<Module> M = compile(Compiler);
  ASSERT_TRUE(M);
  const Function *F = M->getFunction("_Z6kernelPi");
  ASSERT_TRUE(F);
  EXPECT_FALSE(F->hasOptNone());
  EXPECT_TRUE(isa<AllocaInst>(F->getEntryBlock().front()));
  EXPECT_EQ(F->getArg(0)->getName(), "out");
  ASSERT_TRUE(F->getSubprogram());
  EXPECT_EQ(F->getSubprogram()->getLine(), 3u);
  EXPECT_EQ(F->getEntryBlock().back().getDebugLoc().getLine(), 3u);
}

TEST_F(IRCompilerTest, TheHostRegistersTheToken) {
  IRCompiler Compiler = create("memory.cu");
  Compiler.replaceFile("memory.cu", Text);
  Expected<std::unique_ptr<Module>> M =
      Compiler.compileHost(Context, "the token", emitModule);
  ASSERT_TRUE(bool(M)) << toString(M.takeError());
  EXPECT_TRUE((*M)->getFunction("__cudaRegisterFatBinary"));
  EXPECT_TRUE((*M)->getFunction("__cudaRegisterFunction"));
  EXPECT_TRUE((*M)->getFunction("__cudaRegisterVar"));
  EXPECT_TRUE(any_of((*M)->globals(), [](const GlobalVariable &G) {
    auto *Data = G.hasInitializer()
                     ? dyn_cast<ConstantDataArray>(G.getInitializer())
                     : nullptr;
    return Data && Data->isString() && Data->getAsString() == "the token";
  }));
}

TEST_F(IRCompilerTest, AFileIsReplacedUnderAllItsNames) {
  SmallString<128> Folder, Real, Link;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("ir-compiler", Folder));
  (Real = Folder).append("/real.cu");
  (Link = Folder).append("/link.cu");
  std::error_code EC;
  raw_fd_ostream(Real, EC) << "__attribute__((device)) int before;\n";
  ASSERT_FALSE(EC);
  ASSERT_FALSE(sys::fs::create_link(Real, Link));

  IRCompiler Compiler = create(Link);
  std::unique_ptr<Module> M = compile(Compiler);
  EXPECT_TRUE(M && M->getNamedGlobal("before"));
  // Longer than the file.
  Compiler.replaceFile(Real, std::string(100, ' ') +
                                 "__attribute__((device)) int after;\n");
  M = compile(Compiler);
  EXPECT_TRUE(M && M->getNamedGlobal("after"));
  EXPECT_FALSE(M && M->getNamedGlobal("before"));
  sys::fs::remove_directories(Folder);
}

TEST_F(IRCompilerTest, TheFirstErrorsAreTold) {
  IRCompiler Compiler = create("memory.cu");
  std::string Errors;
  for (int I = 0; I != 50; ++I)
    Errors += "int x" + std::to_string(I) + " = y;\n";
  Compiler.replaceFile("memory.cu", Errors);
  std::string Message = toString(Compiler.compileDevice(Context).takeError());
  EXPECT_TRUE(
      StringRef(Message).contains("memory.cu:1:10: error: use of undeclared"))
      << Message;
  EXPECT_EQ(count(Message, '\n'), 19);
}

TEST_F(IRCompilerTest, AFlagThatClangDoesNotKnowIsAnError) {
  IRCompiler Compiler = create("memory.cu", {"-fnonsense"});
  Compiler.replaceFile("memory.cu", Text);
  std::string Message = toString(Compiler.compileDevice(Context).takeError());
  EXPECT_TRUE(StringRef(Message).contains("unknown argument: '-fnonsense'"))
      << Message;
}

TEST_F(IRCompilerTest, SystemFilesAreThoseThatTheUserDidNotWrite) {
  IRCompiler Compiler = create("memory.cu", {"-isystem", "/opt/library"});
  EXPECT_TRUE(Compiler.isSystemFile("/usr/include/stdio.h"));
  EXPECT_TRUE(Compiler.isSystemFile("/opt/other/../library/a.h"));
  EXPECT_FALSE(Compiler.isSystemFile("/opt/librarything/a.h"));
  EXPECT_FALSE(Compiler.isSystemFile("memory.cu"));
}

} // namespace
