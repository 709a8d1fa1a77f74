__global__ void reverse(float *out, const float *in) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float mine = in[t];

  // A barrier is missing between the two.
  s[t] = mine;

  out[t] = s[63 - t];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(in, 0, 64 * sizeof(float));
  reverse<<<1, 64>>>(out, in);
  cudaDeviceSynchronize();
}
