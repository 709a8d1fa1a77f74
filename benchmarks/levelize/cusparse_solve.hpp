// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The triangular solve of cuSPARSE.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_BENCHMARKS_LEVELIZE_CUSPARSE_SOLVE_HPP
#define CUDAOPT_BENCHMARKS_LEVELIZE_CUSPARSE_SOLVE_HPP

#include "row_system.hpp"

#include <cusparse.h>

/// Analysis and solve of cuSPARSE.
struct vendor_times {
  double analysis_ms = 0, solve_ms = 0;
};
inline vendor_times run_cusparse(const system_of_rows &s, on_gpu &g) {
  cusparseHandle_t handle;
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t b, x;
  cusparseSpSVDescr_t solve;
  auto fill = CUSPARSE_FILL_MODE_LOWER;
  auto diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  const auto index32 = CUSPARSE_INDEX_32I;
  const double one = 1;
  device_array<int> ptr(std::vector<int>(s.p.ptr.begin(), s.p.ptr.end()));
  REQUIRE(cusparseCreate(&handle) == CUSPARSE_STATUS_SUCCESS);
  REQUIRE(cusparseCreateCsr(&matrix, s.p.rows, s.p.rows, s.p.terms(),
                            ptr.data(), g.col.data(), g.a.data(), index32,
                            index32, CUSPARSE_INDEX_BASE_ZERO,
                            CUDA_R_64F) == CUSPARSE_STATUS_SUCCESS);
  cusparseSpMatSetAttribute(matrix, CUSPARSE_SPMAT_FILL_MODE, &fill,
                            sizeof(fill));
  cusparseSpMatSetAttribute(matrix, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal,
                            sizeof(diagonal));
  cusparseCreateDnVec(&b, s.p.rows, g.b.data(), CUDA_R_64F);
  cusparseCreateDnVec(&x, s.p.rows, g.x.data(), CUDA_R_64F);
  cusparseSpSV_createDescr(&solve);
  std::size_t bytes = 0;
  const auto op = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const auto algorithm = CUSPARSE_SPSV_ALG_DEFAULT;
  REQUIRE(cusparseSpSV_bufferSize(handle, op, &one, matrix, b, x, CUDA_R_64F,
                                  algorithm, solve,
                                  &bytes) == CUSPARSE_STATUS_SUCCESS);
  device_array<char> memory(bytes);
  vendor_times t;
  t.analysis_ms = median_ms(
      [&] {
        REQUIRE(cusparseSpSV_analysis(
                    handle, op, &one, matrix, b, x, CUDA_R_64F, algorithm,
                    solve, memory.data()) == CUSPARSE_STATUS_SUCCESS);
      },
      3);
  t.solve_ms = median_ms([&] {
    REQUIRE(cusparseSpSV_solve(handle, op, &one, matrix, b, x, CUDA_R_64F,
                               algorithm, solve) == CUSPARSE_STATUS_SUCCESS);
  });
  cusparseSpSV_destroyDescr(solve);
  cusparseDestroyDnVec(b);
  cusparseDestroyDnVec(x);
  cusparseDestroySpMat(matrix);
  cusparseDestroy(handle);
  return t;
}

#endif // CUDAOPT_BENCHMARKS_LEVELIZE_CUSPARSE_SOLVE_HPP
