// REQUIRES: cuda
// RUN: %cuda-opt --cuda-path=%cuda-path %s 2>%t.err | FileCheck %s
// RUN: not grep warning: %t.err
// RUN: %cuda-opt --cuda-path=%cuda-path %s -- -extended-lambda -DLAMBDA \
// RUN:   2>%t.err | FileCheck %s
// RUN: not grep warning: %t.err
//
// Textures and surfaces are declared, though what clang has to implement them
// is left out. As with nvcc, <functional> comes with extended lambdas.

#ifdef LAMBDA
std::function<int(int)> Function;
#endif

__global__ void transpose(float *Out, cudaTextureObject_t Texture,
                          cudaSurfaceObject_t Surface) {
  // CHECK: {{^ +}}__shared__ float tile[32][32 + 1];
  __shared__ float tile[32][32];
  float Last;
  tex1D(&Last, Texture, 0.5f);
  uint2 Pair = tex3D<uint2>(Texture, 1, 2, 3);
  tile[threadIdx.y][threadIdx.x] =
      tex2D<float>(Texture, threadIdx.x, threadIdx.y) + Last + Pair.x +
      tex2Dgather<float4>(Texture, 1, 2).x +
      surf2Dread<float>(Surface, threadIdx.x * 4, threadIdx.y);
  __syncthreads();
  surf2Dwrite(tile[threadIdx.x][threadIdx.y], Surface, threadIdx.x * 4,
              threadIdx.y);
}

void launch(float *Out, cudaTextureObject_t Texture,
            cudaSurfaceObject_t Surface) {
  transpose<<<1, dim3(32, 32)>>>(Out, Texture, Surface);
}
