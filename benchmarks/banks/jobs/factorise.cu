// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs 9 to 11 and 35: steps of a factorisation A = L U in blocks of 16 x 16.

constexpr int SIDE = 16;

// Factorises the block on the diagonal; a thread owns a row of L and a column
// of U.
__global__ void job09_lud_diagonal(float *matrix, int pitch, int offset) {
  __shared__ float shadow[SIDE][SIDE];
  const int tx = threadIdx.x;
  float *const block = matrix + offset * pitch + offset;

  for (int i = 0; i < SIDE; ++i)
    shadow[i][tx] = block[i * pitch + tx];
  __syncthreads();

  for (int i = 0; i < SIDE - 1; ++i) {
    if (tx > i) {
      for (int j = 0; j < i; ++j)
        shadow[tx][i] -= shadow[tx][j] * shadow[j][i];
      shadow[tx][i] /= shadow[i][i];
    }
    __syncthreads();
    if (tx > i)
      for (int j = 0; j < i + 1; ++j)
        shadow[i + 1][tx] -= shadow[i + 1][j] * shadow[j][tx];
    __syncthreads();
  }

  for (int i = 1; i < SIDE; ++i)
    block[i * pitch + tx] = shadow[i][tx];
}

// Solves for a block right of the diagonal (threads 0 to 15, a column each) and
// for one below it (threads 16 to 31, a row each).
__global__ void job10_lud_perimeter(float *matrix, int pitch, int offset) {
  __shared__ float dia[SIDE][SIDE];
  __shared__ float peri_row[SIDE][SIDE];
  __shared__ float peri_col[SIDE][SIDE];
  const int tx = threadIdx.x;
  const int distance = (blockIdx.x + 1) * SIDE;
  float *const block = matrix + offset * pitch + offset;

  for (int i = 0; i < SIDE; i += 2)
    dia[i + tx / SIDE][tx % SIDE] = block[(i + tx / SIDE) * pitch + tx % SIDE];
  if (tx < SIDE) {
    for (int i = 0; i < SIDE; ++i)
      peri_row[i][tx] = block[i * pitch + distance + tx];
  } else {
    for (int i = 0; i < SIDE; ++i)
      peri_col[i][tx - SIDE] = block[(i + distance) * pitch + tx - SIDE];
  }
  __syncthreads();

  if (tx < SIDE) {
    for (int i = 1; i < SIDE; ++i)
      for (int j = 0; j < i; ++j)
        peri_row[i][tx] -= dia[i][j] * peri_row[j][tx];
  } else {
    for (int i = 0; i < SIDE; ++i) {
      for (int j = 0; j < i; ++j)
        peri_col[tx - SIDE][i] -= peri_col[tx - SIDE][j] * dia[j][i];
      peri_col[tx - SIDE][i] /= dia[i][i];
    }
  }
  __syncthreads();

  if (tx < SIDE) {
    for (int i = 1; i < SIDE; ++i)
      block[i * pitch + distance + tx] = peri_row[i][tx];
  } else {
    for (int i = 0; i < SIDE; ++i)
      block[(i + distance) * pitch + tx - SIDE] = peri_col[i][tx - SIDE];
  }
}

// Subtracts the product of a block of L and a block of U.
__global__ void job11_lud_internal(float *matrix, int pitch, int offset) {
  __shared__ float peri_row[SIDE][SIDE];
  __shared__ float peri_col[SIDE][SIDE];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = offset + (blockIdx.y + 1) * SIDE + ty;
  const int col = offset + (blockIdx.x + 1) * SIDE + tx;

  peri_row[ty][tx] = matrix[(offset + ty) * pitch + col];
  peri_col[ty][tx] = matrix[row * pitch + offset + tx];
  __syncthreads();

  float sum = 0;
  for (int i = 0; i < SIDE; ++i)
    sum += peri_col[ty][i] * peri_row[i][tx];
  matrix[row * pitch + col] -= sum;
}

// Factorises many matrices of 16 x 16 doubles, a thread for each row.
__global__ void job35_batched_lu(double *matrices) {
  __shared__ double a[SIDE][SIDE];
  const int row = threadIdx.x;
  double *const matrix = matrices + blockIdx.x * SIDE * SIDE;

  for (int i = 0; i < SIDE; ++i)
    a[i][row] = matrix[i * SIDE + row];
  __syncthreads();

  for (int k = 0; k < SIDE - 1; ++k) {
    if (row > k) {
      const double factor = a[row][k] / a[k][k];
      a[row][k] = factor;
      for (int j = k + 1; j < SIDE; ++j)
        a[row][j] -= factor * a[k][j];
    }
    __syncthreads();
  }

  for (int i = 0; i < SIDE; ++i)
    matrix[i * SIDE + row] = a[i][row];
}

void launchLud(float *matrix, int pitch, int offset, int blocks) {
  job09_lud_diagonal<<<1, SIDE>>>(matrix, pitch, offset);
  job10_lud_perimeter<<<blocks, 2 * SIDE>>>(matrix, pitch, offset);
  job11_lud_internal<<<dim3(blocks, blocks), dim3(SIDE, SIDE)>>>(matrix, pitch,
                                                                 offset);
}

void launch35(double *matrices, int batch) {
  job35_batched_lu<<<batch, SIDE>>>(matrices);
}
