static __global__ void kernel(int *Data) { *Data += 1; }

int runElsewhere(int X) {
  int *Data;
  cudaMallocManaged(&Data, 4);
  *Data = X;
  kernel<<<1, 1>>>(Data);
  cudaDeviceSynchronize();
  return *Data;
}
