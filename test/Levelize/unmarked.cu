// RUN: %cuda-opt %s -o %t.marked.cu -- %cuda-flags -I %include-runtime 2>&1 | FileCheck %s --check-prefix=MARKED
// RUN: cmp %s %t.marked.cu
// RUN: %cuda-opt --levelize=propose %s -o %t.propose.cu -- %cuda-flags -I %include-runtime 2>&1 | FileCheck %s --check-prefix=PROPOSE
// RUN: cmp %s %t.propose.cu
// RUN: %cuda-opt --levelize=auto -Rpass=.* -Rpass-missed=.* %s -o %t.cu -- %cuda-flags -I %include-runtime 2>&1 | FileCheck %s --check-prefix=AUTO
// RUN: grep -v '^ *//' %t.cu | FileCheck %s
// RUN: %exits 2 %cuda-opt --levelize=all %s -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: %cuda-opt --levelize=auto --passes=bank-layout %s -- %cuda-flags -I %include-runtime | cmp %s -
// RUN: %cuda-opt --levelize=auto --report=json:%t.json %s -o %t.cu -- %cuda-flags
// RUN: FileCheck %s --check-prefix=JSON < %t.json
//
// A loop without a mark is proposed, or rewritten if its text gives all
// extents.
//
// MARKED: 0 kernels, 0 arrays rewritten, 0 kept{{$}}
// BAD: cuda-opt: error: unknown choice in --levelize=all (known: marked, auto, propose)

// PROPOSE: :[[#@LINE+9]]:3: remark: loop of 'bins' could run in parallel; mark it, with the extents of its arrays
// PROPOSE: CUDAOPT_LEVELIZE(bin[0:EXTENT]){{ }}
// AUTO: :[[#@LINE+8]]:5: remark: loop of 'bins' stays sequential: how many elements an array has is not known; add to the mark: bin[0:n]{{.*}} [-Rpass-missed]
// JSON: "conflict_arrays": [
// JSON-NEXT: "bin"
// JSON: "decision": "kept"
// JSON: "function": "bins"
// JSON: "reason": "loop-extent"
void bins(int *bin, const int *in, int n) {
  for (int i = 0; i < n; ++i)
    bin[in[i]] += 1;
}

// CHECK: {bin, cudaopt::index_t(64), 0}
// PROPOSE: :[[#@LINE+5]]:3: remark: loop of 'known' could run
// AUTO: :[[#@LINE+4]]:3: remark: loop of 'known' runs in parallel
// JSON: "decision": "rewritten"
void known(const int *in, int n) {
  static int bin[64];
  for (int i = 0; i < n; ++i)
    bin[in[i]] += 1;
}

// No subscript is read from an array.
// PROPOSE-NOT: 'direct'
// AUTO-NOT: 'direct'
// CHECK-NOT: direct_loop
void direct(float *a, int n) {
  for (int i = 0; i < n; ++i)
    a[i] += 1;
}

// The loop around it repeats the same accesses.
// PROPOSE: :[[#@LINE+4]]:5: remark: loop of 'repeats' could run
// PROPOSE-NOT: 'repeats'
void repeats(int *bin, const int *in, int n) {
  for (int t = 0; t < 10; ++t)
    for (int i = 0; i < n; ++i)
      bin[in[i]] += t;
}
