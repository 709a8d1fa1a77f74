// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs 7 and 8: the dynamic program of Needleman and Wunsch on a block of the
// score matrix. The threads go along its antidiagonals; a row above and a
// column to the left of the block hold the scores of its neighbours.

__global__ void job07_wavefront_16(int *scores, const int *similarity,
                                   int pitch, int penalty, int diagonal) {
  __shared__ int temp[16 + 1][16 + 1];
  const int tx = threadIdx.x;
  const int x = blockIdx.x * 16;
  const int y = (diagonal - blockIdx.x) * 16;
  int *const corner = scores + y * pitch + x;
  const int *const match = similarity + y * pitch + x;

  if (tx == 0)
    temp[0][0] = corner[0];
  temp[tx + 1][0] = corner[(tx + 1) * pitch];
  temp[0][tx + 1] = corner[tx + 1];
  __syncthreads();

  for (int m = 0; m < 16; ++m) {
    if (tx <= m) {
      const int column = tx + 1;
      const int row = m - tx + 1;
      temp[row][column] =
          max(temp[row - 1][column - 1] + match[row * pitch + column],
              max(temp[row][column - 1], temp[row - 1][column]) - penalty);
    }
    __syncthreads();
  }
  for (int m = 16 - 2; m >= 0; --m) {
    if (tx <= m) {
      const int column = tx + 16 - m;
      const int row = 16 - tx;
      temp[row][column] =
          max(temp[row - 1][column - 1] + match[row * pitch + column],
              max(temp[row][column - 1], temp[row - 1][column]) - penalty);
    }
    __syncthreads();
  }

  for (int i = 0; i < 16; ++i)
    corner[(i + 1) * pitch + tx + 1] = temp[i + 1][tx + 1];
}

void launch07(int *scores, const int *similarity, int pitch, int penalty,
              int diagonal) {
  job07_wavefront_16<<<diagonal + 1, 16>>>(scores, similarity, pitch, penalty,
                                           diagonal);
}

__global__ void job08_wavefront_32(int *scores, const int *similarity,
                                   int pitch, int penalty, int diagonal) {
  __shared__ int temp[32 + 1][32 + 1];
  const int tx = threadIdx.x;
  const int x = blockIdx.x * 32;
  const int y = (diagonal - blockIdx.x) * 32;
  int *const corner = scores + y * pitch + x;
  const int *const match = similarity + y * pitch + x;

  if (tx == 0)
    temp[0][0] = corner[0];
  temp[tx + 1][0] = corner[(tx + 1) * pitch];
  temp[0][tx + 1] = corner[tx + 1];
  __syncthreads();

  for (int m = 0; m < 32; ++m) {
    if (tx <= m) {
      const int column = tx + 1;
      const int row = m - tx + 1;
      temp[row][column] =
          max(temp[row - 1][column - 1] + match[row * pitch + column],
              max(temp[row][column - 1], temp[row - 1][column]) - penalty);
    }
    __syncthreads();
  }
  for (int m = 32 - 2; m >= 0; --m) {
    if (tx <= m) {
      const int column = tx + 32 - m;
      const int row = 32 - tx;
      temp[row][column] =
          max(temp[row - 1][column - 1] + match[row * pitch + column],
              max(temp[row][column - 1], temp[row - 1][column]) - penalty);
    }
    __syncthreads();
  }

  for (int i = 0; i < 32; ++i)
    corner[(i + 1) * pitch + tx + 1] = temp[i + 1][tx + 1];
}

void launch08(int *scores, const int *similarity, int pitch, int penalty,
              int diagonal) {
  job08_wavefront_32<<<diagonal + 1, 32>>>(scores, similarity, pitch, penalty,
                                           diagonal);
}
