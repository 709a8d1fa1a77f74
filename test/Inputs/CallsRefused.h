// A function of an included file that uses an array which it gets.
__device__ inline void fromHeader(float *Any) { Any[threadIdx.x * 2] = 0; }
