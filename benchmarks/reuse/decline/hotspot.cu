// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The temperature of a chip, some steps in a block: temperature, power and the
// next temperature are alive through the loop over the steps.

constexpr int TILE = 16;

__global__ void hotspot(float *out, const float *in, const float *power, int n,
                        int steps, float rate) {
  __shared__ float now[TILE][TILE];
  __shared__ float heat[TILE][TILE];
  __shared__ float next[TILE][TILE];

  int tx = threadIdx.x, ty = threadIdx.y, inner = TILE - 2 * steps;
  int x = int(blockIdx.x) * inner - steps + tx;
  int y = int(blockIdx.y) * inner - steps + ty;
  bool isInside = x >= 0 && x < n && y >= 0 && y < n;
  int pixel = min(max(y, 0), n - 1) * n + min(max(x, 0), n - 1);
  now[ty][tx] = in[pixel];
  heat[ty][tx] = power[pixel];
  __syncthreads();

  bool isMine = false;
  for (int step = 0; step < steps; ++step) {
    isMine = isInside && tx > step && tx < TILE - 1 - step && ty > step &&
             ty < TILE - 1 - step;
    if (isMine)
      next[ty][tx] = now[ty][tx] + rate * (heat[ty][tx] + now[ty - 1][tx] +
                                           now[ty + 1][tx] + now[ty][tx - 1] +
                                           now[ty][tx + 1] - 4 * now[ty][tx]);
    __syncthreads();
    if (step + 1 == steps)
      break;
    if (isMine)
      now[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (isMine)
    out[pixel] = next[ty][tx];
}

void run(float *out, const float *in, const float *power, int n, int steps) {
  int inner = TILE - 2 * steps, blocks = (n + inner - 1) / inner;
  hotspot<<<dim3(blocks, blocks), dim3(TILE, TILE)>>>(out, in, power, n, steps,
                                                      0.1f);
}
