// REQUIRES: cuda
// RUN: %cuda-sim %s 2>&1 | FileCheck %s --match-full-lines
// RUN: %cuda-sim %s time 2>&1 | FileCheck %s --check-prefix=TIME --match-full-lines
// RUN: %cuda-sim --global-races --no-races %s 2>&1 | FileCheck %s --check-prefix=RACES --match-full-lines
// RUN: %cuda-sim --quiet %s time 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// RUN: %cuda-sim --json=%t.json %s time && FileCheck %s --check-prefix=JSON --input-file=%t.json
//
// The summary tells what was not looked for, and, once and only if the program
// asked for one, that a time is none.
//
// CHECK: cuda-sim: 1 launch, {{.*}}, 0 findings
// CHECK-NEXT: cuda-sim: not looked for: races on global memory (--global-races looks for them), reads of global memory that nobody wrote
// CHECK-NOT: {{.}}
// TIME: cuda-sim: 1 launch, {{.*}}, 0 findings
// TIME-NEXT: cuda-sim: times between events: simulated, no time
// TIME-NEXT: cuda-sim: not looked for: {{.*}}
// RACES: cuda-sim: not looked for: races on shared memory (--no-races), reads of global memory that nobody wrote
// QUIET-NOT: cuda-sim
// JSON: "times between events: simulated, no time"

#include <cuda_runtime.h>

__global__ void set(int *data) { *data = 7; }

int main(int argc, char **) {
  int *data;
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaMalloc(&data, sizeof(int));
  cudaEventRecord(begin);
  set<<<1, 1>>>(data);
  cudaEventRecord(end);
  float time;
  for (int i = 1; i < argc; ++i)
    cudaEventElapsedTime(&time, begin, end), cudaEventElapsedTime(&time, begin, end);
}
