// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Job 36: rows, columns and wrapped antidiagonals of one tile.

constexpr int SIDE = 32;

__global__ void job36_antidiagonals(float *columns, float *diagonals,
                                    const float *in) {
  __shared__ float tile[SIDE][SIDE];
  const int tx = threadIdx.x;
  const int first = blockIdx.x * SIDE;

  for (int i = 0; i < SIDE; ++i)
    tile[i][tx] = in[(first + i) * SIDE + tx];
  __syncthreads();

  float row = 0;
  float diagonal = 0;
  for (int i = 0; i < SIDE; ++i) {
    row = fmaxf(row, tile[tx][i]);
    diagonal += i * tile[tx][(i - tx + SIDE) % SIDE];
  }
  columns[first + tx] = row;
  diagonals[first + tx] = diagonal;
}

void launch36(float *columns, float *diagonals, const float *in, int batch) {
  job36_antidiagonals<<<batch, SIDE>>>(columns, diagonals, in);
}
