// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pass privatize: takes arrays out of shared memory of which each thread
/// has one element.
//===----------------------------------------------------------------------===//

#include "PrivateArrays.h"
#include "StorageChoice.h"

#include "clang/AST/Attr.h"

using namespace cudaopt;

/// Of a thread's registers, for arrays that become private.
static constexpr uint64_t MaxPrivateBytes = 64;

Plan cudaopt::planPrivatize(const PassInput &In, const Plan &Earlier) {
  if (!In.K.Decl->hasAttr<clang::CUDAGlobalAttr>())
    return Earlier;
  StorageChoice C(In, Earlier);
  if (!C.isOpen())
    return C.makePlan();
  const bool IsBounded = In.Options.Reuse == ReuseChoice::Auto;
  PrivatizeDecision &Own = C.Decision;
  Own = findPrivateArrays(In.K, C.All.instances(),
                          IsBounded ? MaxPrivateBytes : UINT64_MAX,
                          In.Options.Floats);
  if (Own.Private.empty())
    return C.makePlan();
  for (ArrayId Array : Own.Private) // Their layouts no longer matter.
    if (auto Layout = C.Layouts.find(Array); Layout != C.Layouts.end())
      Layout->second = Layout->second.kept(
          {Reason::BecomesPrivate, "", In.K.Arrays[Array].Decl->getLocation()});
  C.update();
  C.describe({});
  C.Decision.WhyKept = {};
  return C.makePlan();
}
