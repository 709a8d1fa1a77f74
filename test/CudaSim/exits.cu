// REQUIRES: cuda
// RUN: %exits 7 %cuda-sim %s return 2>&1 | FileCheck %s --check-prefixes=CHECK,AFTER
// RUN: %exits 8 %cuda-sim %s exit 2>&1 | FileCheck %s --check-prefixes=CHECK,AFTER
// RUN: %exits 9 %cuda-sim %s _exit 2>&1 | FileCheck %s --check-prefix=NOW
// RUN: %exits -6 %cuda-sim %s throw 2>&1 | FileCheck %s --check-prefix=THROW
// RUN: %exits -11 %cuda-sim %s crash 2>&1 | FileCheck %s --check-prefix=CRASH
// RUN: %cuda-sim %s -- -DUNUSED 2>&1 | FileCheck %s --check-prefix=NONE
//
// The exit code is the program's. Static constructors and destructors, atexit
// and exceptions work; the summary comes whichever way the program ends.
//
// CHECK: constructor
// CHECK-NEXT: caught: no more
// AFTER-NEXT: atexit
// AFTER-NEXT: destructor
// AFTER-NEXT: cuda-sim: 0 launches
// NOW: constructor
// NOW-NEXT: caught: no more
// NOW-NEXT: cuda-sim: 0 launches
// THROW: terminate called after throwing an instance of 'std::runtime_error'
// CRASH: cuda-sim: error: the program crashed on the host; memory of cudaMalloc is the device's alone
// NONE: no arguments

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <unistd.h>

struct Global {
  Global() { puts("constructor"); }
  ~Global() { puts("destructor"); }
} TheGlobal;

static void fail(const char *Text) { throw std::runtime_error(Text); }

int main(int argc, char **argv) {
  if (argc < 2) {
    puts("no arguments");
    return 0;
  }
  std::string How = argv[1];
  try {
    fail("no more");
  } catch (const std::exception &E) {
    printf("caught: %s\n", E.what());
  }
  atexit([] { puts("atexit"); });
  if (How == "exit")
    exit(8);
  if (How == "_exit")
    _exit(9);
  if (How == "throw")
    fail("not caught");
  if (How == "crash") {
    int *Device;
    cudaMalloc(&Device, 4);
    *Device = 1;
  }
  return 7;
}
