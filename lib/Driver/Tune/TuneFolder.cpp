// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Makes, locks and removes the folder. A file in it says that it is ours.
//===----------------------------------------------------------------------===//

#include "TuneFolder.h"

#include "cudaopt/Driver/Delivery/Output.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <chrono>
#include <vector>

using namespace cudaopt;
using namespace llvm;
namespace fs = llvm::sys::fs;

static constexpr StringLiteral Folder = "cuda-opt.tune";
static constexpr StringLiteral Mark = "made-by-cuda-opt";
static constexpr StringLiteral Runs = "runs";

std::string TuneFolder::path(const Twine &Name) {
  return (Folder + "/" + Name).str();
}

std::string TuneFolder::recordOf(StringRef Variant, const Twine &Run) {
  return path(Runs + "/" + Variant + "-" + Run);
}

static bool isEmpty(const Twine &Path) {
  std::error_code EC;
  return fs::directory_iterator(Path, EC) == fs::directory_iterator();
}

Error TuneFolder::open() {
  fs::file_status Status;
  const bool Exists = !fs::status(Folder, Status, /*follow=*/false);
  if (Exists && (Status.type() != fs::file_type::directory_file ||
                 (!fs::exists(path(Mark)) && !isEmpty(Folder))))
    return createStringError("'" + Folder +
                             "' is not of cuda-opt, which needs a folder of "
                             "this name: move it away");
  if (std::error_code EC = fs::create_directories(path(Runs)))
    return createFileError(Folder, EC);
  if (std::error_code EC = fs::openFileForReadWrite(
          path(Mark), Lock, fs::CD_OpenAlways, fs::OF_None))
    return createFileError(path(Mark), EC);
  if (fs::tryLockFile(Lock, std::chrono::milliseconds(0))) {
    (void)sys::Process::SafelyCloseFileDescriptor(Lock);
    Lock = -1;
    return createStringError("another 'cuda-opt tune' works in this folder");
  }
  if (!fs::exists(path(Mark))) { // The run that had the lock has removed it.
    unlock();
    return open();
  }
  return Error::success();
}

void TuneFolder::unlock() {
  if (Lock == -1)
    return;
  (void)fs::unlockFile(Lock);
  (void)sys::Process::SafelyCloseFileDescriptor(Lock);
  Lock = -1;
}

Expected<bool> TuneFolder::resume(StringRef Key, StringRef Kept) {
  const std::string File = path("program");
  if (auto Old = MemoryBuffer::getFile(File); Old && (*Old)->getBuffer() == Key)
    return true;
  std::error_code EC;
  std::vector<std::string> Old;
  for (fs::directory_iterator I(Folder, EC), End; I != End && !EC;
       I.increment(EC))
    if (I->path() != Kept && fs::is_directory(I->path()))
      Old.push_back(I->path());
  for (const std::string &Each : Old)
    (void)fs::remove_directories(Each);
  if (std::error_code Failed = fs::create_directories(path(Runs)))
    return createFileError(Folder, Failed);
  if (Error E = writeFile(File, Key))
    return std::move(E);
  return false;
}

void TuneFolder::forgetRuns() {
  (void)fs::remove_directories(path(Runs));
  (void)fs::create_directories(path(Runs));
}

void TuneFolder::forgetRuns(StringRef Variant) {
  std::error_code EC;
  std::vector<std::string> Records;
  for (fs::directory_iterator I(path(Runs), EC), End; I != End && !EC;
       I.increment(EC))
    if (sys::path::filename(I->path()).starts_with(Variant.str() + "-"))
      Records.push_back(I->path());
  for (const std::string &Each : Records)
    (void)fs::remove(Each);
}

bool TuneFolder::hasWork() const {
  return !isEmpty(path(Runs)) || fs::exists(path("2/built"));
}

void TuneFolder::remove() {
  if (Lock == -1)
    return; // It is not ours.
  (void)fs::remove_directories(Folder);
  unlock(); // Another run must not begin in what is removed.
}
