// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The table of GPUs, and the text form of one.
//===----------------------------------------------------------------------===//

#include "cudaopt/Machine/Gpu.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <iterator>

namespace cudaopt {

/// The part of the bandwidth of a data sheet that programs reach.
static constexpr double Reached = 0.92;

/// Returns the bytes that each of \p Multiprocessors gets in a cycle of a
/// memory of \p GBs gigabytes a second.
static double share(double GBs, unsigned Multiprocessors, double MHz) {
  return Reached * GBs * 1e3 / Multiprocessors / MHz;
}

/// The GPUs that are known. Arithmetic is that of the CUDA C++ Programming
/// Guide, "Throughput of Native Arithmetic Instructions", divided by 32; memory
/// that of data sheets, at the boost clock; that of the cache is assumed to be
/// the H200's, which alone was measured. The first of an architecture stands
/// for it; nothing is known of sm_88, which is taken for an Orin.
static const std::vector<Gpu> &table() {
  static const std::vector<Gpu> Table = [] {
    constexpr double FewDoubles = 2 / 32., Cache = 32;
    auto make = [&](const char *Name, const char *Arch, unsigned Count,
                    double MHz, double Float, double Integer, double Double,
                    double GBs) {
      return Gpu{Name,   Arch,  Count,
                 MHz,    Float, Integer,
                 Double, 0.5,   share(GBs, Count, MHz),
                 Cache,  false};
    };
    std::vector<Gpu> Rows = {
        {"H200", "sm_90", 132, 1980, 4, 2, 2, 0.5, 16.5, Cache, true},
        make("H100", "sm_90", 132, 1980, 4, 2, 2, 3350),
        make("H100 PCIe", "sm_90", 114, 1755, 4, 2, 2, 2039),
        make("GH200", "sm_90", 132, 1980, 4, 2, 2, 4000),
        make("K40", "sm_35", 15, 875, 6, 5, 2, 288),
        make("T4", "sm_75", 40, 1590, 2, 2, FewDoubles, 320),
        make("RTX 2080 Ti", "sm_75", 68, 1545, 2, 2, FewDoubles, 616),
        make("A100", "sm_80", 108, 1410, 2, 2, 1, 2039),
        make("A30", "sm_80", 56, 1440, 2, 2, 1, 933),
        make("RTX 3090", "sm_86", 82, 1695, 4, 2, FewDoubles, 936),
        make("A10", "sm_86", 72, 1695, 4, 2, FewDoubles, 600),
        make("A40", "sm_86", 84, 1740, 4, 2, FewDoubles, 696),
        make("Orin", "sm_87", 16, 1300, 4, 2, FewDoubles, 204.8),
        make("sm_88", "sm_88", 16, 1300, 4, 2, FewDoubles, 204.8),
        make("RTX 4090", "sm_89", 128, 2520, 4, 2, FewDoubles, 1008),
        make("L4", "sm_89", 58, 2040, 4, 2, FewDoubles, 300),
        make("L40S", "sm_89", 142, 2520, 4, 2, FewDoubles, 864),
        make("B200", "sm_100", 148, 1965, 4, 2, 2, 8000),
        make("B300", "sm_103", 148, 1920, 4, 2, FewDoubles, 8000),
        make("Thor", "sm_110", 20, 1575, 4, 2, FewDoubles, 273),
        make("RTX 5090", "sm_120", 170, 2407, 4, 4, FewDoubles, 1792),
        make("RTX PRO 6000", "sm_120", 188, 2617, 4, 4, FewDoubles, 1792),
        make("GB10", "sm_121", 48, 2418, 4, 4, FewDoubles, 273),
    };
    return Rows;
  }();
  return Table;
}

const Gpu &gpuOf(std::string_view Arch) {
  const auto Found = std::ranges::find(table(), Arch, &Gpu::Arch);
  return Found == table().end() ? table().front() : *Found;
}

std::vector<std::string> listGpus() {
  std::vector<std::string> Names;
  for (const Gpu &Each : table())
    Names.push_back(Each.Name);
  return Names;
}

namespace {

/// A number of the text form.
struct NumberKey {
  std::string_view Name;
  double Gpu::*Field;
};

} // namespace

static constexpr NumberKey Keys[] = {
    {"mhz", &Gpu::MHz},         {"float", &Gpu::Float},
    {"integer", &Gpu::Integer}, {"double", &Gpu::Double},
    {"special", &Gpu::Special}, {"memory", &Gpu::MemoryBytes},
    {"cache", &Gpu::CacheBytes}};

std::string Gpu::text() const {
  std::string Text =
      Name + "," + Arch + ",sms=" + std::to_string(Multiprocessors);
  for (const NumberKey &Key : Keys) {
    char Number[32];
    std::snprintf(Number, sizeof(Number), "%.4g", this->*Key.Field);
    Text += "," + std::string(Key.Name) + "=" + Number;
  }
  return Text + (IsMeasured ? ",measured" : "");
}

static bool equalIgnoringCase(std::string_view A, std::string_view B) {
  return std::ranges::equal(A, B, [](unsigned char X, unsigned char Y) {
    return std::tolower(X) == std::tolower(Y);
  });
}

/// Returns the words of \p Text between commas, without blanks around them.
static std::vector<std::string_view> splitWords(std::string_view Text) {
  std::vector<std::string_view> Words;
  while (true) {
    const size_t Comma = Text.find(',');
    std::string_view Word = Text.substr(0, Comma);
    while (Word.starts_with(' '))
      Word.remove_prefix(1);
    while (Word.ends_with(' '))
      Word.remove_suffix(1);
    Words.push_back(Word);
    if (Comma == std::string_view::npos)
      return Words;
    Text.remove_prefix(Comma + 1);
  }
}

/// Sets the member of \p To that \p Word, "key=number", names; returns false if
/// there is none, or if the number is not positive.
static bool readNumber(std::string_view Word, Gpu &To) {
  const size_t Equals = Word.find('=');
  if (Equals == std::string_view::npos)
    return false;
  const std::string_view Key = Word.substr(0, Equals);
  double Value = 0;
  const char *const End = Word.data() + Word.size();
  const auto Result = std::from_chars(Word.data() + Equals + 1, End, Value);
  if (Result.ec != std::errc() || Result.ptr != End || !(Value >= 1e-3) ||
      Value > 1e6)
    return false;
  if (Key == "sms") {
    To.Multiprocessors = unsigned(Value);
    return To.Multiprocessors == Value;
  }
  const auto Found = std::ranges::find(Keys, Key, &NumberKey::Name);
  if (Found == std::end(Keys))
    return false;
  To.*(Found->Field) = Value;
  return true;
}

std::variant<Gpu, std::string> parseGpu(std::string_view Text) {
  const std::vector<std::string_view> Words = splitWords(Text);
  if (Words.size() == 1) {
    const auto Found = std::ranges::find_if(table(), [&](const Gpu &Each) {
      return equalIgnoringCase(Each.Name, Words.front());
    });
    if (Found != table().end())
      return *Found;
    std::string Known;
    for (const std::string &Name : listGpus())
      Known += (Known.empty() ? "" : ", ") + Name;
    return "unknown GPU '" + std::string(Text) + "' (known: " + Known + ")";
  }
  Gpu Result;
  Result.Name = Words[0];
  Result.Arch = Words[1];
  for (size_t I = 2; I != Words.size(); ++I)
    if (Words[I] == "measured")
      Result.IsMeasured = true;
    else if (!readNumber(Words[I], Result))
      return "'" + std::string(Words[I]) + "' is no number of a GPU";
  for (const NumberKey &Key : Keys)
    if (Result.*Key.Field <= 0)
      return "'" + std::string(Key.Name) + "=' is missing";
  if (Result.Multiprocessors == 0)
    return std::string("'sms=' is missing");
  if (Result.Name.empty() || gpuOf(Result.Arch).Arch != Result.Arch)
    return std::string("a name and a known architecture, such as sm_90, must "
                       "come first");
  return Result;
}

} // namespace cudaopt
