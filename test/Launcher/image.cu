// REQUIRES: cuda
// RUN: rm -rf %t && mkdir -p %t/system %t/user && cd %t && cp %s a.cu
// RUN: printf '#include_next <math.h>\nconstexpr int Side = 32;\n' > system/math.h
// RUN: printf '#include_next <math.h>\nconstexpr int Side = 16;\n' > user/math.h
// RUN: touch -d 2020-01-01 system/math.h
//
// What every program begins with lies in the cache, parsed. With it, the tool makes and
// says what it makes and says without.
//
// RUN: env CUDAOPT_CACHE_DIR= %cuda-opt -Rpass-analysis=.* -o none.cu a.cu -- -arch=sm_90 -isystem system 2> none.txt
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt -Rpass-analysis=.* -o first.cu a.cu -- -arch=sm_90 -isystem system 2> first.txt
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt -Rpass-analysis=.* -o second.cu a.cu -- -arch=sm_90 -isystem system 2> second.txt
// RUN: cmp none.cu first.cu && cmp none.cu second.cu
// RUN: cmp none.txt first.txt && cmp none.txt second.txt
// RUN: ls cache/llvmcache-* | count 1
//
// A header that is another now is seen, whatever its size and time say.
//
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --print=plan a.cu -- -arch=sm_90 -isystem system | FileCheck --check-prefix=OLD %s
// RUN: sed -i s/32/64/ system/math.h && touch -d 2020-01-01 system/math.h
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --print=plan a.cu -- -arch=sm_90 -isystem system | FileCheck --check-prefix=NEW %s
// RUN: ls cache/llvmcache-* | count 1
//
// OLD: layout t [32][32]
// NEW: layout t [64][64]
//
// A folder of the user does not matter unless it has a header that is included; other
// macros are another program.
//
// RUN: mkdir other
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --print=plan a.cu -- -arch=sm_90 -isystem system -I other | FileCheck --check-prefix=NEW %s
// RUN: ls cache/llvmcache-* | count 1
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --print=plan a.cu -- -arch=sm_90 -I user | FileCheck --check-prefix=USER %s
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --print=plan a.cu -- -arch=sm_90 -isystem system -D__GLIBC_USE_IEC_60559_BFP_EXT=0 | FileCheck --check-prefix=NEW %s
// RUN: ls cache/llvmcache-* | count 3
//
// USER: layout t [16][16]
//
// Of headers that clang does not understand, the user hears as without.
//
// RUN: echo '#error no math today' > system/math.h
// RUN: env CUDAOPT_CACHE_DIR= %cuda-opt --print=plan a.cu -- -arch=sm_90 -isystem system > none.txt 2>&1
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --print=plan a.cu -- -arch=sm_90 -isystem system > first.txt 2>&1
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --print=plan a.cu -- -arch=sm_90 -isystem system > second.txt 2>&1
// RUN: cmp none.txt first.txt && cmp none.txt second.txt && FileCheck --check-prefix=ERROR --input-file=none.txt %s
//
// ERROR: clang reports {{.*}} errors; the kernels they touch are kept
//
// Half an image is none.
//
// RUN: rm -r cache && printf '#include_next <math.h>\nconstexpr int Side = 32;\n' > system/math.h && touch -d 2020-01-01 system/math.h
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --print=plan a.cu -- -arch=sm_90 -isystem system | FileCheck --check-prefix=OLD %s
// RUN: sh -c 'for f in cache/llvmcache-*; do head -c 1000000 $f > half && mv half $f; done'
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --print=plan a.cu -- -arch=sm_90 -isystem system | FileCheck --check-prefix=OLD %s
__global__ void k(float *a) {
  __shared__ float t[Side][Side];
  t[threadIdx.y][threadIdx.x] = a[threadIdx.y * Side + threadIdx.x];
  __syncthreads();
  a[threadIdx.y * Side + threadIdx.x] = t[threadIdx.x][threadIdx.y];
}
int main() { k<<<1, dim3(16, 16)>>>(nullptr); }
