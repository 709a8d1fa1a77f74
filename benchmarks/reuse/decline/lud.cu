// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The three kernels of a blocked LU decomposition: the arrays of each are all
// alive from the load to the last read.

constexpr int TILE = 16;

__global__ void diagonal(float *m, int n, int offset) {
  __shared__ float tile[TILE][TILE];

  int tx = threadIdx.x;
  float *corner = m + offset * n + offset;
  for (int i = 0; i < TILE; ++i)
    tile[i][tx] = corner[i * n + tx];
  __syncthreads();
  for (int i = 0; i < TILE - 1; ++i) {
    if (tx > i) {
      for (int j = 0; j < i; ++j)
        tile[tx][i] -= tile[tx][j] * tile[j][i];
      tile[tx][i] /= tile[i][i];
    }
    __syncthreads();
    if (tx > i)
      for (int j = 0; j < i + 1; ++j)
        tile[i + 1][tx] -= tile[i + 1][j] * tile[j][tx];
    __syncthreads();
  }
  for (int i = 1; i < TILE; ++i)
    corner[i * n + tx] = tile[i][tx];
}

__global__ void perimeter(float *m, int n, int offset) {
  __shared__ float corner[TILE][TILE];
  __shared__ float row[TILE][TILE];
  __shared__ float column[TILE][TILE];

  int tx = threadIdx.x % TILE;
  int next = offset + (blockIdx.x + 1) * TILE;
  if (threadIdx.x < TILE)
    for (int i = 0; i < TILE; ++i) {
      corner[i][tx] = m[(offset + i) * n + offset + tx];
      row[i][tx] = m[(offset + i) * n + next + tx];
    }
  else
    for (int i = 0; i < TILE; ++i)
      column[i][tx] = m[(next + i) * n + offset + tx];
  __syncthreads();
  if (threadIdx.x < TILE)
    for (int i = 1; i < TILE; ++i)
      for (int j = 0; j < i; ++j)
        row[i][tx] -= corner[i][j] * row[j][tx];
  else
    for (int i = 0; i < TILE; ++i) {
      for (int j = 0; j < i; ++j)
        column[tx][i] -= column[tx][j] * corner[j][i];
      column[tx][i] /= corner[i][i];
    }
  __syncthreads();
  if (threadIdx.x < TILE)
    for (int i = 1; i < TILE; ++i)
      m[(offset + i) * n + next + tx] = row[i][tx];
  else
    for (int i = 0; i < TILE; ++i)
      m[(next + i) * n + offset + tx] = column[i][tx];
}

__global__ void internal(float *m, int n, int offset) {
  __shared__ float row[TILE][TILE];
  __shared__ float column[TILE][TILE];

  int tx = threadIdx.x, ty = threadIdx.y;
  int x = offset + (blockIdx.x + 1) * TILE + tx;
  int y = offset + (blockIdx.y + 1) * TILE + ty;
  row[ty][tx] = m[(offset + ty) * n + x];
  column[ty][tx] = m[y * n + offset + tx];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < TILE; ++i)
    sum += column[ty][i] * row[i][tx];
  m[y * n + x] -= sum;
}

void run(float *m, int n) {
  for (int offset = 0; offset < n; offset += TILE) {
    diagonal<<<1, TILE>>>(m, n, offset);
    int rest = (n - offset) / TILE - 1;
    if (rest == 0)
      return;
    perimeter<<<rest, 2 * TILE>>>(m, n, offset);
    internal<<<dim3(rest, rest), dim3(TILE, TILE)>>>(m, n, offset);
  }
}
