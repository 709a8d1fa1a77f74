// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// LLVM assembly with places in a source file, and what the check of the code
/// says of it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_UNIT_CHECK_ASSEMBLYCODE_H
#define CUDAOPT_TEST_UNIT_CHECK_ASSEMBLYCODE_H

#include "cudaopt/Check/DeviceCheck.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include "gtest/gtest.h"

namespace cudaopt::check {

/// Mistakes of a kind.
constexpr size_t LeastOfAKind = 12;

/// Gives each line that ends in "; LINE:COLUMN" that place.
inline std::string addPlaces(llvm::StringRef Text) {
  std::string Body, Places;
  unsigned Next = 10;
  llvm::SmallVector<llvm::StringRef, 64> Lines;
  Text.split(Lines, '\n');
  for (llvm::StringRef Line : Lines) {
    auto [Code, At] = Line.rsplit(" ; ");
    if (At.empty()) {
      Body += Line.str() + "\n";
      continue;
    }
    auto [Row, Column] = At.split(':');
    const std::string Id = "!" + std::to_string(Next++);
    Body += (Code + ", !dbg " + Id + "\n").str();
    Places += (Id + " = !DILocation(line: " + Row + ", column: " + Column +
               ", scope: !4)\n")
                  .str();
  }
  return Body + R"(
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !DISubroutineType(types: !5)
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!5 = !{}
)" + Places;
}

struct Code {
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;

  explicit Code(llvm::StringRef Text) {
    llvm::SMDiagnostic Problem;
    M = llvm::parseAssemblyString(addPlaces(Text), Problem, Context);
    if (!M)
      ADD_FAILURE() << Problem.getMessage().str() << " in line "
                    << Problem.getLineNo() << ": "
                    << Problem.getLineContents().str();
  }
};

inline SourcePoint at(unsigned Line, unsigned Column) {
  return {"a.cu", Line, Column};
}

/// Of a kernel `k` that uses arrays `a` and `b`.
inline std::optional<Disagreement> compare(llvm::StringRef Text,
                                           const KernelClaims &Claims) {
  Code C(Text);
  if (!C.M)
    return std::nullopt;
  SymbolTable Symbols;
  Symbols.Variables["a"] = {"a", at(1, 20)};
  Symbols.Variables["b"] = {"b", at(2, 20)};
  return DeviceCheck(*C.M, std::move(Symbols)).compare(Claims);
}

} // namespace cudaopt::check

#endif // CUDAOPT_TEST_UNIT_CHECK_ASSEMBLYCODE_H
