// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The data of the hostile loops: each loop gets the same arrays, filled in four
/// ways, and may change all that are not constant.
//===----------------------------------------------------------------------===//

#include <cudaopt/annotations.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>

using Loop = void (*)(float *, double *, int *, unsigned *, unsigned char *,
                      short *, bool *, const int *, const int *, const float *,
                      int);

namespace {
/// What a loop may read and write, and a hash of all of it.
struct Data {
  float A[256], B[128];
  double D[256];
  int I[256], w[128], r[128];
  unsigned U[256];
  unsigned char C[256];
  short S[256];
  bool F[256];

  /// Kind 0: spread subscripts. 1: few distinct ones. 2: ascending ones. 3: as
  /// 1, with NaNs and zeros of both signs.
  explicit Data(int Kind) {
    std::memset(static_cast<void *>(this), 0, sizeof *this);
    std::mt19937 Next(17 + Kind);
    for (int K = 0; K < 256; ++K) {
      A[K] = float(Next() % 1000) / 7 - 50;
      D[K] = double(Next() % 1000) / 11 - 40;
      I[K] = int(Next() % 600) - 200;
      U[K] = Next();
      C[K] = static_cast<unsigned char>(Next());
      S[K] = short(Next());
      F[K] = Next() & 1;
    }
    for (int K = 0; K < 128; ++K) {
      const int Range = Kind == 1 || Kind == 3 ? 5 : 256;
      w[K] = Kind == 2 ? 2 * K : int(Next() % Range);
      r[K] = int(Next() % Range);
      B[K] = 0.5f + float(Next() % 1024) / 700;
      if (Kind == 3 && K % 9 == 4)
        B[K] = K % 2 ? 0.0f : -0.0f;
      if (Kind == 3 && K % 31 == 30)
        B[K] = __builtin_nanf("");
    }
  }
  std::uint32_t hash() const {
    std::uint32_t Sum = 2166136261u;
    const auto *Bytes = reinterpret_cast<const unsigned char *>(this);
    for (std::size_t K = 0; K < sizeof *this; ++K)
      Sum = (Sum ^ Bytes[K]) * 16777619u;
    return Sum;
  }
};
} // namespace

/// Prints a line of hashes for each loop.
template <std::size_t N> static void printAll(const Loop (&Loops)[N]) {
  int Number = 0;
  for (Loop Run : Loops) {
    std::printf("loop%02d", Number++);
    for (int Kind = 0; Kind < 4; ++Kind)
      for (bool SharesBytes : {false, true}) {
        Data Of(Kind);
        Run(Of.A, Of.D, Of.I,
            SharesBytes ? reinterpret_cast<unsigned *>(Of.I) : Of.U, Of.C, Of.S,
            Of.F, Of.w, Of.r, Of.B, 128);
        std::printf(" %08x", unsigned(Of.hash()));
      }
    std::printf("\n");
  }
}
