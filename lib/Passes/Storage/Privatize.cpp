// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pass privatize: turns arrays of which each thread has one element into
/// local variables (PrivateArrays.h). It is the first pass of shared-reuse, so
/// that the others place what is left.
//===----------------------------------------------------------------------===//

#include "PrivateArrays.h"
#include "StorageChoice.h"

using namespace cudaopt;

/// The greatest number of bytes that private arrays may take of a thread's
/// registers, unless the user asks for fewer shared bytes at any price.
static constexpr uint64_t MaxPrivateBytes = 64;

static void privatize(StorageChoice &C) {
  const bool IsBounded = C.Options.Reuse == ReuseChoice::Auto;
  PrivatizeDecision &Own = C.Decision;
  Own = findPrivateArrays(C.K, C.All.instances(),
                          IsBounded ? MaxPrivateBytes : UINT64_MAX,
                          C.Options.Floats);
  if (Own.Private.empty())
    return;
  for (ArrayId Array : Own.Private) // A private array has no layout.
    if (auto Layout = C.Layouts.find(Array); Layout != C.Layouts.end())
      Layout->second = Layout->second.kept(
          {Reason::BecomesPrivate, "", C.K.Arrays[Array].Decl->getLocation()});
  C.update();
  C.describe({});
  C.Decision.Refused.reset();
}

Plan cudaopt::planPrivatize(const PassInput &In, const Plan &Earlier) {
  return StorageChoice::decide(In, Earlier, privatize);
}
