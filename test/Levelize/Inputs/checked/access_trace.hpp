// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The accesses that slices tell and bodies make.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_LEVELIZE_ACCESS_TRACE_HPP
#define CUDAOPT_TEST_LEVELIZE_ACCESS_TRACE_HPP

#include "any_loop.hpp"

#include <cstring>
#include <vector>

namespace cudaopt::checked {

struct access {
  access_kind kind;
  int array;
  index_t element;
  unsigned operation; ///< Of updates.

  bool operator==(const access &o) const {
    return kind == o.kind && array == o.array && element == o.element &&
           operation == o.operation;
  }
};
using trace = std::vector<access>;

/// Arrays by their numbers.
class elements {
public:
  explicit elements(const extents &arrays) : Arrays(arrays) {}

  bool contains(int array, index_t j) const {
    return array >= 0 && array < Arrays.count && j >= 0 &&
           j < Arrays.items[array].size;
  }
  void *place(int array, index_t j) const {
    return static_cast<char *>(Arrays.items[array].data) + j * bytes(array);
  }
  index_t bytes(int array) const { return Arrays.items[array].element_bytes; }

private:
  extents Arrays;
};

/// Of an iteration's slice. What is loaded outside of an array is zero.
class slice_trace final : public any_touch {
public:
  slice_trace(const elements &e, trace &result) : Elements(e), Result(result) {}

  void touch(access_kind kind, int array, index_t j,
             const any_update &how) override {
    const bool updates = kind == access_kind::update;
    Result.push_back({kind, array, j, updates ? how.operation : 0});
  }
  void load_element(int array, index_t j, void *value) override {
    touch(access_kind::read, array, j, {});
    if (Elements.contains(array, j))
      std::memcpy(value, Elements.place(array, j), Elements.bytes(array));
    else
      std::memset(value, 0, Elements.bytes(array));
  }

private:
  const elements &Elements;
  trace &Result;
};

/// Of a body that runs; what it loads is kept.
class body_trace final : public any_memory {
public:
  body_trace(const elements &e, trace &result, std::vector<char> &loaded)
      : Elements(e), Result(result), Loaded(loaded) {}

  void load_element(int array, index_t j, void *value) override {
    const auto bytes = std::size_t(Elements.bytes(array));
    Result.push_back({access_kind::read, array, j, 0});
    std::memcpy(value, Elements.place(array, j), bytes);
    const char *from = static_cast<const char *>(value);
    Loaded.insert(Loaded.end(), from, from + bytes);
  }
  void store_element(int array, index_t j, const void *value) override {
    Result.push_back({access_kind::write, array, j, 0});
    std::memcpy(Elements.place(array, j), value, Elements.bytes(array));
  }
  void update_element(int array, index_t j, const any_update &how,
                      const void *value) override {
    Result.push_back({access_kind::update, array, j, how.operation});
    how.apply(Elements.place(array, j), value);
  }

private:
  const elements &Elements;
  trace &Result;
  std::vector<char> &Loaded;
};

/// Lets a body run again: it loads what it loaded, and stores nothing.
class replay final : public any_memory {
public:
  replay(const elements &e, const std::vector<char> &loaded)
      : Elements(e), Loaded(loaded) {}

  void load_element(int array, index_t, void *value) override {
    const auto bytes = std::size_t(Elements.bytes(array));
    if (At + bytes <= Loaded.size())
      std::memcpy(value, Loaded.data() + At, bytes);
    else
      std::memset(value, 0, bytes);
    At += bytes;
  }
  void store_element(int, index_t, const void *) override {}
  void update_element(int, index_t, const any_update &, const void *) override {
  }

private:
  const elements &Elements;
  const std::vector<char> &Loaded;
  std::size_t At = 0;
};

/// Nothing but the accesses.
class plain_memory final : public any_memory {
public:
  explicit plain_memory(const elements &e) : Elements(e) {}

  void load_element(int array, index_t j, void *value) override {
    std::memcpy(value, Elements.place(array, j), Elements.bytes(array));
  }
  void store_element(int array, index_t j, const void *value) override {
    std::memcpy(Elements.place(array, j), value, Elements.bytes(array));
  }
  void update_element(int array, index_t j, const any_update &how,
                      const void *value) override {
    how.apply(Elements.place(array, j), value);
  }

private:
  const elements &Elements;
};

} // namespace cudaopt::checked

#endif // CUDAOPT_TEST_LEVELIZE_ACCESS_TRACE_HPP
