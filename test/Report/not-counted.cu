// RUN: rm -rf %t && mkdir %t && cp %s %t/a.cu && cd %t
// RUN: %cuda-opt --report=json:r.json --report=html:r.html --report=sarif-all:r.sarif -Rpass-analysis=bank -o out.cu a.cu -- %cuda-flags 2> err
// RUN: FileCheck %s --check-prefix=TEXT < err
// RUN: FileCheck %s --check-prefix=JSON < r.json
// RUN: FileCheck %s --check-prefix=HTML < r.html
// RUN: FileCheck %s --check-prefix=SARIF < r.sarif
//
// What is not known is never 0: all reports say that it is not counted, and
// why. Only kernels are called so.

#include "cuda.h"

// TEXT-NOT: type-parameter
// TEXT: a.cu:[[#@LINE+22]]:17: remark: wavefronts of kernel 'escapes' are not counted: 's': its address escapes here
// TEXT: remark: wavefronts of kernel 'wrapped' are not counted: its shared memory is declared in 'Shared::operator T *', which it calls
// TEXT: a.cu:[[#@LINE+48]]:17: remark: kernel 'partly' in blocks of 256 threads: wavefronts per block 8 (at least 8); not counted: 'table': subscript 'table[k[threadIdx.x]]' depends on data
// TEXT: a.cu: 6 kernels, 0 arrays rewritten, {{.*}}; not counted: 4 kernels (address-escapes, extern-array, not-instantiated, arrays of 'Shared::operator T *')
// SARIF-NOT: type-parameter
// HTML-NOT: type-parameter
// HTML: <p>1 file, 6 kernels, 1 device function</p>
// HTML: function <code>Shared::operator T *</code>
// HTML: <code>escapes</code></a></td><td class="number"><small>not counted</small></td><td class="number">4,096</td>
// HTML: <code>wrapped</code></a></td><td class="number"><small>not counted</small></td><td class="number">512</td>

// JSON: "kind": "function",
// JSON: "name": "Shared::operator T *",
// JSON: "blocks_per_sm": "it is counted with the kernels that call it",
// JSON: "shared_bytes": null,
// JSON: "wavefronts": null
template <class T> struct Shared {
  __device__ operator T *() {
    extern __shared__ int raw[];
    return (T *)raw;
  }
};
__global__ void escapes(float *o) {
  __shared__ float s[1024];
  float *q = s + threadIdx.x;
  *q = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = q[1];
}
// The launch tells the bytes, although nothing shows where they are accessed.
// JSON: "dynamic_bytes": 512,
// JSON: "name": "wrapped",
// JSON: "not_counted": {
// JSON-NEXT: "blocks_per_sm": null,
// JSON-NEXT: "shared_bytes": null,
// JSON-NEXT: "wavefronts": "its shared memory is declared in 'Shared::operator T *', which it calls"
// JSON: "wavefronts": null
template <class T> __global__ void wrapped(T *o) {
  T *s = Shared<T>();
  s[threadIdx.x] = o[threadIdx.x];
}
// Nor does one know how many blocks fit, where the launch does not tell.
// JSON: "blocks_per_sm": null,
// JSON: "dynamic_bytes": null,
// JSON: "name": "sized",
// JSON: "blocks_per_sm": "how much dynamic shared memory the launches take is not known"
__global__ void sized(float *o) {
  extern __shared__ float e[];
  e[threadIdx.x] = o[threadIdx.x];
}
__global__ void partly(float *o, const int *k) {
  __shared__ float table[256];
  table[threadIdx.x] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = table[k[threadIdx.x]];
}
// JSON: "name": "nobody",
// JSON: "wavefronts": "'z': no use in this file instantiates the template"
// JSON: "shared_bytes": null,
template <int N> __global__ void nobody(float *o) {
  __shared__ float z[N];
  z[threadIdx.x] = o[0];
}
__global__ void none(float *o) { o[0] = 1; }

void launch(float *o, const int *k, int n) {
  escapes<<<1, 128>>>(o);
  wrapped<float><<<1, 128, 128 * sizeof(float)>>>(o);
  sized<<<1, 128, n>>>(o);
  partly<<<1, 256>>>(o, k);
  none<<<1, 32>>>(o);
}
