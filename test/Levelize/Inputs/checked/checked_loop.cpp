// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Loops of rewritten programs, checked and run by the runtime's CPU backend. A
/// broken promise is printed among the program's results.
//===----------------------------------------------------------------------===//

#include "contract.hpp"

#include <cudaopt/host_loop.hpp>

namespace cudaopt::checked {
namespace {

/// Calls \p f with a value of the element's type, as far as it matters.
template <class F> void with_word(index_t bytes, F &&f) {
  switch (bytes) {
  case 1:
    return f(std::uint8_t());
  case 2:
    return f(std::uint16_t());
  case 4:
    return f(std::uint32_t());
  case 8:
    return f(std::uint64_t());
  default:
    std::abort();
  }
}
/// Where the sign does not matter it is not kept: minima are of words.
template <class F> void with_number(index_t bytes, const any_update &u, F &&f) {
  if (u.is_floating)
    return bytes == 8 ? f(double()) : f(float());
  switch (bytes) {
  case 1:
    return f(std::uint8_t());
  case 2:
    return f(std::uint16_t());
  case 4:
    return u.is_signed ? f(std::int32_t()) : f(std::uint32_t());
  default:
    return u.is_signed ? f(std::int64_t()) : f(std::uint64_t());
  }
}
template <class T, class F> void with_operation(const any_update &u, F &&f) {
  switch (u.operation) {
  case plus::id:
    return f(plus{});
  case multiplies::id:
    return f(multiplies{});
  case minimum::id:
    return f(minimum{});
  case maximum::id:
    return f(maximum{});
  default:
    break;
  }
  if constexpr (std::is_integral_v<T>) {
    if (u.operation == bit_and::id)
      return f(bit_and{});
    return u.operation == bit_or::id ? f(bit_or{}) : f(bit_xor{});
  }
}

template <class T> array<T> array_of(const extents &e, int number) {
  return {static_cast<T *>(e.items[number].data), e.items[number].size, number};
}

template <class Touch> class touch_of final : public any_touch {
public:
  touch_of(Touch &touch, const extents &e) : Touched(touch), Arrays(e) {}

  void touch(access_kind kind, int number, index_t j,
             const any_update &how) override {
    with_word(Arrays.items[number].element_bytes, [&](auto word) {
      const auto a = array_of<decltype(word)>(Arrays, number);
      if (kind == access_kind::read)
        Touched.read(a, j);
      else if (kind == access_kind::write)
        Touched.write(a, j);
    });
    if (kind == access_kind::update)
      with_number(Arrays.items[number].element_bytes, how, [&](auto value) {
        using type = decltype(value);
        with_operation<type>(how, [&](auto operation) {
          Touched.update(array_of<type>(Arrays, number), j, operation);
        });
      });
  }
  void load_element(int number, index_t j, void *value) override {
    if constexpr (has_load<Touch>::value)
      with_word(Arrays.items[number].element_bytes, [&](auto word) {
        word = Touched.load(array_of<decltype(word)>(Arrays, number), j);
        std::memcpy(value, &word, sizeof(word));
      });
  }

private:
  template <class T, class = void> struct has_load : std::false_type {};
  template <class T>
  struct has_load<T, std::void_t<decltype(std::declval<T &>().load(
                         array<int>(), index_t()))>> : std::true_type {};

  Touch &Touched;
  const extents &Arrays;
};

template <class Memory> class memory_of final : public any_memory {
public:
  memory_of(Memory &memory, const extents &e) : Accessed(memory), Arrays(e) {}

  void load_element(int number, index_t j, void *value) override {
    with_word(Arrays.items[number].element_bytes, [&](auto word) {
      word = Accessed.load(array_of<decltype(word)>(Arrays, number), j);
      std::memcpy(value, &word, sizeof(word));
    });
  }
  void store_element(int number, index_t j, const void *value) override {
    with_word(Arrays.items[number].element_bytes, [&](auto word) {
      std::memcpy(&word, value, sizeof(word));
      Accessed.store(array_of<decltype(word)>(Arrays, number), j, word);
    });
  }
  void update_element(int number, index_t j, const any_update &how,
                      const void *value) override {
    with_number(Arrays.items[number].element_bytes, how, [&](auto v) {
      using type = decltype(v);
      std::memcpy(&v, value, sizeof(v));
      with_operation<type>(how, [&](auto operation) {
        Accessed.update(array_of<type>(Arrays, number), j, operation, v);
      });
    });
  }

private:
  Memory &Accessed;
  const extents &Arrays;
};

/// What the runtime gets.
template <bool SelfIndexing, bool Independent> struct wrapped_loop {
  static constexpr bool is_self_indexing = SelfIndexing;
  static constexpr bool is_independent = Independent;
  const any_loop *Loop;
  extents Arrays;

  extents arrays() const { return Arrays; }
  template <class Visit> void each_pointer(Visit &&) {}
  template <class Touch> void slice(index_t i, Touch &touch) const {
    touch_of<Touch> wrapped(touch, Arrays);
    Loop->slice(i, wrapped);
  }
  template <class Memory> void body(index_t i, Memory &memory) const {
    memory_of<Memory> wrapped(memory, Arrays);
    Loop->body(i, wrapped);
  }
};

bool run_wrapped(const any_loop &loop, index_t iterations,
                 std::initializer_list<memory_use> uses,
                 const loop_options &wanted) {
  const extents arrays = loop.arrays();
  if (loop.is_self_indexing)
    return run_loop(wrapped_loop<true, false>{&loop, arrays}, iterations, uses,
                    wanted);
  if (loop.is_independent)
    return run_loop(wrapped_loop<false, true>{&loop, arrays}, iterations, uses,
                    wanted);
  return run_loop(wrapped_loop<false, false>{&loop, arrays}, iterations, uses,
                  wanted);
}

/// How many loops each strategy ran, told at the end.
struct statistics {
  long calls = 0, refused = 0, ran[num_strategies] = {};

  ~statistics() {
    std::fprintf(stderr, "%ld calls, %ld refused", calls, refused);
    for (int s = 0; s < num_strategies; ++s)
      if (ran[s])
        std::fprintf(stderr, ", %ld by %s", ran[s], name_of(strategy(s)));
    std::fputs("\n", stderr);
  }
};

/// The first of some strategies that takes the loop; false if none does.
bool run_by_any(const any_loop &loop, index_t iterations,
                std::initializer_list<memory_use> uses,
                const loop_options &wanted, random_numbers &random,
                statistics &counts) {
  const auto any = [&] {
    return strategy(2 + random.below(num_strategies - 2));
  };
  for (strategy s : {any(), any(), strategy::tickets, strategy::reserve}) {
    loop_options mine = wanted;
    mine.inspection_options.where = backend::cpu;
    mine.inspection_options.threads = 2;
    if (mine.inspection_options.force == strategy::automatic)
      mine.inspection_options.force = s;
    if (run_wrapped(loop, iterations, uses, mine)) {
      ++counts.ran[int(mine.inspection_options.force)];
      return true;
    }
  }
  return false;
}

} // namespace

bool run(const any_loop &loop, index_t iterations,
         std::initializer_list<memory_use> uses, const loop_options &wanted) {
  static statistics counts;
  if (detail::is_off())
    return false;
  ++counts.calls;
  random_numbers random(std::uint64_t(counts.calls));
  if (!detail::are_disjoint(loop.arrays(), loop.is_independent, uses)) {
    ++counts.refused;
    return run_wrapped(loop, iterations, uses, wanted);
  }
  contract promises(loop, iterations, uses);
  const char *broken = promises.check_slices();
  if (!broken)
    broken = promises.check_order(random);
  if (!broken)
    broken = promises.check_extents();
  if (!broken && run_by_any(loop, iterations, uses, wanted, random, counts))
    broken = promises.compare("a strategy has another result");
  if (broken)
    std::printf("BROKEN: %s\n", broken);
  else
    promises.keep_result();
  return !broken;
}

} // namespace cudaopt::checked
