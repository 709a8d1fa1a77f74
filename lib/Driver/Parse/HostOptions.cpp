// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The options of host compilers whose effect a device-side parse does not
/// reproduce: with one of these, the build may compile another program text, or
/// other sizes of types, than the parse sees.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Parse/NvccCommand.h"

#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;
using namespace llvm;

/// A star stands for the rest of the word.
static constexpr StringLiteral Options[] = {
    // These change the text, which the host compiler also preprocesses for the
    // device side.
    "@*", "-std=*", "--std*", "-ansi", "-Wp,*", "-Xpreprocessor", "-imacros*",
    "--imacros*", "-undef", "-trigraphs", "-traditional*", "-iprefix*",
    "-iwithprefix*", "-isysroot*", "--sysroot*", "-nostdinc*", "-stdlib=*",
    "-specs=*", "--specs=*", "-x*", "-B*", "-no-integrated-cpp", "-wrapper",
    "-Xclang", "-fplugin*", "-fdirectives-only", "-fpreprocessed",
    // Other characters.
    "-finput-charset*", "-fexec-charset*", "-fwide-exec-charset*",
    // Other types and sizes.
    "-funsigned-char", "-fno-signed-char", "-fshort-enums", "-fshort-wchar",
    "-funsigned-bitfields", "-fno-signed-bitfields", "-fpack-struct*",
    "-fms-extensions", "-fabi-version*", "-fchar8_t", "-fno-char8_t", "-m32",
    "-mx32", "-m16", "-miamcu", "-mlong-double-*", "-m96bit-long-double",
    "-m128bit-long-double", "-malign-double", "-mms-bitfields", "-mabi=*"};

bool cudaopt::enablesDirectives(ArrayRef<std::string> Words) {
  return any_of(Words, [](StringRef Word) {
    Word = Word.ltrim("-/");
    return Word.starts_with("fopenmp") || Word.starts_with("openmp") ||
           Word.starts_with("qopenmp") || Word.starts_with("fiopenmp") ||
           Word.starts_with("fopenacc") || Word.starts_with("acc") ||
           Word == "mp" || Word.starts_with("mp=");
  });
}

std::string cudaopt::findHostDifference(ArrayRef<std::string> Words) {
  for (StringRef Word : Words)
    if (any_of(Options, [&](StringRef Each) {
          return Each.consume_back("*") ? Word.starts_with(Each) : Word == Each;
        }))
      return Word.str();
  return "";
}
