// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the paper prints in its tables 2 to 6, in seconds, measured there on a
/// Tesla C2070 and a 3.07 GHz Xeon.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_BENCHMARKS_LEVELIZE_PAPER_FIGURES_HPP
#define CUDAOPT_BENCHMARKS_LEVELIZE_PAPER_FIGURES_HPP

namespace cudaopt::bench {

/// Of one benchmark.
struct paper_figures {
  const char *name;
  int levels;
  double both, transfers, total, cpu; ///< Table 2.
  double inspection, rest;            ///< Table 3: DC, Exec+Mem.
  double pipeline_off, pipeline_on;   ///< Table 5; 0 where it has no row.
  /// Table 6, of auxiliary arrays of 1, 1/2, 1/4 and 1/8.
  int levels_of[4];
  double totals[4];
};

constexpr paper_figures rand_acc_figures = {"randAcc",
                                            19,
                                            1.256,
                                            0.646,
                                            1.902,
                                            2.852,
                                            0.963,
                                            1.024,
                                            1.990,
                                            1.901,
                                            {19, 24, 40, 64},
                                            {1.902, 2.094, 2.310, 2.577}};
constexpr paper_figures rand_acc3_figures = {"randAcc3",
                                             19,
                                             1.010,
                                             0.649,
                                             1.659,
                                             1.832,
                                             0.793,
                                             0.950,
                                             1.747,
                                             1.655,
                                             {19, 24, 40, 65},
                                             {1.659, 1.853, 2.047, 2.340}};
constexpr paper_figures do_all_figures = {
    "doAll", 1,     0.058, 0.650, 0.708,        0.433,
    0.031,   0.677, 0,     0,     {1, 2, 4, 8}, {0.708, 0.718, 0.739, 0.770}};
constexpr paper_figures convolution_figures = {
    "2dconv", 1,     0.094, 0.467, 0.561,        0.479,
    0.054,    0.517, 0,     0,     {1, 2, 4, 8}, {0.561, 0.562, 0.596, 0.612}};
constexpr paper_figures fdtd_figures = {
    "fdtd-2d", 1,     1.869, 0.397, 2.266,        3.916,
    1.506,     0.760, 0,     0,     {1, 2, 4, 8}, {2.266, 2.579, 3.182, 4.001}};
constexpr paper_figures gemm_figures = {
    "gemm", 1,     0.135, 0.075, 0.210,        7.910,
    0.085,  0.125, 0,     0,     {1, 2, 4, 8}, {0.210, 0.212, 0.215, 0.218}};
constexpr paper_figures mvt_figures = {
    "mvt", 1,     0.048, 0.090, 0.138,        0.195,
    0.027, 0.111, 0,     0,     {1, 2, 4, 8}, {0.138, 0.140, 0.202, 0.308}};

/// Table 4, fdtd-2d with 50 iterations: reuse off and on.
constexpr double reuse_figures[4][2] = {
    {9.760, 7.371}, {11.350, 7.761}, {15.285, 8.651}, {18.410, 10.465}};
constexpr double reuse_cpu_figure = 19.51;

} // namespace cudaopt::bench

#endif // CUDAOPT_BENCHMARKS_LEVELIZE_PAPER_FIGURES_HPP
