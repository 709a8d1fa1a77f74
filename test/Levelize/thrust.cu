// RUN: %cuda-opt --passes=levelize %s -o %t.cu -- %cuda-flags -I %include-runtime -std=c++17 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: grep -v '^ *//' %t.cu | FileCheck %s
//
// Vectors of thrust whose elements the host has are arrays.
#include <cudaopt/annotations.h>

namespace thrust {
template <class T> T *raw_pointer_cast(T *p) { return p; }
namespace detail {
template <class T> struct vector_base {
  T *data();
  unsigned long size() const;
  T &operator[](unsigned long);
};
} // namespace detail
template <class T> struct host_vector : detail::vector_base<T> {};
template <class T> using universal_vector = detail::vector_base<T>;
template <class T> struct proxy {
  operator T() const;
  proxy &operator=(T);
};
template <class T> struct device_vector {
  proxy<T> operator[](unsigned long);
};
} // namespace thrust

// CHECK: {thrust::raw_pointer_cast(x.data()), cudaopt::index_t(x.size()), 0}
// CHECK: cudaopt::index(thrust::raw_pointer_cast(p.data()), p.size())
void on_host(thrust::universal_vector<float> &x, thrust::host_vector<int> &p,
             int n) {
  CUDAOPT_LEVELIZE()
  for (int i = 0; i < n; ++i)
    x[p[i]] = i;
}
// REMARK: each element of 'x' is a copy of its own from the device; use the pointer thrust::raw_pointer_cast(x.data())
void on_device(thrust::device_vector<float> &x, const int *p, int n) {
  CUDAOPT_LEVELIZE(p[0:n])
  for (int i = 0; i < n; ++i)
    x[p[i]] = i;
}
// REMARK: 1 loop made parallel
