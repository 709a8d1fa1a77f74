// What rewritten loops name, to parse them again without the standard library.
#pragma GCC system_header
#ifndef CUDAOPT_HOST_LOOP_HPP
#define CUDAOPT_HOST_LOOP_HPP

#define CUDAOPT_HOST_DEVICE __attribute__((host)) __attribute__((device))

namespace cudaopt {

using index_t = long;
template <class T> struct array {
  T *data;
  index_t size;
  int number;
};
struct extents {};
template <class Loop, class T> struct row_loop {
  array<T> x;
  index_t first = 0, stride = 1;
};
template <class... T> extents extents_of(const array<T> &...) { return {}; }
struct plus {};
struct multiplies {};
template <class A, class B> auto product(A a, B b) { return a * b; }
template <class A, class B> auto quotient(A a, B b) { return a / b; }
template <class T> T negated(T v) { return -v; }
struct bit_and {};
struct bit_or {};
struct bit_xor {};
struct plan {};
enum class strategy { atomic_reduction };
struct memory_use {};
template <class T> memory_use in(const T *, index_t) { return {}; }
template <class T> memory_use index(const T *, index_t) { return {}; }
template <class T> memory_use out(T *, index_t) { return {}; }
template <class T> memory_use fixed(const T &) { return {}; }
struct memory_uses {
  template <class... Use> memory_uses(Use...) {}
};
struct loop_options {
  loop_options &reassociated() { return *this; }
  loop_options &approximate() { return *this; }
  loop_options &forced(strategy) { return *this; }
  loop_options &reused(plan &) { return *this; }
};
template <class Loop, class... Pointer> bool is_small(index_t, Pointer...) {
  return false;
}
template <class Loop>
bool run_loop(Loop, index_t, memory_uses, loop_options = {}) {
  return false;
}

} // namespace cudaopt

#endif
