// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A warp that transposes 32 x 32 words through shared memory.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_SIMT_TRANSPOSITION_H
#define CUDAOPT_TEST_SIMT_TRANSPOSITION_H

#include <string>

namespace cudaopt::simt {

/// 32 x 32 words, rows of \p Pitch: written by rows, read by columns.
inline std::string transposition(unsigned Pitch,
                                 const std::string &Row = "%tid") {
  std::string P = std::to_string(Pitch);
  return R"(
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %fill
fill:
  %r = phi i32 [ 0, %0 ], [ %r1, %fill ]
  %a = mul i32 %r, 32
  %b = add i32 %a, %tid
  %from = getelementptr i32, ptr %in, i32 %b
  %x = load i32, ptr %from, align 4
  %c = mul i32 %r, )" +
         P + R"(
  %d = add i32 %c, %tid
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %d
  store i32 %x, ptr addrspace(3) %p, align 4 ; 3
  %r1 = add i32 %r, 1
  %more = icmp ult i32 %r1, 32
  br i1 %more, label %fill, label %meet
meet:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  br label %drain
drain:
  %k = phi i32 [ 0, %meet ], [ %k1, %drain ]
  %e = mul i32 )" +
         Row + ", " + P + R"(
  %f = add i32 %e, %k
  %q = getelementptr i32, ptr addrspace(3) @s, i32 %f
  %y = load i32, ptr addrspace(3) %q, align 4 ; 4
  %z = add i32 %y, 1
  %g = mul i32 %k, 32
  %h = add i32 %g, %tid
  %to = getelementptr i32, ptr %out, i32 %h
  store i32 %z, ptr %to, align 4
  %k1 = add i32 %k, 1
  %again = icmp ult i32 %k1, 32
  br i1 %again, label %drain, label %end
end:
  ret void
)";
}
inline const char *const Tile =
    "@s = internal addrspace(3) global [1088 x i32] undef\n";

} // namespace cudaopt::simt

#endif // CUDAOPT_TEST_SIMT_TRANSPOSITION_H
