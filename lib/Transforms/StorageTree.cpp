// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cudaopt/Transforms/Plan.h"
