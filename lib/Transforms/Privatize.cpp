// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pass privatize: takes arrays out of shared memory of which each thread
/// has one element.
//===----------------------------------------------------------------------===//

#include "PrivateArrays.h"
#include "StorageChoice.h"

using namespace cudaopt;

/// Of a thread's registers, for arrays that become private.
static constexpr uint64_t MaxPrivateBytes = 64;

static void privatize(StorageChoice &C) {
  const bool IsBounded = C.Options.Reuse == ReuseChoice::Auto;
  PrivatizeDecision &Own = C.Decision;
  Own = findPrivateArrays(C.K, C.All.instances(),
                          IsBounded ? MaxPrivateBytes : UINT64_MAX,
                          C.Options.Floats);
  if (Own.Private.empty())
    return;
  for (ArrayId Array : Own.Private) // Their layouts no longer matter.
    if (auto Layout = C.Layouts.find(Array); Layout != C.Layouts.end())
      Layout->second = Layout->second.kept(
          {Reason::BecomesPrivate, "", C.K.Arrays[Array].Decl->getLocation()});
  C.update();
  C.describe({});
  C.Decision.WhyKept = {};
}

Plan cudaopt::planPrivatize(const PassInput &In, const Plan &Earlier) {
  return StorageChoice::decide(In, Earlier, privatize);
}
