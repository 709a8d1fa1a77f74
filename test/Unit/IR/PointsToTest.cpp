// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Where the addresses of shared variables lead to, and how they escape.
//===----------------------------------------------------------------------===//

#include "../ParsedKernel.h"

#include "cudaopt/IR/Build.h"
#include "cudaopt/IR/PointsTo.h"

#include "gtest/gtest.h"

using namespace cudaopt;

namespace {

/// The first kernel of some code, in which every opaque operation has the same
/// retention.
struct Solved {
  explicit Solved(llvm::StringRef Code,
                  ir::Retention Opaque = ir::Retention::Anywhere)
      : Parsed(Code), F(ir::build(Parsed.K.Decl, Parsed.context())),
        Pointers(*F, [=](const ir::Operation &) { return Opaque; }) {}

  std::string print(const ir::ObjectSet &Objects) const {
    std::set<std::string> Names;
    for (ir::ObjectId Id : Objects)
      Names.insert(Id ? F->object(Id).Name : "?");
    std::string Text;
    for (const std::string &Each : Names)
      Text += (Text.empty() ? "" : " ") + Each;
    return Text;
  }
  /// Returns what the last store in the text writes to.
  std::string lastTarget() const {
    std::string Found;
    for (const auto &B : F->blocks())
      for (const ir::Operation &O : B->Operations)
        if (O.What == ir::Operation::Store)
          Found = print(Pointers.of(O.Address));
    return Found;
  }
  std::string escaped() const { return print(Pointers.escaped()); }

  ParsedKernel Parsed;
  std::unique_ptr<ir::Function> F;
  ir::PointsTo Pointers;
};

} // namespace

// A local array of pointers holds what is stored to any of its elements.
TEST(PointsTo, ThroughLocalMemory) {
  const Solved K(R"(
    __global__ void f(int i) {
      __shared__ float a[32], b[32], c[32];
      float *both[2] = {a, b};
      c[0] = 1;
      both[i][0] = 2;
    })");
  EXPECT_EQ(K.lastTarget(), "a b");
  EXPECT_EQ(K.escaped(), "");
}

TEST(PointsTo, StoredToGlobalMemory) {
  const Solved K(R"(
    __device__ float *global;
    __global__ void f() {
      __shared__ float a[32], b[32];
      b[0] = 1;
      global = a;
      global[0] = 2;
    })");
  EXPECT_EQ(K.lastTarget(), "?");
  EXPECT_EQ(K.escaped(), "a");
  ASSERT_EQ(K.Pointers.escapes().size(), 1u);
  EXPECT_EQ(K.Pointers.escapes()[0].How, ir::Escape::Stored);
}

// What an object of the thread holds escapes with it.
TEST(PointsTo, PassedInAnObject) {
  const char *Code = R"(
    struct View { float *at; int size; };
    __device__ void unseen(View *);
    __global__ void f(int n) {
      __shared__ float a[32];
      View v{a, n};
      unseen(&v);
      v.at[0] = 1;
    })";
  const Solved K(Code);
  EXPECT_EQ(K.escaped(), "a v");
  EXPECT_EQ(K.lastTarget(), "?");
  const Solved Trusted(Code, ir::Retention::InOperands);
  EXPECT_EQ(Trusted.escaped(), "");
  EXPECT_EQ(Trusted.lastTarget(), "? a");
}

// One operand may get to hold another one, if its type has room for an address.
TEST(PointsTo, KeptByOperands) {
  const char *Code = R"(
    struct View { float *at; };
    __device__ void set(View &, float *);
    __global__ void f() {
      __shared__ float a[32];
      View v{nullptr};
      set(v, a);
      v.at[0] = 1;
    })";
  EXPECT_EQ(Solved(Code, ir::Retention::InOperands).lastTarget(), "? a");
  EXPECT_EQ(Solved(Code, ir::Retention::InOperands).escaped(), "");
  EXPECT_EQ(Solved(Code, ir::Retention::Reordered).lastTarget(), "? a");
  EXPECT_EQ(Solved(Code, ir::Retention::Nowhere).lastTarget(), "");
}

TEST(PointsTo, MadeANumber) {
  const Solved K(R"(
    __global__ void f(unsigned long *out) {
      __shared__ float a[32];
      out[0] = (unsigned long)a;
    })");
  EXPECT_EQ(K.escaped(), "a");
  EXPECT_EQ(K.Pointers.escapes()[0].How, ir::Escape::ToInteger);
}

// The bytes of a pointer are read as a number, but not those beside it.
TEST(PointsTo, BytesOfAPointer) {
  const char *Code = R"(
    struct View { float *at; long size; };
    __global__ void f(long *out, int i) {
      __shared__ float a[32];
      View v{a, 3};
      char *bytes = (char *)&v;
      out[0] = *(long *)(bytes + %d);
      out[1] = i;
    })";
  auto at = [&](const char *Offset) {
    std::string Text = Code;
    Text.replace(Text.find("%d"), 2, Offset);
    return Solved(Text).escaped();
  };
  EXPECT_EQ(at("8"), "");
  EXPECT_EQ(at("4"), "a");
  EXPECT_EQ(at("i"), "a");
}

// Numbers that are written over a pointer may lead anywhere as one.
TEST(PointsTo, NumberReadAsPointer) {
  const Solved K(R"(
    union Both { float *at; unsigned long number; };
    __global__ void f(unsigned long n) {
      __shared__ float a[32];
      Both b;
      b.at = a;
      b.number = n;
      b.at[0] = 1;
    })");
  EXPECT_EQ(K.lastTarget(), "? a");
}
