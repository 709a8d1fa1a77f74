// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads the record of a run.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Tune/ProgramRun.h"

#include "cudaopt/Passes/KernelChoices.h"
#include "cudaopt/Support/NvccSymbol.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include <cstdlib>
#include <vector>

using namespace cudaopt;
using namespace llvm;

/// The meter of a GPU is renewed ten times a second or less.
static constexpr double LeastSecondsOfEnergy = 0.5;

double ProgramRun::seconds() const {
  double Sum = 0;
  for (const auto &[Name, Kernel] : Kernels)
    Sum += Kernel.Seconds;
  return Sum;
}

/// Returns what \p Get writes, which LLVM's demangler allocates.
template <class Getter> static std::string take(Getter Get) {
  size_t Size = 0;
  char *const Text = Get(nullptr, &Size);
  std::string Result = Text ? Text : "";
  std::free(Text);
  return Result;
}

/// Returns the C++ symbol in \p Symbol, without what compilers add for names of
/// one file: nvcc -rdc "__nv_static_26__hash__Z4statPf", clang
/// "_Z4statPf__static__hash".
static StringRef dropFileMarks(StringRef Symbol) {
  Symbol = dropNvccFileMark(Symbol);
  for (StringRef Mark : {"__static__", "__intern__"})
    Symbol = Symbol.take_front(Symbol.rfind(Mark));
  return Symbol;
}

std::string cudaopt::nameInSource(StringRef Symbol) {
  const std::string Text = dropFileMarks(Symbol).str();
  ItaniumPartialDemangler Demangler; // It refers to Text.
  if (!StringRef(Text).starts_with("_Z") ||
      Demangler.partialDemangle(Text.c_str()) || !Demangler.isFunction())
    return Text; // A function of C.
  const std::string Around = take([&](char *Buffer, size_t *Size) {
    return Demangler.getFunctionDeclContextName(Buffer, Size);
  });
  const std::string Name = take([&](char *Buffer, size_t *Size) {
    return Demangler.getFunctionBaseName(Buffer, Size);
  });
  return dropUnnamedNamespaces(Around.empty() ? Name : Around + "::" + Name);
}

/// Returns true if \p Short is \p Long without some of its namespaces.
static bool isWithoutNamespaces(StringRef Short, StringRef Long) {
  SmallVector<StringRef, 4> Few, Many;
  Short.split(Few, "::");
  Long.split(Many, "::");
  if (Few.size() >= Many.size() || Few.back() != Many.back())
    return false;
  auto Next = Few.begin();
  for (StringRef Each : Many)
    if (Next != Few.end() && *Next == Each)
      ++Next;
  return Next == Few.end();
}

void ProgramRun::matchNames(const std::map<std::string, std::string> &Known) {
  std::map<std::string, KernelSeconds> Matched;
  for (const auto &[Name, Kernel] : Kernels) {
    std::string Found = Name;
    if (!Known.count(Name)) {
      std::vector<std::string> Candidates;
      for (const auto &[Other, Decision] : Known)
        if (isWithoutNamespaces(Other, Name))
          Candidates.push_back(Other);
      if (Candidates.size() == 1)
        Found = Candidates.front();
    }
    KernelSeconds &Sum = Matched[Found];
    Sum.Seconds += Kernel.Seconds;
    Sum.Launches += Kernel.Launches;
  }
  Kernels = std::move(Matched);
}

namespace {

/// One line of a record.
class RecordLine {
public:
  explicit RecordLine(StringRef Line) { Line.split(Words, '\t'); }

  /// Adds the line to \p Run; returns false if it is malformed.
  bool addTo(ProgramRun &Run) const;

private:
  bool has(size_t Number) const { return Words.size() == Number; }
  bool read(size_t Index, uint64_t &Number) const {
    return !Words[Index].getAsInteger(10, Number);
  }

  SmallVector<StringRef, 4> Words;
};

} // namespace

bool RecordLine::addTo(ProgramRun &Run) const {
  uint64_t First = 0, Second = 0;
  const StringRef Kind = Words.front();
  if (Kind == "gpu") {
    if (has(3) && Run.Gpu.empty())
      Run.Gpu = Words[2].str();
    return has(3);
  }
  if (Kind == "mig") {
    Run.IsPartitioned = true;
    return has(1);
  }
  if (Kind == "lost") {
    if (!has(2) || !read(1, First))
      return false;
    Run.LostRecords += First;
    return true;
  }
  if (Kind == "kernel") {
    if (!has(4) || !read(1, First) || !read(2, Second))
      return false;
    KernelSeconds &Kernel = Run.Kernels[nameInSource(Words[3])];
    Kernel.Seconds += double(First) * 1e-9;
    Kernel.Launches += Second;
    return true;
  }
  if (!has(3) || !read(1, First) || !read(2, Second))
    return false;
  if (Kind == "clock") {
    // Of several processes, the one that was watched longest counts.
    if (Second > Run.ClockSamples) {
      Run.ClockMHz = unsigned(First);
      Run.ClockSamples = Second;
    }
  } else if (Kind == "energy") {
    if (double(Second) * 1e-9 >= LeastSecondsOfEnergy)
      Run.Joules = Run.Joules.value_or(0) + double(First) * 1e-3;
  } else {
    return false;
  }
  return true;
}

Expected<ProgramRun> ProgramRun::parse(StringRef Text) {
  ProgramRun Run;
  for (StringRef Line : split(Text, '\n'))
    if (!Line.empty() && !RecordLine(Line).addTo(Run))
      return createStringError("malformed line in the record of times: '" +
                               Line + "'");
  return Run;
}
