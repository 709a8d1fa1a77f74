// RUN: %python -c "import sys; open(sys.argv[2], 'wb').write(open(sys.argv[1], 'rb').read().replace(b'\n', b'\r\n'))" %s %t.cu
// RUN: %cuda-opt --passes=levelize %t.cu -o %t.out.cu -- %cuda-flags -I %include-runtime 2>&1 | FileCheck %s
// RUN: %python -c "import sys; d = open(sys.argv[1], 'rb').read(); sys.exit(d.count(b'\n') != d.count(b'\r\n') or b'\r\r' in d)" %t.out.cu
//
// What is written has the line ends of the file.
#include <cudaopt/annotations.h>

// CHECK: 1 loop made parallel
void f(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = 1;
}
