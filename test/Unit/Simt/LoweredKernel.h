// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A kernel given as LLVM IR and what it becomes, as text.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_SIMT_LOWEREDKERNEL_H
#define CUDAOPT_TEST_SIMT_LOWEREDKERNEL_H

#include "cudaopt/Simt/Lower.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SourceMgr.h"
#include <cstring>
#include <string>

namespace cudaopt::simt {

/// A module with a kernel @k, whose line is 7 wherever ", !dbg !7" stands. !8
/// is line 3 of a header, inlined at line 7.
class Lowered {
public:
  Lowered(const std::string &Parameters, const std::string &Body,
          const std::string &Globals = "", LowerOptions Options = {}) {
    std::string Text =
        "target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-"
        "v32:32-n16:32:64\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n" +
        Globals + "\ndefine ptx_kernel void @k(" + Parameters +
        ") \"target-cpu\"=\"sm_90\" !dbg !3 {\n" + Body + "\nret void\n}\n" +
        R"(!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1,
                             emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !5, unit: !0,
                            spFlags: DISPFlagDefinition)
!4 = distinct !DISubprogram(name: "f", file: !6, line: 1, type: !5, unit: !0,
                            spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{})
!6 = !DIFile(filename: "/sys/h.h", directory: "/")
!7 = !DILocation(line: 7, column: 3, scope: !3)
!8 = !DILocation(line: 3, column: 1, scope: !4, inlinedAt: !7)
)";
    llvm::SMDiagnostic Diagnostic;
    auto M = llvm::parseAssemblyString(Text, Diagnostic, Context);
    if (!M) {
      Error = Diagnostic.getMessage().str() + ": " +
              Diagnostic.getLineContents().str();
      return;
    }
    auto Loaded = DeviceImage::load(std::move(M), Memory, std::move(Options));
    if (!Loaded) {
      Error = toString(Loaded.takeError());
      return;
    }
    Image = std::move(*Loaded);
    auto Found = Image->kernel("k");
    if (Found)
      P = &*Found;
    else
      Error = toString(Found.takeError());
  }

  /// The operations, one a line, without the place.
  std::string text() const {
    if (!P)
      return "error: " + Error;
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    P->print(OS);
    std::string Result;
    for (llvm::StringRef Line : llvm::split(Text, '\n')) {
      Line = Line.split("  ; /").first.split("  ; a.cu").first;
      if (Line.starts_with("bb") || (Line.starts_with("  ") && isBody(Line)))
        Result += withConstants(Line.ltrim()) + "\n";
    }
    return Result;
  }
  bool has(llvm::StringRef Part) const {
    return llvm::StringRef(text()).contains(Part);
  }
  const Operation *find(Opcode Code) const {
    for (const Block &B : P->Blocks)
      for (const Operation &O : B.Operations)
        if (O.Code == Code)
          return &O;
    return nullptr;
  }
  /// The first constant that \p B stores.
  int64_t storedIn(const Block &B) const {
    for (const Operation &O : B.Operations)
      for (auto [Constant, Value] : P->Constants)
        if (O.Code == Opcode::Store && O.B == Constant)
          return static_cast<int64_t>(Value);
    return 0;
  }
  template <class T> T bytesOf(llvm::StringRef Variable, size_t At = 0) {
    T Value = {};
    if (const auto *A = Image->variable(Variable))
      std::memcpy(&Value, A->Data + At, sizeof(T));
    return Value;
  }

  llvm::LLVMContext Context;
  DeviceMemory Memory;
  std::unique_ptr<DeviceImage> Image;
  const Program *P = nullptr;
  std::string Error;

private:
  bool isBody(llvm::StringRef Line) const {
    return !llvm::Regex("^  (%[0-9]+ = (parameter|[0-9])|shared )").match(Line);
  }
  std::string withConstants(llvm::StringRef Line) const {
    std::string Result;
    llvm::SmallVector<llvm::StringRef, 3> Match;
    while (llvm::Regex("%([0-9]+)").match(Line, &Match)) {
      Result += Line.take_front(Match[0].data() - Line.data());
      Result += registerText(Match[1]);
      Line = Line.drop_front(Match[0].end() - Line.data());
    }
    return Result + Line.str();
  }
  std::string registerText(llvm::StringRef Number) const {
    Register R = 0;
    Number.getAsInteger(10, R);
    for (auto [Constant, Value] : P->Constants)
      if (Constant == R)
        return "#" + std::to_string(Value);
    return "%" + Number.str();
  }
};

} // namespace cudaopt::simt

#endif // CUDAOPT_TEST_SIMT_LOWEREDKERNEL_H
