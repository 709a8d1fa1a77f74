// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A front-end action that stops after code generation and links bitcode files
/// (libdevice) itself.
//===----------------------------------------------------------------------===//

#include "DeviceModule.h"
#include "cudaopt/Driver/Parse/SharedBarriers.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/FrontendAction.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;

namespace clang::CodeGen {
/// This function is clang's, but no header declares it. It gives \p F the
/// target's attributes, such as the GPU, that clang's own functions have by
/// default.
void mergeDefaultFunctionDefinitionAttributes(Function &F,
                                              const CodeGenOptions &,
                                              const LangOptions &,
                                              const TargetOptions &,
                                              bool WillInternalize);
} // namespace clang::CodeGen

namespace {

using FileToLink = clang::CodeGenOptions::BitcodeFileToLink;

/// Reports link errors as diagnostics of clang, and drops warnings, as clang
/// does.
class LinkMessages : public DiagnosticHandler {
public:
  LinkMessages(clang::DiagnosticsEngine &Diags, StringRef File)
      : Diags(Diags), File(File) {}
  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    if (Info.getSeverity() != DS_Error)
      return true;
    std::string Text;
    raw_string_ostream OS(Text);
    DiagnosticPrinterRawOStream Printer(OS);
    Info.print(Printer);
    Diags.Report(clang::diag::err_fe_linking_module) << File << Text;
    return true;
  }

private:
  clang::DiagnosticsEngine &Diags;
  StringRef File;
};

class DeviceModuleAction : public clang::ASTFrontendAction {
public:
  explicit DeviceModuleAction(LLVMContext &Context) : Context(Context) {}
  std::unique_ptr<Module> M;

protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, StringRef File) override {
    std::unique_ptr<clang::CodeGenerator> Result =
        clang::CreateLLVMCodeGen(CI, File, Context);
    Generator = Result.get();
    return cudaopt::acceptSharedBarriers(std::move(Result));
  }

  void EndSourceFileAction() override {
    M = Generator->ReleaseModule();
    for (const FileToLink &File :
         getCompilerInstance().getCodeGenOpts().LinkBitcodeFiles)
      if (M && !link(File))
        M.reset();
  }

private:
  bool link(const FileToLink &File);
  std::unique_ptr<Module> read(const FileToLink &File);

  LLVMContext &Context;
  /// Owned by the compiler instance.
  clang::CodeGenerator *Generator = nullptr;
};

} // namespace

/// Opens a bitcode file lazily: only the functions that are linked get read.
std::unique_ptr<Module> DeviceModuleAction::read(const FileToLink &File) {
  clang::CompilerInstance &CI = getCompilerInstance();
  auto Refuse = [&](const std::string &Why) {
    CI.getDiagnostics().Report(clang::diag::err_cannot_open_file)
        << File.Filename << Why;
    return nullptr;
  };
  auto Buffer = CI.getFileManager().getBufferForFile(File.Filename);
  if (!Buffer)
    return Refuse(Buffer.getError().message());
  auto Result = getOwningLazyBitcodeModule(std::move(*Buffer), Context);
  if (!Result)
    return Refuse(toString(Result.takeError()));
  return std::move(*Result);
}

bool DeviceModuleAction::link(const FileToLink &File) {
  clang::CompilerInstance &CI = getCompilerInstance();
  std::unique_ptr<Module> From = read(File);
  if (!From)
    return false;
  if (File.PropagateAttrs)
    for (Function &F : *From)
      if (!F.isIntrinsic())
        clang::CodeGen::mergeDefaultFunctionDefinitionAttributes(
            F, CI.getCodeGenOpts(), CI.getLangOpts(), CI.getTargetOpts(),
            File.Internalize);
  auto Internalize = [](Module &Whole, const StringSet<> &Linked) {
    internalizeModule(Whole, [&](const GlobalValue &V) {
      return !V.hasName() || !Linked.contains(V.getName());
    });
  };
  std::unique_ptr<DiagnosticHandler> Others = Context.getDiagnosticHandler();
  Context.setDiagnosticHandler(
      std::make_unique<LinkMessages>(CI.getDiagnostics(), File.Filename));
  const bool HasFailed =
      File.Internalize
          ? Linker::linkModules(*M, std::move(From), File.LinkFlags,
                                Internalize)
          : Linker::linkModules(*M, std::move(From), File.LinkFlags);
  Context.setDiagnosticHandler(std::move(Others));
  return !HasFailed;
}

std::unique_ptr<Module> cudaopt::makeDeviceModule(clang::CompilerInstance &CI,
                                                  LLVMContext &Context) {
  DeviceModuleAction Action(Context);
  if (!CI.ExecuteAction(Action))
    return nullptr;
  return std::move(Action.M);
}
