// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The lineage walk of the GPU: how a warp follows the descendants of a range
/// of roots.
///
/// A warp has one stack of cells that will divide, in shared memory. In each
/// round its lanes take the 32 cells on top, and push the daughters that will
/// divide in turn; so all lanes have work while there are 32 cells, and the
/// longest tree is shared by all lanes. Where the stack has fewer, roots fill
/// the other lanes.
///
/// The stack never holds more than 32 cells for each generation: it is sorted,
/// youngest generation on top. If a round takes cells of a generation below g,
/// it takes all of generation g, so that the cells of generations up to g are
/// afterwards those of generations below g and at most 32 more. Memory is
/// hence linear in the depth of the trees, not exponential.
//===----------------------------------------------------------------------===//

#ifndef CELLS_WARPWALK_CUH
#define CELLS_WARPWALK_CUH

#include "Jobs.h"
#include "Lineage.h"

namespace cells {

constexpr int WARP = 32;
constexpr unsigned ALL_LANES = 0xFFFFFFFFu;
constexpr int MOST_BINS_OF_JOB = 32;       ///< A tag has 5 bits for a bin.
constexpr int MOST_ROOTS_OF_JOB = 1 << 16; ///< A tag has 17 bits for a root.
constexpr int QUEUE_SIZE = 2 * WARP;       ///< Roots that wait for a lane.

/// The argument of a launch, which does each job for each item of a batch (a
/// model with its seed).
template <typename Real> struct Launch {
  const Job *jobs;
  const Rules<Real> *items;
  const uint32_t *firstRoot;     ///< As in Population.
  const int *limit;              ///< As in Population.
  unsigned long long *cells;     ///< A table for each item, see Shape.
  unsigned long long *divisions; ///< By item: their number.
  unsigned long long *next;      ///< The next pair of job and item to take.
  uint32_t jobCount, itemCount, binCount;
  int typeCount, columnCount;
  int stackSize, counterCount; ///< Elements of a warp's stack and counters.
};

/// The offsets in bytes of the arrays of a warp in its slice of shared memory.
template <typename Real, typename Path> struct Slice {
  int stackTime, queueTime, intervals, stackPath, stackTag, queueTag, counters,
      firstRoot, limit, size;

  CELLS_INLINE Slice(int stackSize, int counterCount) {
    int end = 0;
    auto place = [&](int count, int bytes) {
      int start = end;
      end += count * bytes;
      return start;
    };
    stackTime = place(stackSize, sizeof(Real));
    queueTime = place(QUEUE_SIZE, sizeof(Real));
    intervals = place(MOST_TYPES, sizeof(TruncatedNormal<Real>));
    stackPath = place(stackSize, sizeof(Path));
    stackTag = place(stackSize, 4);
    queueTag = place(QUEUE_SIZE, 4);
    counters = place(counterCount, 4);
    firstRoot = place(MOST_BINS_OF_JOB, 4);
    limit = place(MOST_BINS_OF_JOB, 4);
    size = (end + 15) / 16 * 16;
  }
};

/// All of a cell but its path and time, in one word: its root and bin, counted
/// from the first ones of the job, its type, and the generation that is too dim
/// to divide.
struct Tag {
  uint32_t bits;

  static __device__ Tag make(uint32_t root, int bin, int type, int limit) {
    return {root << 15 | uint32_t(bin) << 10 | uint32_t(type) << 6 |
            uint32_t(limit)};
  }
  __device__ uint32_t root() const { return bits >> 15; }
  __device__ int bin() const { return bits >> 10 & 31; }
  __device__ int type() const { return bits >> 6 & 15; }
  __device__ int limit() const { return bits & 63; }
};

/// The walk of one warp; \p memory is its slice of shared memory.
template <typename Real, typename Path> class WarpWalk {
public:
  __device__ WarpWalk(const Launch<Real> &launch, char *memory)
      : launch(launch), lane(threadIdx.x % WARP) {
    Slice<Real, Path> slice(launch.stackSize, launch.counterCount);
    stackTime = reinterpret_cast<Real *>(memory + slice.stackTime);
    queueTime = reinterpret_cast<Real *>(memory + slice.queueTime);
    intervals =
        reinterpret_cast<TruncatedNormal<Real> *>(memory + slice.intervals);
    stackPath = reinterpret_cast<Path *>(memory + slice.stackPath);
    stackTag = reinterpret_cast<Tag *>(memory + slice.stackTag);
    queueTag = reinterpret_cast<Tag *>(memory + slice.queueTag);
    counters = reinterpret_cast<uint32_t *>(memory + slice.counters);
    firstRoot = reinterpret_cast<uint32_t *>(memory + slice.firstRoot);
    limit = reinterpret_cast<int *>(memory + slice.limit);
    for (int i = lane; i < launch.counterCount; i += WARP)
      counters[i] = 0;
  }

  /// Follows all descendants of the roots of a job.
  __device__ void follow(const Job &theJob, uint32_t theItem) {
    job = theJob;
    item = theItem;
    prepare();
    int pending = 0, queued = 0;
    uint32_t met = 0; // Roots of the job that were looked at.
    for (uint32_t round = 1;; ++round) {
      while (pending + queued < WARP && met < job.rootCount) {
        queued = meetRoots(met, queued);
        met += WARP;
      }
      if (pending + queued == 0)
        break;
      divideTop(pending, queued);
      if (round % MOST_ROUNDS == 0)
        flush();
    }
    flush();
  }

private:
  /// Rounds between two flushes: a counter has 32 bits, and grows by 64 a round
  /// at most.
  static constexpr uint32_t MOST_ROUNDS = 1u << 25;

  __device__ void prepare() {
    const Rules<Real> &rules = launch.items[item];
    key = rules.key;
    duration = rules.duration;
    if (lane < launch.typeCount)
      intervals[lane] = rules.intervals[lane];
    if (lane < job.binCount) {
      firstRoot[lane] = launch.firstRoot[job.firstBin + lane];
      limit[lane] = launch.limit[job.firstBin + lane];
    }
    __syncwarp();
  }

  /// Counts one cell more of the bin and type of \p tag.
  __device__ void count(Tag tag, int column) {
    int row = tag.bin() * launch.typeCount + tag.type();
    atomicAdd(&counters[row * launch.columnCount + column], 1u);
  }

  /// Returns true if the cell will divide; otherwise counts it, as one of its
  /// generation at the end, or as one that vanished.
  __device__ bool meet(Tag tag, int generation, Real time) {
    bool isLeft = time > duration, isTooDim = generation >= tag.limit();
    if (isLeft || isTooDim)
      count(tag, isLeft ? generation : launch.columnCount - 1);
    return !isLeft && !isTooDim;
  }

  /// Looks at the next 32 roots and queues those that will divide. Returns how
  /// many are queued then.
  __device__ int meetRoots(uint32_t met, int queued) {
    bool divides = false;
    Tag tag{};
    Real time{};
    uint32_t index = met + lane;
    if (index < job.rootCount) {
      uint32_t root = job.firstRoot + index;
      int bin = 0;
      while (bin + 1 < job.binCount && firstRoot[bin + 1] <= root)
        ++bin;
      Founder<Real> first = founder(launch.items[item], root);
      tag = Tag::make(index, bin, first.type, limit[bin]);
      time = first.divisionTime;
      divides = meet(tag, 0, time);
    }
    unsigned dividing = __ballot_sync(ALL_LANES, divides);
    if (divides) {
      int place = queued + __popc(dividing & ((1u << lane) - 1));
      queueTime[place] = time;
      queueTag[place] = tag;
    }
    __syncwarp();
    return queued + __popc(dividing);
  }

  /// Divides the 32 cells on top of the stack; if it has fewer, all of them and
  /// roots of the queue. Pushes the daughters that will divide.
  __device__ void divideTop(int &pending, int &queued) {
    int fromStack = min(pending, WARP),
        fromQueue = min(queued, WARP - fromStack);
    int rest = pending - fromStack;
    queued -= fromQueue;

    bool hasCell = lane < fromQueue + fromStack;
    Tag tag{};
    Path path = 1;
    Real time{};
    if (lane < fromQueue) {
      tag = queueTag[queued + lane];
      time = queueTime[queued + lane];
    } else if (hasCell) {
      int place = rest + lane - fromQueue;
      tag = stackTag[place];
      time = stackTime[place];
      path = stackPath[place];
    }
    __syncwarp();

    bool leftDivides = false, rightDivides = false;
    Two<Real> daughters{};
    if (hasCell) {
      daughters = divide(key, intervals[tag.type()], job.firstRoot + tag.root(),
                         path, time);
      int generation = highestBit(path) + 1;
      leftDivides = meet(tag, generation, daughters.left);
      rightDivides = meet(tag, generation, daughters.right);
      ++divisions;
    }
    unsigned lefts = __ballot_sync(ALL_LANES, leftDivides);
    unsigned rights = __ballot_sync(ALL_LANES, rightDivides);
    unsigned before = (1u << lane) - 1;
    int place = rest + __popc(lefts & before) + __popc(rights & before);
    if (leftDivides)
      push(place, tag, 2 * path, daughters.left);
    if (rightDivides)
      push(place + leftDivides, tag, 2 * path + 1, daughters.right);
    __syncwarp();
    pending = rest + __popc(lefts) + __popc(rights);
  }

  __device__ void push(int place, Tag tag, Path path, Real time) {
    stackTag[place] = tag;
    stackPath[place] = path;
    stackTime[place] = time;
  }

  /// Adds the counters to the table of the item, and clears them.
  __device__ void flush() {
    __syncwarp();
    int rowSize = launch.typeCount * launch.columnCount;
    unsigned long long *rows =
        launch.cells +
        (size_t(item) * launch.binCount + job.firstBin) * rowSize;
    for (int i = lane; i < int(job.binCount) * rowSize; i += WARP) {
      uint32_t value = counters[i];
      if (value == 0)
        continue;
      atomicAdd(&rows[i], (unsigned long long)(value));
      counters[i] = 0;
    }
    for (int distance = WARP / 2; distance; distance /= 2)
      divisions += __shfl_down_sync(ALL_LANES, divisions, distance);
    if (lane == 0 && divisions > 0)
      atomicAdd(&launch.divisions[item], (unsigned long long)(divisions));
    divisions = 0;
    __syncwarp();
  }

  const Launch<Real> &launch;
  const int lane;
  Real *stackTime, *queueTime;
  TruncatedNormal<Real> *intervals;
  Path *stackPath;
  Tag *stackTag, *queueTag;
  uint32_t *counters, *firstRoot;
  int *limit;

  Job job;
  uint32_t item;
  Key key;
  Real duration;
  uint32_t divisions = 0; ///< By this lane since the latest flush.
};

constexpr int BLOCK = 128;

/// The kernel of the simulation: each warp takes one job after the other.
template <typename Real, typename Path>
__global__ void __launch_bounds__(BLOCK) followRoots(Launch<Real> launch) {
  extern __shared__ double2 memory[];
  Slice<Real, Path> slice(launch.stackSize, launch.counterCount);
  int warp = threadIdx.x / WARP;
  WarpWalk<Real, Path> walk(launch, reinterpret_cast<char *>(memory) +
                                        warp * slice.size);
  unsigned long long count =
      (unsigned long long)(launch.jobCount) * launch.itemCount;
  for (;;) {
    unsigned long long next = 0;
    if (threadIdx.x % WARP == 0)
      next = atomicAdd(launch.next, 1ull);
    next = __shfl_sync(ALL_LANES, next, 0);
    if (next >= count)
      break;
    // The jobs with the deepest trees come first, for all items.
    walk.follow(launch.jobs[next / launch.itemCount],
                uint32_t(next % launch.itemCount));
  }
}

} // namespace cells

#endif // CELLS_WARPWALK_CUH
