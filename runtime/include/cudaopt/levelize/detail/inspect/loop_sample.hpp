// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Estimates a loop's number of levels (the length of its longest chain of
/// dependences) from a few windows of consecutive iterations, on the host or,
/// by device_sample.hpp, on the device.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_INSPECT_LOOP_SAMPLE_HPP
#define CUDAOPT_LEVELIZE_DETAIL_INSPECT_LOOP_SAMPLE_HPP

#include "cudaopt/levelize/detail/inspect/location_map.hpp"
#include "cudaopt/levelize/detail/model/prediction.hpp"
#include "cudaopt/levelize/detail/support/exceptions.hpp"
#include "cudaopt/levelize/loop.hpp"

#include <memory>
#include <new>

namespace cudaopt::detail {

constexpr int sample_windows = 4;
/// The most iterations and accesses of one window: so few that looking costs
/// nearly nothing.
constexpr index_t most_window_iterations = 512;
constexpr unsigned most_window_accesses = 1024;
/// The most accesses of one iteration; more are left out.
constexpr unsigned most_sampled = 32;

/// The iterations of a window on the host, unless their accesses are too many.
/// It is a small part of the loop, since looking at an iteration takes about as
/// long as running it.
inline index_t host_window(index_t iterations) {
  return std::min(iterations, std::clamp<index_t>(iterations / 512, 32,
                                                  most_window_iterations));
}
/// The first iteration of a window; windows are spread evenly.
CUDAOPT_HOST_DEVICE inline index_t window_begin(int window, index_t size,
                                                index_t iterations) {
  return (iterations - size) * window / sample_windows;
}

/// A location's hash, whether it is an iteration's first access and whether it
/// modifies. Hashes that collide make an estimate worse, rarely.
class sampled_access {
public:
  sampled_access() = default;
  CUDAOPT_HOST_DEVICE sampled_access(index_t location, bool begins,
                                     bool modifies)
      : word_(hash(location) << 2 | std::uint32_t(begins) << 1 |
              std::uint32_t(modifies)) {}
  std::uint32_t location() const { return word_ >> 2; }
  bool begins() const { return word_ & 2; }
  bool modifies() const { return word_ & 1; }

private:
  CUDAOPT_HOST_DEVICE static std::uint32_t hash(index_t location) {
    return std::uint32_t(std::uint64_t(location) * 0x9e3779b97f4a7c15ull >> 34);
  }
  std::uint32_t word_;
};

/// The accesses of consecutive iterations, in their order; iterations without
/// accesses leave nothing.
struct access_window {
  std::uint32_t iterations, accesses;
  sampled_access items[most_window_accesses];
};

/// The touch that samples one iteration, on host and device. Without room in
/// [next, end) it only counts.
struct sampling_touch {
  const location_map &map;
  sampled_access *next = nullptr, *end = nullptr;
  unsigned count = 0;
  bool is_bad = false;

  template <class T>
  CUDAOPT_HOST_DEVICE void read(const array<T> &a, index_t j) {
    add(a.number(), j, false);
  }
  template <class T>
  CUDAOPT_HOST_DEVICE void write(const array<T> &a, index_t j) {
    add(a.number(), j, true);
  }
  template <class T, class Op>
  CUDAOPT_HOST_DEVICE void update(const array<T> &a, index_t j, Op) {
    add(a.number(), j, true);
  }
  CUDAOPT_HOST_DEVICE unsigned kept() const {
    return count < most_sampled ? count : most_sampled;
  }

private:
  CUDAOPT_HOST_DEVICE void add(int number, index_t j, bool modifies) {
    const bool is_good = map.contains(number, j);
    is_bad |= !is_good;
    const index_t first = is_good ? map.first(number, j) : 0;
    for (unsigned k = 0; k < map.span[number]; ++k, ++count)
      if (next < end)
        *next++ = sampled_access(first + index_t(k), count == 0, modifies);
  }
};

/// Returns the number of levels if any two of \p iterations conflict with the
/// same chance, and each conflicts with \p partners others on average: the
/// greatest length of which at least one chain is expected. Of chains of k + 1
/// iterations, iterations * partners^k / (k + 1)! are.
inline index_t levels_by_chance(double partners, index_t iterations) {
  constexpr double many = 50; // From here on, it is near to e * partners.
  if (partners > many)
    return index_t(std::min(double(iterations), 2.7 * partners));
  index_t levels = 1;
  double chains = double(iterations); // Expected chains of `levels` iterations.
  while ((chains *= partners / double(levels + 1)) >= 1)
    ++levels;
  return std::min(levels, iterations);
}

/// Adds up what windows show: within a window levels are computed exactly, by
/// location as in a sequential inspection; for the whole loop they are
/// extrapolated.
class level_estimate {
public:
  explicit level_estimate(index_t iterations) : iterations_(iterations) {}

  void add(const access_window &window) {
    if (!places_)
      return; // Without memory for it no estimate is made.
    std::fill_n(places_.get(), places, place());
    std::uint32_t levels = 1, half = 1, all = 0, waiting = 0;
    std::uint32_t late = 0, late_waiting = 0;
    for (std::uint32_t k = 0, end; k < window.accesses; k = end) {
      for (end = k + 1; end < window.accesses && !window.items[end].begins();)
        ++end;
      const std::uint32_t level =
          level_of(window.items + k, window.items + end);
      levels = std::max(levels, level);
      ++all;
      waiting += level > 1;
      if (end <= (window.accesses + 1) / 2) {
        half = levels;
      } else {
        ++late;
        late_waiting += level > 1;
      }
    }
    waiting_ += waiting;
    pairs_ += 0.5 * double(all) * double(all);
    // A few that meet by chance do not make a chain that goes on.
    const bool goes_on = 8 * late_waiting >= late;
    levels_ = std::max(levels_, goes_on ? extrapolate_levels(half, levels,
                                                             window.iterations,
                                                             iterations_)
                                        : index_t(levels));
    is_whole_ = index_t(window.iterations) >= iterations_;
  }
  index_t levels() const {
    if (is_whole_ || pairs_ == 0)
      return levels_;
    return std::max(
        levels_,
        levels_by_chance(waiting_ / pairs_ * double(iterations_), iterations_));
  }

private:
  struct place {
    std::uint32_t location = 0;         ///< Plus 1; 0: none.
    std::uint32_t stored = 0, read = 0; ///< Levels; 0: there was none.
  };

  place &place_of(sampled_access a) {
    for (std::uint32_t k = a.location();; ++k) {
      place &p = places_[k % places];
      if (p.location == 0)
        p.location = a.location() + 1;
      if (p.location == a.location() + 1)
        return p;
    }
  }
  /// The level, within the window, of the iteration with the accesses
  /// [begin, end).
  std::uint32_t level_of(const sampled_access *begin,
                         const sampled_access *end) {
    place *places[most_sampled];
    std::uint32_t level = 1;
    for (const sampled_access *a = begin; a != end; ++a) {
      place &p = *(places[a - begin] = &place_of(*a));
      level = std::max(level, p.stored + 1);
      if (a->modifies())
        level = std::max(level, p.read + 1);
    }
    for (const sampled_access *a = begin; a != end; ++a) {
      place &p = *places[a - begin];
      (a->modifies() ? p.stored : p.read) = level;
    }
    return level;
  }

  index_t iterations_, levels_ = 1;
  /// The numbers of iterations in windows that wait for another one, and of
  /// pairs of iterations of one window.
  double waiting_ = 0, pairs_ = 0;
  bool is_whole_ = false; ///< A window is the whole loop.
  static constexpr std::uint32_t places = 2 * most_window_accesses;
  std::unique_ptr<place[]> places_{new (std::nothrow) place[places]};
};

/// Samples the window of \p size iterations from \p first, as far as there is
/// room, and adds the number of its accesses to \p accesses. Returns false if
/// an index is out of range.
template <class Loop>
bool sample_on_host(const Loop &loop, index_t first, index_t size,
                    const location_map &map, access_window &window,
                    double &accesses) {
  window.iterations = window.accesses = 0;
  for (index_t i = first; i < first + size; ++i) {
    sampling_touch touch{map, window.items + window.accesses,
                         window.items + std::min(window.accesses + most_sampled,
                                                 most_window_accesses)};
    loop.slice(i, touch);
    if (touch.is_bad)
      return false;
    if (window.accesses + touch.kept() > most_window_accesses)
      return true;
    window.accesses += touch.kept();
    ++window.iterations;
    accesses += touch.count;
  }
  return true;
}

/// The accesses of all iterations, if they are like the first eight.
template <class Loop>
double guess_accesses(const Loop &loop, index_t iterations,
                      const location_map &map) {
  const index_t few = std::min<index_t>(iterations, 8);
  sampling_touch touch{map};
  for (index_t i = 0; i < few; ++i)
    loop.slice(i, touch);
  return double(touch.count) / double(few) * double(iterations);
}

/// Fills in the iterations, accesses and levels of a loop whose slices the host
/// can run. Returns false if that is not possible: an index is out of range,
/// there is no memory, or slices read what the loop writes.
template <class Loop>
bool estimate_on_host(const Loop &loop, index_t iterations,
                      const location_map &map, loop_facts &facts) {
  if constexpr (is_self_indexing<Loop>::value) {
    return false;
  } else {
    level_estimate estimate(iterations);
    const index_t size = host_window(iterations);
    const auto window = make_or_null<access_window>();
    if (!window)
      return false;
    double accesses = 0, sampled = 0;
    for (int w = 0; w < sample_windows; ++w) {
      if (!sample_on_host(loop, window_begin(w, size, iterations), size, map,
                          *window, accesses))
        return false;
      sampled += double(window->iterations);
      estimate.add(*window);
    }
    facts.iterations = iterations;
    facts.levels = estimate.levels();
    facts.accesses = index_t(accesses / sampled * double(iterations));
    return true;
  }
}

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_INSPECT_LOOP_SAMPLE_HPP
