#include <cudaopt/annotations.h>

void update(float *A, float *B, const int *w, const int *r, int m, int n) {
  CUDAOPT_LEVELIZE(A[0:m])
  for (int i = 0; i < n; ++i) {
    A[w[i]] = i;
    B[i] = A[r[i]];
  }
}
