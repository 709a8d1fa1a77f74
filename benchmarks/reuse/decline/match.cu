// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The best partner of each of 16 feature vectors, as in programs that match
// features of two images: the scores of a tile of candidates could take the
// place of the tile, but only behind one more barrier in the loop over all
// tiles, for 1 KB of 17 KB, and no more blocks would run.

constexpr int TILE = 16, LENGTH = 128;

__global__ void __launch_bounds__(TILE *TILE)
    match(int *partners, float *scores, const float *left, const float *right,
          int count) {
  __shared__ float mine[TILE][LENGTH];
  __shared__ float candidates[TILE][LENGTH];
  __shared__ float products[TILE][TILE];

  int tx = threadIdx.x, ty = threadIdx.y, first = blockIdx.x * TILE;
  for (int i = tx; i < LENGTH; i += TILE)
    mine[ty][i] = left[(first + ty) * LENGTH + i];
  float best = -1;
  int partner = -1;
  for (int start = 0; start < count; start += TILE) {
    for (int i = tx; i < LENGTH; i += TILE)
      candidates[ty][i] = right[(start + ty) * LENGTH + i];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < LENGTH; ++i)
      sum += mine[tx][i] * candidates[ty][i];
    products[tx][ty] = sum;
    __syncthreads();
    if (ty == 0)
      for (int i = 0; i < TILE; ++i)
        if (products[tx][i] > best) {
          best = products[tx][i];
          partner = start + i;
        }
    __syncthreads();
  }
  if (ty == 0) {
    partners[first + tx] = partner;
    scores[first + tx] = best;
  }
}

void run(int *partners, float *scores, const float *left, const float *right,
         int count) {
  match<<<count / TILE, dim3(TILE, TILE)>>>(partners, scores, left, right,
                                            count);
}
