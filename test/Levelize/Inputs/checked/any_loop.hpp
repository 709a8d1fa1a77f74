// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Rewritten loops behind virtual functions: hundreds of them compile in the
/// time that one takes with all strategies of the runtime.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_LEVELIZE_ANY_LOOP_HPP
#define CUDAOPT_TEST_LEVELIZE_ANY_LOOP_HPP

#include "cudaopt/levelize/loop_uses.hpp"

#include <initializer_list>
#include <memory>
#include <type_traits>

namespace cudaopt::checked {

/// Of `x[j] op= value`.
struct any_update {
  unsigned operation; ///< Its id.
  bool is_floating, is_signed;
  void (*apply)(void *x, const void *value);
};

template <class T, class Op> any_update update_of(Op) {
  return {Op::id, std::is_floating_point_v<T>, std::is_signed_v<T>,
          [](void *x, const void *value) {
            *static_cast<T *>(x) =
                Op{}(*static_cast<T *>(x), *static_cast<const T *>(value));
          }};
}

/// What a slice tells its accesses to.
class any_touch {
public:
  template <class T> void read(const array<T> &a, index_t j) {
    touch(access_kind::read, a.number(), j, {});
  }
  template <class T> void write(const array<T> &a, index_t j) {
    touch(access_kind::write, a.number(), j, {});
  }
  template <class T, class Op> void update(const array<T> &a, index_t j, Op o) {
    touch(access_kind::update, a.number(), j, update_of<T>(o));
  }
  template <class T> T load(const array<T> &a, index_t j) {
    T value;
    load_element(a.number(), j, &value);
    return value;
  }

  virtual void touch(access_kind kind, int array, index_t j,
                     const any_update &how) = 0;
  virtual void load_element(int array, index_t j, void *value) = 0;

protected:
  ~any_touch() = default;
};

/// What a body accesses conflict arrays by.
class any_memory {
public:
  template <class T> T load(const array<T> &a, index_t j) {
    T value;
    load_element(a.number(), j, &value);
    return value;
  }
  template <class T> void store(const array<T> &a, index_t j, T value) {
    store_element(a.number(), j, &value);
  }
  template <class T, class Op>
  void update(const array<T> &a, index_t j, Op o, T value) {
    update_element(a.number(), j, update_of<T>(o), &value);
  }

  virtual void load_element(int array, index_t j, void *value) = 0;
  virtual void store_element(int array, index_t j, const void *value) = 0;
  virtual void update_element(int array, index_t j, const any_update &how,
                              const void *value) = 0;

protected:
  ~any_memory() = default;
};

/// Tells where a copy of what lies at an address is.
class any_map {
public:
  virtual void *operator()(void *p) const = 0;

protected:
  ~any_map() = default;
};

struct any_loop {
  bool is_self_indexing, is_independent;

  virtual ~any_loop() = default;
  virtual extents arrays() const = 0;
  virtual void slice(index_t i, any_touch &touch) const = 0;
  virtual void body(index_t i, any_memory &memory) const = 0;
  /// The same loop over the data that \p where leads to.
  virtual std::unique_ptr<any_loop> moved(const any_map &where) const = 0;
};

template <class Loop> struct any_loop_of final : any_loop {
  Loop loop;

  explicit any_loop_of(const Loop &l) : loop(l) {
    is_self_indexing = detail::is_self_indexing<Loop>::value;
    is_independent = detail::is_independent<Loop>::value;
  }
  extents arrays() const override { return loop.arrays(); }
  void slice(index_t i, any_touch &touch) const override {
    loop.slice(i, touch);
  }
  void body(index_t i, any_memory &memory) const override {
    loop.body(i, memory);
  }
  std::unique_ptr<any_loop> moved(const any_map &where) const override {
    auto *copy = new any_loop_of(loop);
    // A pointer to each type of its own would take most of the compile time.
    std::unique_ptr<any_loop> result(static_cast<any_loop *>(copy));
    copy->loop.each_pointer([&](auto *&p) {
      using pointer = std::remove_reference_t<decltype(p)>;
      p = static_cast<pointer>(
          where(const_cast<void *>(static_cast<const void *>(p))));
    });
    return result;
  }
};

/// Checks what a loop must keep, and runs it by a strategy of the runtime.
/// Returns false if that refused and the loop is to run as it stands.
bool run(const any_loop &loop, index_t iterations,
         std::initializer_list<memory_use> uses, const loop_options &wanted);

} // namespace cudaopt::checked

#endif // CUDAOPT_TEST_LEVELIZE_ANY_LOOP_HPP
