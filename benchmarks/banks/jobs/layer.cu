// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Job 12: the forward step of a neural layer. A block multiplies 16 x 16
// weights by the values of their inputs and adds them up along the inputs.

constexpr int SIDE = 16;

__global__ void job12_layer_forward(float *partial, float *weights,
                                    const float *inputs, int pitch) {
  __shared__ float input_node[SIDE];
  __shared__ float weight_matrix[SIDE][SIDE];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int input = blockIdx.y * SIDE + ty;
  const int weight = input * pitch + tx;

  if (tx == 0)
    input_node[ty] = inputs[input];
  __syncthreads();
  weight_matrix[ty][tx] = weights[weight];
  __syncthreads();
  weight_matrix[ty][tx] = weight_matrix[ty][tx] * input_node[ty];
  __syncthreads();

  for (int power = 2; power <= SIDE; power *= 2) {
    if (ty % power == 0)
      weight_matrix[ty][tx] += weight_matrix[ty + power / 2][tx];
    __syncthreads();
  }

  weights[weight] = weight_matrix[ty][tx];
  if (tx == 0)
    partial[blockIdx.y * SIDE + ty] = weight_matrix[tx][ty];
}

void launch12(float *partial, float *weights, const float *inputs, int pitch,
              int blocks) {
  job12_layer_forward<<<dim3(1, blocks), dim3(SIDE, SIDE)>>>(partial, weights,
                                                             inputs, pitch);
}
