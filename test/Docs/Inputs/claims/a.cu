// What the pages call a.cu: a tile with conflicts, arrays that are never alive together,
// and a loop of the host.
#include <cstddef>

__global__ void transpose(float *out, const float *in, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] =
      tile[threadIdx.x][threadIdx.y];
}

static __global__ void stages(float *out, const float *in) {
  __shared__ float first[1024];
  __shared__ float second[1024];
  __shared__ float third[1024];
  int t = threadIdx.x;
  first[t] = in[t];
  __syncthreads();
  second[t] = first[1023 - t] + 1;
  __syncthreads();
  third[t] = second[1023 - t] * 2;
  __syncthreads();
  out[t] = third[1023 - t];
}

void update(double *A, const double *x, const int *w, int n) {
  for (int i = 0; i < n; ++i)
    A[w[i]] = 2 * x[i];
}

void run(float *out, const float *in, int n) {
  transpose<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(out, in, n);
  stages<<<1, 1024>>>(out, in);
}
