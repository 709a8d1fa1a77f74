// RUN: %exits 2 %cuda-opt calibrate --fast 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: %cuda-opt calibrate --help | FileCheck --check-prefix=HELP %s
//
// UNKNOWN: error: unknown option '--fast' of calibrate
// HELP: usage: cuda-opt calibrate
