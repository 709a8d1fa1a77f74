// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PoisonEdit.h"

#include "clang/AST/Stmt.h"
#include "llvm/ADT/MapVector.h"

namespace cudaopt {

/// In 0xff bytes: a NaN of every floating-point type.
static std::string writeFill(llvm::StringRef Name) {
  return ("for (unsigned poisoned = threadIdx.x + blockDim.x * (threadIdx.y + "
          "blockDim.y * threadIdx.z); poisoned < sizeof(" +
          Name +
          "); poisoned += blockDim.x * blockDim.y * blockDim.z) ((unsigned "
          "char *)&" +
          Name + ")[poisoned] = 0xff; ")
      .str();
}

llvm::Error poison(llvm::ArrayRef<DeadVariable> Dead, Edits &E) {
  llvm::MapVector<const clang::Stmt *, std::string> Fronts;
  for (const DeadVariable &Each : Dead)
    Fronts[Each.Barrier] += writeFill(Each.Name);
  for (const auto &[Barrier, Text] : Fronts)
    if (llvm::Error Failed =
            E.insert(Barrier->getBeginLoc(), "__syncthreads(); " + Text))
      return Failed;
  return llvm::Error::success();
}

} // namespace cudaopt
