// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes findings as LLVM remarks, which llvm-remarkutil, opt-viewer and other
/// tools read.
//===----------------------------------------------------------------------===//

#include "cudaopt/Report/Remarks.h"
#include "cudaopt/Report/Writers.h"

#include "llvm/Remarks/Remark.h"
#include "llvm/Remarks/RemarkSerializer.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace cudaopt {

static remarks::Type getType(const Finding &F) {
  switch (F.outcome()) {
  case Outcome::Done:
    return remarks::Type::Passed;
  case Outcome::Missed:
  case Outcome::Proposed:
    return remarks::Type::Missed;
  case Outcome::Fact:
    return remarks::Type::Analysis;
  }
  llvm_unreachable("unknown outcome");
}

/// Returns "layout-changed" in the form of LLVM's remark names,
/// "LayoutChanged".
static std::string toCamelCase(StringRef Id) {
  std::string Result;
  bool IsStart = true;
  for (char C : Id) {
    if (C != '-')
      Result += IsStart ? toUpper(C) : C;
    IsStart = C == '-';
  }
  return Result;
}

/// Adds the message, split at its arguments.
static void addArguments(const Finding &F, remarks::Remark &R) {
  StringRef Text = getText(F.What);
  while (!Text.empty()) {
    const auto [Head, Tail] = Text.split('%');
    if (!Head.empty())
      R.Args.push_back({"String", Head});
    Text = Tail;
    if (Text.empty())
      break;
    const Finding::Argument &Each = F.Arguments[Text.front() - '0'];
    R.Args.push_back({Each.Name, Each.Value});
    Text = Text.drop_front();
  }
}

Error writeRecord(ArrayRef<FileReport> Files, remarks::Format Format,
                  raw_ostream &OS) {
  Expected<std::unique_ptr<remarks::RemarkSerializer>> Serializer =
      remarks::createRemarkSerializer(Format, OS);
  if (!Serializer)
    return Serializer.takeError();
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  for (const FileReport &File : Files)
    for (const Finding *F : listFindings(File)) {
      remarks::Remark R;
      R.RemarkType = getType(*F);
      R.PassName = Saver.save(getRemarkPass(*F));
      R.RemarkName = Saver.save(toCamelCase(F->id()));
      R.FunctionName = F->Function;
      if (F->At.isKnown())
        R.Loc = {F->At.Path, F->At.Line, F->At.Column};
      addArguments(*F, R);
      (*Serializer)->emit(R);
    }
  (*Serializer)->finalize();
  return Error::success();
}

} // namespace cudaopt
