// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the examples on images share: arguments, noise, device memory, dumps,
/// and the verdict.
//===----------------------------------------------------------------------===//

#ifndef EXAMPLES_COMMON_EXAMPLE_H
#define EXAMPLES_COMMON_EXAMPLE_H

#include "Png.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

/// Ends the program, with the place and CUDA's message, if \p call fails.
#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t status = (call);                                               \
    if (status != cudaSuccess) {                                               \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                  \
                   cudaGetErrorString(status));                                \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

namespace example {

struct Options {
  int size;                 ///< Pixels along each side.
  int steps;                ///< The number of iterations of the method.
  std::string dump;         ///< File that receives the bytes of the result.
  std::string folder = "."; ///< Where the pictures go.
};

/// Parses the command line over the defaults in \p options. Ends the program
/// with a usage line if an option is wrong, or if the size is no positive
/// multiple of \p granule.
inline Options parse(int argc, char **argv, Options options, int granule) {
  bool isValid = argc % 2 == 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string name = argv[i];
    if (name == "--size")
      options.size = std::atoi(argv[i + 1]);
    else if (name == "--steps")
      options.steps = std::atoi(argv[i + 1]);
    else if (name == "--dump")
      options.dump = argv[i + 1];
    else if (name == "--pictures")
      options.folder = argv[i + 1];
    else
      isValid = false;
  }
  if (!isValid || options.size < granule || options.size % granule != 0 ||
      options.steps < 1) {
    std::fprintf(stderr,
                 "usage: %s [--size N] [--steps S] [--dump FILE] "
                 "[--pictures FOLDER], N a multiple of %d\n",
                 argv[0], granule);
    std::exit(1);
  }
  return options;
}

/// A number in [-1, 1) that looks random and is the same on every machine.
inline float noise(uint32_t i) {
  i = (i ^ (i >> 16)) * 0x7feb352du;
  i = (i ^ (i >> 15)) * 0x846ca68bu;
  i ^= i >> 16;
  return float(i >> 8) / float(1 << 23) - 1.0f;
}

/// An array on the device, as long as the vector that it was made of.
template <typename T> class DeviceArray {
public:
  explicit DeviceArray(const std::vector<T> &values) : count(values.size()) {
    CHECK(cudaMalloc(&data, count * sizeof(T)));
    set(values);
  }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  ~DeviceArray() { cudaFree(data); }

  T *get() const { return data; }
  void set(const std::vector<T> &values) {
    CHECK(cudaMemcpy(data, values.data(), count * sizeof(T),
                     cudaMemcpyHostToDevice));
  }
  std::vector<T> values() const {
    std::vector<T> copy(count);
    CHECK(cudaMemcpy(copy.data(), data, count * sizeof(T),
                     cudaMemcpyDeviceToHost));
    return copy;
  }

private:
  T *data = nullptr;
  size_t count;
};

/// Ends the program if \p path could not be written.
inline void requireWritten(bool isWritten, const std::string &path) {
  if (isWritten)
    return;
  std::fprintf(stderr, "cannot write %s\n", path.c_str());
  std::exit(1);
}

/// Writes the picture \p name, see png::write.
template <typename Function>
void draw(const Options &options, const std::string &name, int width,
          int height, int scale, Function colorAt) {
  std::string path = options.folder + "/" + name + ".png";
  requireWritten(png::write(path, width, height, scale, colorAt), path);
}

/// Writes the bytes of the result to the file of --dump, if there is one, so
/// that two versions of a program can be compared bit by bit.
inline void dump(const Options &options, const std::vector<float> &result) {
  if (options.dump.empty())
    return;
  std::FILE *file = std::fopen(options.dump.c_str(), "wb");
  bool isWritten = file && std::fwrite(result.data(), sizeof(float),
                                       result.size(), file) == result.size();
  requireWritten(file && std::fclose(file) == 0 && isWritten, options.dump);
}

/// Prints how far the GPU's result is from the CPU's, and returns true if that
/// is \p tolerance at most. They are equal if nvcc was told -fmad=false;
/// otherwise products and sums are contracted on the GPU and round once less.
inline bool isClose(const char *name, const std::vector<float> &result,
                    const std::vector<float> &expected, float tolerance) {
  float worst = 0;
  for (size_t i = 0; i < result.size(); ++i) {
    float difference = std::fabs(result[i] - expected[i]);
    if (!(difference <= worst)) // Also if it is not a number.
      worst = difference;
  }
  std::printf("%s: the GPU's result differs from the CPU's by %g at most\n",
              name, worst);
  return worst <= tolerance;
}

/// Prints the verdict and returns the exit code of the program.
inline int conclude(bool hasPassed) {
  std::printf("%s\n", hasPassed ? "PASSED" : "FAILED");
  return hasPassed ? 0 : 1;
}

} // namespace example

#endif // EXAMPLES_COMMON_EXAMPLE_H
