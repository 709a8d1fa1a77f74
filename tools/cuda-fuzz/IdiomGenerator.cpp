// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Generates kernels that are sequences of idioms.
//===----------------------------------------------------------------------===//

#include "KernelGenerator.h"
#include "Random.h"

#include <algorithm>
#include <cassert>

namespace cudaopt::fuzz {

/// Chooses an idiom of \p Allowed according to the weights.
static IdiomKind chooseKind(const IdiomSet &Allowed, Random &R) {
  unsigned Sum = 0;
  for (unsigned Kind = 0; Kind < NumIdioms; ++Kind)
    Sum += Allowed.test(Kind) ? IdiomWeights[Kind] : 0;
  unsigned Left = R.below(Sum), Kind = 0;
  for (;; ++Kind) {
    const unsigned Weight = Allowed.test(Kind) ? IdiomWeights[Kind] : 0;
    if (Left < Weight)
      return IdiomKind(Kind);
    Left -= Weight;
  }
}

static void chooseShape(Kernel &K, Random &R) {
  using Shape = std::array<unsigned, 3>;
  K.Block = R.pick<Shape>({{32, 1, 1},
                           {32, 1, 1},
                           {32, 1, 1},
                           {64, 1, 1},
                           {64, 1, 1},
                           {96, 1, 1},
                           {128, 1, 1},
                           {8, 8, 1},
                           {16, 2, 1},
                           {32, 2, 1}});
  K.Grid = R.chance(80) ? 1 : 2;
  K.Value = R.pick({Element::Float, Element::Float, Element::Float,
                    Element::Int, Element::Unsigned, Element::Double});
}

Kernel generateIdioms(uint64_t Seed, uint64_t Number, IdiomSet Allowed) {
  assert(Allowed.any() && "a kernel without idioms is none");
  Random R(Seed ^ 0x6964696f6d73, Number);
  Kernel K;
  K.Number = Number;
  chooseShape(K, R);
  K.HasCount = true;
  K.IsRestrict = R.chance(30);
  K.IsUnsigned = R.chance(25);
  K.HasLocals = R.chance(70);
  K.LaunchesVariable = R.chance(20);
  // With external linkage, other files could launch the kernel with other
  // blocks.
  K.Visibility = R.chance(70)   ? Linkage::Static
                 : R.chance(60) ? Linkage::Anonymous
                                : Linkage::External;
  for (unsigned Count = R.pick<unsigned>({1, 1, 2, 2, 3, 4}); Count; --Count) {
    const IdiomKind Kind = chooseKind(Allowed, R);
    K.Idioms.push_back({Kind, R.below(0xffffffff)});
    for (unsigned Other = 0; Other < NumIdioms; ++Other)
      if (IdiomPlaces[Other] == IdiomPlace::Alone)
        Allowed.reset(Other);
    if (IdiomPlaces[unsigned(Kind)] != IdiomPlace::Anywhere || Allowed.none())
      break;
  }
  return K;
}

} // namespace cudaopt::fuzz
