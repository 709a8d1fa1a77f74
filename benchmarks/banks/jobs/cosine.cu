// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Job 17: the discrete cosine transform of 8 x 8 pixels. A block of 8 x 4 x 2
// threads transforms 4 x 2 of them; a thread takes a row, then a column.

// cos(pi k / 16) for k from 0 to 8; the others follow by symmetry.
__constant__ float cosines[9] = {1.0f,        0.98078528f, 0.92387953f,
                                 0.83146961f, 0.70710678f, 0.55557023f,
                                 0.38268343f, 0.19509032f, 0.0f};

// cos(pi k / 16) for any k >= 0.
__device__ float cosine(int k) {
  k %= 32;
  if (k > 16)
    k = 32 - k;
  return k > 8 ? -cosines[16 - k] : cosines[k];
}

__device__ void transform(float (&value)[8]) {
  float result[8];
  for (int k = 0; k < 8; ++k) {
    float sum = 0;
    for (int n = 0; n < 8; ++n)
      sum += value[n] * cosine((2 * n + 1) * k);
    result[k] = sum * (k == 0 ? 0.35355339f : 0.5f);
  }
  for (int k = 0; k < 8; ++k)
    value[k] = result[k];
}

__global__ void job17_cosine_transform(float *out, const float *in, int pitch) {
  __shared__ float block[16][32];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int tz = threadIdx.z;
  const int place =
      (blockIdx.y * 16 + tz * 8) * pitch + blockIdx.x * 32 + ty * 8 + tx;
  float value[8];

  for (int i = 0; i < 8; ++i)
    block[tz * 8 + i][ty * 8 + tx] = in[place + i * pitch];
  __syncthreads();

  for (int i = 0; i < 8; ++i)
    value[i] = block[tz * 8 + tx][ty * 8 + i];
  transform(value);
  for (int i = 0; i < 8; ++i)
    block[tz * 8 + tx][ty * 8 + i] = value[i];
  __syncthreads();

  for (int i = 0; i < 8; ++i)
    value[i] = block[tz * 8 + i][ty * 8 + tx];
  transform(value);
  for (int i = 0; i < 8; ++i)
    out[place + i * pitch] = value[i];
}

void launch17(float *out, const float *in, int width, int height, int pitch) {
  job17_cosine_transform<<<dim3(width / 32, height / 16), dim3(8, 4, 2)>>>(
      out, in, pitch);
}
