// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs 18 to 23: networks over an array of one dimension, whose threads meet at
// distances that are powers of two.

constexpr int N = 1024;

__global__ void job18_bitonic_sort(unsigned *out, const unsigned *in) {
  __shared__ unsigned s_key[N];
  const int tx = threadIdx.x;
  const int first = blockIdx.x * N;

  s_key[tx] = in[first + tx];
  s_key[tx + N / 2] = in[first + tx + N / 2];
  for (int size = 2; size <= N; size <<= 1) {
    const bool descending = (tx & (size / 2)) != 0;
    for (int stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      const int pos = 2 * tx - (tx & (stride - 1));
      const unsigned a = s_key[pos];
      const unsigned b = s_key[pos + stride];
      s_key[pos] = descending ? max(a, b) : min(a, b);
      s_key[pos + stride] = descending ? min(a, b) : max(a, b);
    }
  }
  __syncthreads();
  out[first + tx] = s_key[tx];
  out[first + tx + N / 2] = s_key[tx + N / 2];
}

__global__ void job19_walsh(float *out, const float *in) {
  __shared__ float s_data[N];
  const int tx = threadIdx.x;
  const int first = blockIdx.x * N;

  for (int i = 0; i < 4; ++i)
    s_data[tx + i * (N / 4)] = in[first + tx + i * (N / 4)];
  for (int stride = N >> 2; stride > 0; stride >>= 2) {
    __syncthreads();
    const int low = tx & (stride - 1);
    const int i0 = ((tx - low) << 2) + low;
    const int i1 = i0 + stride;
    const int i2 = i1 + stride;
    const int i3 = i2 + stride;
    const float d0 = s_data[i0];
    const float d1 = s_data[i1];
    const float d2 = s_data[i2];
    const float d3 = s_data[i3];
    s_data[i0] = d0 + d1 + d2 + d3;
    s_data[i1] = d0 - d1 + d2 - d3;
    s_data[i2] = d0 + d1 - d2 - d3;
    s_data[i3] = d0 - d1 - d2 + d3;
  }
  __syncthreads();
  for (int i = 0; i < 4; ++i)
    out[first + tx + i * (N / 4)] = s_data[tx + i * (N / 4)];
}

__global__ void job20_reduce_interleaved(int *out, const int *in) {
  __shared__ int sdata[256];
  const int tx = threadIdx.x;

  sdata[tx] = in[blockIdx.x * 256 + tx];
  __syncthreads();
  for (int s = 1; s < 256; s *= 2) {
    const int index = 2 * s * tx;
    if (index < 256)
      sdata[index] += sdata[index + s];
    __syncthreads();
  }
  if (tx == 0)
    out[blockIdx.x] = sdata[0];
}

// An exclusive sum by two passes over a balanced tree.
__global__ void job21_scan(float *out, const float *in) {
  __shared__ float temp[N];
  const int tx = threadIdx.x;
  const int first = blockIdx.x * N;
  int offset = 1;

  temp[2 * tx] = in[first + 2 * tx];
  temp[2 * tx + 1] = in[first + 2 * tx + 1];
  for (int d = N >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (tx < d) {
      const int ai = offset * (2 * tx + 1) - 1;
      const int bi = offset * (2 * tx + 2) - 1;
      temp[bi] += temp[ai];
    }
    offset *= 2;
  }
  if (tx == 0)
    temp[N - 1] = 0;
  for (int d = 1; d < N; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (tx < d) {
      const int ai = offset * (2 * tx + 1) - 1;
      const int bi = offset * (2 * tx + 2) - 1;
      const float left = temp[ai];
      const float all = temp[bi];
      temp[ai] = all;
      temp[bi] = all + left;
    }
  }
  __syncthreads();
  out[first + 2 * tx] = temp[2 * tx];
  out[first + 2 * tx + 1] = temp[2 * tx + 1];
}

// The first level of a Haar wavelet decomposition.
__global__ void job22_haar(float *approximation, float *detail,
                           const float *in) {
  __shared__ float shared[N];
  const int tx = threadIdx.x;
  const int first = blockIdx.x * N;

  shared[tx] = in[first + tx];
  shared[tx + N / 2] = in[first + tx + N / 2];
  __syncthreads();
  const float even = shared[2 * tx];
  const float odd = shared[2 * tx + 1];
  approximation[first / 2 + tx] = (even + odd) * 0.70710678f;
  detail[first / 2 + tx] = (even - odd) * 0.70710678f;
}

// The transform of 8 complex numbers.
__device__ void fft8(float (&re)[8], float (&im)[8]) {
  float sumRe[8], sumIm[8];
  for (int k = 0; k < 8; ++k) {
    sumRe[k] = 0;
    sumIm[k] = 0;
    for (int n = 0; n < 8; ++n) {
      float s, c;
      sincospif(-0.25f * (n * k % 8), &s, &c);
      sumRe[k] += re[n] * c - im[n] * s;
      sumIm[k] += re[n] * s + im[n] * c;
    }
  }
  for (int k = 0; k < 8; ++k) {
    re[k] = sumRe[k];
    im[k] = sumIm[k];
  }
}

// Multiplies number k by exp(-2 pi i k turn).
__device__ void twiddle(float (&re)[8], float (&im)[8], float turn) {
  for (int k = 0; k < 8; ++k) {
    float s, c;
    sincospif(-2 * turn * k, &s, &c);
    const float real = re[k] * c - im[k] * s;
    im[k] = re[k] * s + im[k] * c;
    re[k] = real;
  }
}

// Two of the three steps of a transform of 512 complex numbers, with the
// exchange between them.
__global__ void job23_fft_exchange(float *outRe, float *outIm,
                                   const float *inRe, const float *inIm) {
  __shared__ float smem[8][8][8];
  const int tx = threadIdx.x;
  const int hi = tx / 8;
  const int lo = tx % 8;
  const int first = blockIdx.x * 512;
  float re[8], im[8];

  for (int i = 0; i < 8; ++i) {
    re[i] = inRe[first + i * 64 + tx];
    im[i] = inIm[first + i * 64 + tx];
  }
  fft8(re, im);
  twiddle(re, im, tx / 512.0f);

  for (int i = 0; i < 8; ++i)
    smem[i][hi][lo] = re[i];
  __syncthreads();
  for (int i = 0; i < 8; ++i)
    re[i] = smem[lo][i][hi];
  __syncthreads();
  for (int i = 0; i < 8; ++i)
    smem[i][hi][lo] = im[i];
  __syncthreads();
  for (int i = 0; i < 8; ++i)
    im[i] = smem[lo][i][hi];

  fft8(re, im);
  twiddle(re, im, hi / 64.0f);
  for (int i = 0; i < 8; ++i) {
    outRe[first + lo * 64 + i * 8 + hi] = re[i];
    outIm[first + lo * 64 + i * 8 + hi] = im[i];
  }
}

void launch18(unsigned *out, const unsigned *in, int batch) {
  job18_bitonic_sort<<<batch, N / 2>>>(out, in);
}

void launch19(float *out, const float *in, int batch) {
  job19_walsh<<<batch, N / 4>>>(out, in);
}

void launch20(int *out, const int *in, int batch) {
  job20_reduce_interleaved<<<batch, 256>>>(out, in);
}

void launch21(float *out, const float *in, int batch) {
  job21_scan<<<batch, N / 2>>>(out, in);
}

void launch22(float *approximation, float *detail, const float *in, int batch) {
  job22_haar<<<batch, N / 2>>>(approximation, detail, in);
}

void launch23(float *outRe, float *outIm, const float *inRe, const float *inIm,
              int batch) {
  job23_fft_exchange<<<batch, 64>>>(outRe, outIm, inRe, inIm);
}
