// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Matchers find the entry points that a file has, each once.
//===----------------------------------------------------------------------===//

#include "cudaopt/IR/Match.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"

using namespace cudaopt;

namespace {

constexpr const char Code[] = R"(
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define MARK(TEXT) __attribute__((annotate(TEXT)))
typedef __SIZE_TYPE__ size_t;
struct dim3 { unsigned x, y, z; __device__ dim3(unsigned x, unsigned y = 1, unsigned z = 1);
              dim3(unsigned x) : x(x), y(1), z(1) {} };
typedef struct stream *cudaStream_t;
int cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
extern "C" int __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = 0);
extern "C" int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);

MARK("cudaopt::off") __device__ int callee(int x) { __shared__ int own[4]; return own[x]; }
__device__ int unused(int x) { return x; }
template <class T> MARK("cudaopt::assume_block=32") __global__ void pattern(T *p) {
  MARK("cudaopt::keep") __shared__ T s[8];
  MARK("other::keep") __shared__ T t[8];
  *p = s[callee(1)] + t[0];
}
extern __shared__ char dynamic[];
__global__ void plain(int *p) { *p = dynamic[0]; }
__global__ void declared(int *p);
void host(int *p, int n) {
  pattern<int><<<1, 32>>>(p);
  plain<<<1, 32>>>(p);
  cudaLaunchKernel((const void *)plain, dim3(1), dim3(2), nullptr, 0, 0);
  [[clang::annotate("cudaopt::levelize=p[0:n]")]]
  for (int i = 0; i < n; ++i)
    p[i] = i;
  [[clang::annotate("other")]]
  for (int i = 0; i < n; ++i)
    p[i] = i;
}
void empty() {}
)";

class Match : public testing::Test {
protected:
  Match()
      : Unit(clang::tooling::buildASTFromCodeWithArgs(
            Code,
            {"-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib",
             "-std=c++20", "-w"},
            "input.cu")) {}

  clang::ASTContext &context() { return Unit->getASTContext(); }

  template <class Decls>
  static std::vector<std::string> namesOf(const Decls &All) {
    std::vector<std::string> Names;
    for (const auto *D : All)
      Names.push_back(llvm::cast<clang::NamedDecl>(D)->getNameAsString());
    return Names;
  }
  using Names = std::vector<std::string>;

  std::unique_ptr<clang::ASTUnit> Unit;
};

} // namespace

TEST_F(Match, KernelsAreInstancesWithABody) {
  EXPECT_EQ(namesOf(ir::findKernels(context())), (Names{"pattern", "plain"}));
}

TEST_F(Match, CalleesOfTheDeviceAreCalled) {
  EXPECT_EQ(namesOf(ir::findDeviceCallees(context())), Names{"callee"});
}

TEST_F(Match, SharedVariablesAreThoseOfInstances) {
  EXPECT_EQ(namesOf(ir::findSharedVariables(context())),
            (Names{"own", "s", "t", "dynamic"}));
}

TEST_F(Match, LaunchesAreCallsAndTheirSyntax) {
  EXPECT_EQ(ir::findLaunches(context()).size(), 3u);
}

TEST_F(Match, FunctionsOfTheHostHaveALoop) {
  EXPECT_EQ(namesOf(ir::findLoopFunctions(context())), Names{"host"});
}

TEST_F(Match, MarksAreOurs) {
  EXPECT_EQ(namesOf(ir::findMarkedDeclarations(context())),
            (Names{"callee", "pattern", "s", "s"}));
  const auto Loops = ir::findMarkedStatements(context());
  ASSERT_EQ(Loops.size(), 1u);
  EXPECT_TRUE(llvm::isa<clang::ForStmt>(Loops.front()->getSubStmt()));
}
