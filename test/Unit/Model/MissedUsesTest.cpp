// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../../../lib/Model/MissedUses.h"
#include "../ParsedKernel.h"
#include "cudaopt/Model/KernelBuilder.h"
#include "cudaopt/Model/KernelCode.h"

#include "gtest/gtest.h"

using namespace cudaopt;
using namespace clang;

namespace {

class MissedUsesTest : public testing::Test {
protected:
  /// Builds the model of a kernel f, forgets the access with the number
  /// \p Forgotten, and compares the rest with the IR.
  void compare(llvm::StringRef Code, std::optional<size_t> Forgotten) {
    Unit = parseCuda(Code);
    auto Kernels = buildKernels(Unit->getASTContext(), Isl, {}, {});
    ASSERT_EQ(Kernels.size(), 1u);
    K.emplace(std::move(Kernels.front()));
    ASSERT_FALSE(K->Instances.empty());
    KernelInstance &Instance = *K->Instances.front();
    if (Forgotten) {
      ASSERT_LT(*Forgotten, Instance.Accesses.size());
      Instance.Accesses.erase(Instance.Accesses.begin() + *Forgotten);
    }
    llvm::DenseMap<const VarDecl *, ArrayId> Arrays;
    for (ArrayId Id = 0; Id != K->Arrays.size(); ++Id)
      Arrays[K->Arrays[Id].Decl] = Id;
    refuseMissedUses(*K, Instance, *Instance.Code->live(), Arrays);
  }

  const SharedArray &array() const { return K->Arrays.front(); }

  IslContext Isl;
  std::unique_ptr<ASTUnit> Unit;
  std::optional<Kernel> K;
};

constexpr llvm::StringLiteral TwoAccesses = R"(
  __global__ void f(float *out) {
    __shared__ float s[32];
    s[threadIdx.x] = 1;
    out[threadIdx.x] = s[31 - threadIdx.x];
  })";

TEST_F(MissedUsesTest, NothingIsMissed) {
  compare(TwoAccesses, std::nullopt);
  EXPECT_TRUE(array().Refusals.empty());
}

TEST_F(MissedUsesTest, WriteIsMissed) {
  compare(TwoAccesses, 0);
  ASSERT_EQ(array().Refusals.size(), 1u);
  EXPECT_EQ(array().Refusals[0].Why, Reason::AddressNotFollowed);
  EXPECT_EQ(array().Refusals[0].Detail, "s[threadIdx.x]");
}

TEST_F(MissedUsesTest, ReadIsMissed) {
  compare(TwoAccesses, 1);
  ASSERT_EQ(array().Refusals.size(), 1u);
  EXPECT_EQ(array().Refusals[0].Detail, "s[31 - threadIdx.x]");
}

// The read and the write of `+=` have one text; each must be there.
TEST_F(MissedUsesTest, WriteOfUpdateIsMissed) {
  constexpr llvm::StringLiteral Update = R"(
    __global__ void f() {
      __shared__ float s[32];
      s[threadIdx.x] += 1;
    })";
  compare(Update, std::nullopt);
  EXPECT_TRUE(array().Refusals.empty());
  compare(Update, 1);
  EXPECT_EQ(array().Refusals.size(), 1u);
}

// A function that the IR has spliced in stores through a reference.
TEST_F(MissedUsesTest, StoreInCalleeIsMissed) {
  constexpr llvm::StringLiteral Call = R"(
    __device__ void set(float &x) { x = 1; }
    __global__ void f() {
      __shared__ float s[32];
      set(s[threadIdx.x]);
    })";
  compare(Call, std::nullopt);
  EXPECT_TRUE(array().Refusals.empty());
  compare(Call, 1);
  EXPECT_EQ(array().Refusals.size(), 1u);
}

} // namespace
