// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The verifier: which layouts and which promises of a plan it lets pass, and
/// what the interpreter makes of the statements of a kernel.
//===----------------------------------------------------------------------===//

#include "cudaopt/Transforms/Verify.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"

using namespace clang;
using namespace cudaopt;

namespace {

/// Finds the kernel that has a body and is no template, and its arrays.
class KernelFinder : public RecursiveASTVisitor<KernelFinder> {
public:
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(FunctionDecl *F) {
    if (F->hasAttr<CUDAGlobalAttr>() && F->doesThisDeclarationHaveABody() &&
        !F->isDependentContext())
      Found = F;
    return true;
  }
  FunctionDecl *Found = nullptr;
};

/// Makes the model of the references in a kernel.
class AccessFinder : public RecursiveASTVisitor<AccessFinder> {
public:
  AccessFinder(Kernel &K, KernelInstance &I, ASTContext &Context,
               const IslContext &Isl)
      : K(K), I(I), Context(Context), Isl(Isl) {}

  bool VisitVarDecl(VarDecl *V) {
    if (!V->hasAttr<CUDASharedAttr>())
      return true;
    SharedArray &Array = K.Arrays.emplace_back();
    Array.Decl = V;
    Array.Name = V->getName().str();
    ArrayShape Shape;
    QualType Type = V->getType();
    while (auto *Rows = Context.getAsConstantArrayType(Type)) {
      Shape.Extents.push_back(Rows->getZExtSize());
      Type = Rows->getElementType();
    }
    Shape.ElementSize = Context.getTypeSizeInChars(Type).getQuantity();
    I.Shapes.push_back(Shape);
    I.StaticSharedBytes +=
        Context.getTypeSizeInChars(V->getType()).getQuantity();
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *Cast) {
    if (Cast->getCastKind() == CK_LValueToRValue)
      add(Cast->getSubExpr(), AccessKind::Read);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *Op) {
    if (Op->isCompoundAssignmentOp())
      add(Op->getLHS(), AccessKind::Read);
    if (Op->isAssignmentOp())
      add(Op->getLHS(), AccessKind::Write);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *Op) {
    if (Op->getOpcode() == UO_AddrOf)
      add(Op->getSubExpr(), AccessKind::Atomic);
    return true;
  }

private:
  void add(Expr *E, AccessKind Kind) {
    Access A;
    A.Ref = E->IgnoreParens();
    A.Kind = Kind;
    A.Array = 0;
    A.Relation = isl::map(Isl.get(), "{ S[] -> A[] }"); // Unused, not null.
    const Expr *Base = A.Ref;
    while (auto *Subscript =
               dyn_cast<ArraySubscriptExpr>(Base->IgnoreParenImpCasts())) {
      A.Subscripts.insert(A.Subscripts.begin(), Subscript->getIdx());
      Base = Subscript->getBase();
    }
    auto *Name = dyn_cast<DeclRefExpr>(Base->IgnoreParenImpCasts());
    if (A.Subscripts.empty() || !Name)
      return;
    while (A.Array < K.Arrays.size() &&
           K.Arrays[A.Array].Decl != Name->getDecl())
      ++A.Array;
    if (A.Array == K.Arrays.size())
      return;
    A.Width = I.Shapes[A.Array].ElementSize;
    I.Accesses.push_back(A);
  }

  Kernel &K;
  KernelInstance &I;
  ASTContext &Context;
  const IslContext &Isl;
};

/// A kernel with one array that gets a new layout.
class VerifyTest : public testing::Test {
protected:
  using Int3 = std::array<uint32_t, 3>;

  void parse(const std::string &Code, Int3 Threads, Int3 Grid = {}) {
    AST = tooling::buildASTFromCodeWithArgs(
        Code,
        {"-xcuda", "--cuda-device-only", "-nocudainc", "-nocudalib",
         "--offload-arch=sm_90", "-Wno-unknown-cuda-version", "-std=c++17",
         "-fdeclspec", "-I" CUDAOPT_TEST_DIR "/Inputs"},
        "kernel.cu");
    ASSERT_TRUE(AST && !AST->getDiagnostics().hasErrorOccurred());
    KernelFinder Finder;
    Finder.TraverseAST(AST->getASTContext());
    ASSERT_TRUE(Finder.Found);
    K.Decl = Finder.Found;
    K.Instances.push_back(std::make_unique<KernelInstance>());
    KernelInstance &Instance = *K.Instances.back();
    Instance.Decl = Finder.Found;
    Instance.Block.Threads = Threads;
    Instance.Block.Grid = Grid;
    AccessFinder(K, Instance, AST->getASTContext(), Isl)
        .TraverseStmt(Finder.Found->getBody());
  }

  /// The rule that is violated; empty if none.
  std::string verify(Layout New, Wavefronts Cost, bool IsExact = true) {
    Plan P;
    P.Layouts[0].New = New;
    P.Layouts[0].Cost = P.Layouts[0].SourceCost = Cost;
    P.Layouts[0].IsExact = IsExact;
    return verify(P);
  }
  std::string verify(const Plan &P) {
    return llvm::toString(
        verifyPlan(K, P, *findTarget("sm_90"), AST->getASTContext()));
  }

  /// Expects that the recount is exact and gives these numbers.
  void expectWavefronts(Layout New, double Before, double After) {
    EXPECT_EQ(verify(New, {Before, After}), "");
    EXPECT_NE(verify(New, {Before + 1, After}), "");
    EXPECT_NE(verify(New, {Before, After + 1}), "");
  }
  /// Expects that the recount is not exact, so that no number is compared.
  void expectInexact(Layout New) { EXPECT_EQ(verify(New, {-1, -1}), ""); }

  IslContext Isl;
  std::unique_ptr<ASTUnit> AST;
  Kernel K;
};

} // namespace

static Layout pad(unsigned Padding, uint64_t Pitch = 0) {
  Layout New;
  New.Kind = Layout::Family::Pad;
  New.Padding = Padding;
  New.Pitch = Pitch;
  return New;
}

static Layout swizzle(unsigned RowShift, unsigned Bits, unsigned Unit) {
  Layout New;
  New.Kind = Layout::Family::Xor;
  New.Terms = {{1, uint8_t(RowShift), uint8_t(Bits), false, 1u << Unit}};
  return New;
}

/// A kernel over `__shared__ float tile[32][32]` with the statements \p Body.
static std::string kernel(const std::string &Body) {
  return "#include \"cuda.h\"\n"
         "__global__ void k(float *out, const float *in, int n) {\n"
         "  __shared__ float tile[32][32];\n"
         "  int x = threadIdx.x, y = threadIdx.y;\n" +
         Body + "}\n";
}

//===----------------------------------------------------------------------===//
// Layouts and costs
//===----------------------------------------------------------------------===//

static const char *const Columns = "tile[y][x] = 1;\n"
                                   "out[0] = tile[x][y];\n";

// Eight warps write a row each and read a column each.
TEST_F(VerifyTest, AConflictFreePlanPasses) {
  parse(kernel(Columns), {32, 8, 1});
  expectWavefronts(pad(1), 8 + 8 * 32, 8 + 8);
  expectWavefronts(swizzle(0, 5, 0), 8 + 8 * 32, 8 + 8);
}

TEST_F(VerifyTest, AWrongPaddingIsFound) {
  parse(kernel(Columns), {32, 8, 1});
  EXPECT_EQ(verify(pad(2), {264, 16}),
            "wavefronts of 'tile' recounted: after 24 (plan says 16)");
}

// Even if the plan says so itself.
TEST_F(VerifyTest, AWorseLayoutIsRejected) {
  parse(kernel("tile[x][x] = 0;"), {32, 1, 1});
  EXPECT_EQ(verify(pad(31), {1, 32}),
            "wavefronts of 'tile' recounted: 1 before, 32 after");
}

// Diagonals are free as written; with 31 elements of padding they conflict.
TEST_F(VerifyTest, AWorseLayoutIsRejectedThoughTheCostIsNotExact) {
  parse(kernel("if (n > 3) out[0] = tile[x][x];"), {32, 1, 1});
  expectInexact(swizzle(31, 1, 0));
  EXPECT_EQ(verify(pad(31), {1, 1}, /*IsExact=*/false),
            "wavefronts of 'tile' recounted: 1 before, 32 after");
}

TEST_F(VerifyTest, AnArrayOfOneDimensionNeedsAPitch) {
  parse("#include \"cuda.h\"\n"
        "__global__ void k() { __shared__ float s[1024];\n"
        "  s[threadIdx.x * 32] = 1; }",
        {32, 1, 1});
  EXPECT_NE(verify(pad(1), {32, 1}), "");
  expectWavefronts(pad(1, 32), 32, 1);
}

// 96 rows of 128 floats take all 48 KiB.
TEST_F(VerifyTest, MoreThanABlockMayHaveIsRejected) {
  parse("#include \"cuda.h\"\n"
        "__global__ void k() { __shared__ float s[96][128];\n"
        "  s[threadIdx.x][0] = 1; }",
        {32, 1, 1});
  EXPECT_NE(verify(pad(1), {32, 1}).find("shared memory"), std::string::npos);
  expectWavefronts(swizzle(0, 5, 0), 32, 1);
}

// Its size is the third argument of the launch.
TEST_F(VerifyTest, AnExternArrayMustNotGrow) {
  parse(kernel(Columns), {32, 8, 1});
  K.Arrays[0].IsExtern = true;
  EXPECT_EQ(verify(pad(1), {264, 16}),
            "'tile' needs 4224 bytes, and the launch gives 4096");
  expectWavefronts(swizzle(0, 5, 0), 264, 16);
}

/// A kernel whose `line` is what is left of an extern array behind 128 bytes of
/// which its `tile` begins.
static void divide(Kernel &K) {
  K.Arrays[0].IsExtern = K.Arrays[1].IsExtern = true;
  K.Arrays[0].Whole = 1;
  K.Instances[0]->Shapes[0].Begin = 128;
  K.Instances[0]->Block.DynamicBytes = 128 + 4096;
}
static const char *const Divided = "__shared__ float line[32];\n"
                                   "tile[x][0] = 1;\n"
                                   "line[x] = 1;\n";

TEST_F(VerifyTest, PartsOfAnExternArrayMustNotOverlap) {
  parse(kernel(Divided), {32, 1, 1});
  divide(K);
  expectWavefronts(swizzle(0, 5, 0), 32, 1);
  K.Instances[0]->Shapes[0].Begin = 124;
  EXPECT_EQ(verify(swizzle(0, 5, 0), {32, 1}),
            "the parts 'tile' and 'line' overlap");
}

TEST_F(VerifyTest, APartMustEndInsideTheMemoryOfTheLaunch) {
  parse(kernel(Divided), {32, 1, 1});
  divide(K);
  K.Instances[0]->Block.DynamicBytes = 128 + 4092;
  EXPECT_EQ(verify(swizzle(0, 5, 0), {32, 1}),
            "the part 'tile' ends behind the bytes that the launch gives");
}

// The layout of the other part does not change, but who leaves it may come here.
TEST_F(VerifyTest, ThreadsMustStayInsideTheParts) {
  parse(kernel(Divided), {32, 1, 1});
  divide(K);
  K.Instances[0]->Shapes[1].Extents = {31};
  EXPECT_EQ(verify(swizzle(0, 5, 0), {32, 1}),
            "thread 31 leaves a part of the dynamic shared memory");
}

// What the plan expects of merged accesses is not counted here, but what it
// says of the source must be right.
TEST_F(VerifyTest, ALayoutMadeForMergingMayLoseWithout) {
  parse(kernel("tile[x][x] = 0;"), {32, 1, 1});
  Plan P;
  P.Layouts[0].New = pad(31);
  P.Layouts[0].Cost = {2, 1};
  P.Layouts[0].SourceCost = {1, 32};
  EXPECT_EQ(verify(P), "");
  P.Layouts[0].SourceCost = {32, 1};
  EXPECT_NE(verify(P), "");
  P.Layouts[0].SourceCost = {1, 32};
  P.Layouts[0].IsExact = false;
  EXPECT_NE(verify(P), "");
}

// The subscript is not the array's: it does not say which element it is.
TEST_F(VerifyTest, AnAccessThroughAPointerIsNotCounted) {
  parse(kernel("tile[x][x] = 0;"), {32, 1, 1});
  K.Instances[0]->Accesses[0].Subscripts.pop_back();
  EXPECT_EQ(verify(pad(31), {5, 7}), "");
}

TEST_F(VerifyTest, AnAssumedShapeProvesNothing) {
  parse(kernel("tile[x][x] = 0;"), {32, 1, 1});
  K.Instances[0]->Block.Origin = ShapeOrigin::Assumed;
  expectInexact(pad(32));
  EXPECT_NE(verify(pad(31), {-1, -1}), "");
}

//===----------------------------------------------------------------------===//
// The interpreter
//===----------------------------------------------------------------------===//

TEST_F(VerifyTest, AnAccessCountsOnceForEachIteration) {
  parse(kernel("for (int j = 0; j < 32; j += 8)\n"
               "  for (int k = 3; k--;)\n"
               "    tile[x][y + j] += k;\n"),
        {32, 8, 1});
  // Reads and writes, 8 warps, 4 * 3 iterations.
  expectWavefronts(pad(1), 2 * 8 * 12 * 32, 2 * 8 * 12);
}

// Threads run the loop 2 or 3 times: the last iteration has 8 lanes of 32.
TEST_F(VerifyTest, LanesLeaveALoopOneByOne) {
  parse(kernel("for (unsigned i = x; i < 72; i += 32)\n"
               "  tile[i % 32][i / 32] = in[i];\n"),
        {32, 1, 1});
  expectWavefronts(pad(1), 32 + 32 + 8, 3);
}

TEST_F(VerifyTest, WhileDoBreakAndContinueAreFollowed) {
  parse(kernel("int i = 0;\n"
               "while (true) {\n"
               "  if (++i == 3) continue;\n"
               "  if (i > 5) break;\n"
               "  tile[x][i] = 0;\n" // i = 1, 2, 4, 5
               "}\n"
               "do { tile[x][i] = 0; i -= 2; } while (i > 0);\n"), // 6, 4, 2
        {32, 1, 1});
  expectWavefronts(pad(1), 7 * 32, 7);
}

TEST_F(VerifyTest, ThreadsThatReturnAccessNothing) {
  parse(kernel("if (x >= 16 || y == 1) return;\n"
               "tile[x][y] = 0;\n"),
        {32, 2, 1});
  expectWavefronts(pad(1), 16, 1);
}

// 17u - 18 and x - 32 are large, so no thread takes the first branches.
TEST_F(VerifyTest, ArithmeticIsThatOfC) {
  parse(kernel("unsigned u = x % 2 + 16u;\n"
               "size_t size = x;\n"
               "if (u - 18 < 100 || size - 32 < 100) tile[0][1] = 0;\n"
               "else if (-x / 2 == -(x / 2) && -2L * x >> 1 == -x &&\n"
               "         (x ^ 1) != x && (unsigned char)(x + 256) == x)\n"
               "  tile[x][0] = 0;\n"),
        {32, 1, 1});
  expectWavefronts(pad(1), 32, 1);
}

TEST_F(VerifyTest, FunctionsOfOneReturnAreCalled) {
  parse("__attribute__((device)) constexpr int twice(int a) { return 2 * a; }\n"
        "enum { Last = 15 };\n" +
            kernel("constexpr int Limit = Last;\n"
                   "tile[min(twice(x), Limit + 16)][sizeof(int)] = 0;\n"),
        {32, 1, 1});
  // Rows 0, 2, ..., 30 and 16 times row 31: 17 words in bank 4.
  expectWavefronts(pad(1), 17, 1);
}

TEST_F(VerifyTest, AtomicsOnOneAddressSerialise) {
  parse("#include \"cuda.h\"\n"
        "__global__ void k() { __shared__ int bins[8][32];\n"
        "  atomicAdd(&bins[threadIdx.x / 4][0], 1); }",
        {32, 1, 1});
  expectWavefronts(pad(1), 32, 4);
}

// As clang's own CUDA headers declare them.
TEST_F(VerifyTest, ThreadIdxMayBeAProperty) {
  parse("struct Index {\n"
        "  __declspec(property(get = getX)) unsigned x;\n"
        "  __attribute__((device)) unsigned getX() const { return 0; }\n"
        "};\n"
        "extern const __attribute__((device)) Index threadIdx;\n"
        "__attribute__((global)) void k() {\n"
        "  __attribute__((shared)) float tile[32][32];\n"
        "  tile[threadIdx.x][0] = 1;\n"
        "}\n",
        {32, 1, 1});
  expectWavefronts(pad(1), 32, 1);
}

TEST_F(VerifyTest, TemplateArgumentsAreKnown) {
  parse("#include \"cuda.h\"\n"
        "template <int N> __global__ void k() {\n"
        "  __shared__ float tile[N][N];\n"
        "  if constexpr (N > 16) tile[threadIdx.x % N][N / 2] = 1;\n"
        "}\n"
        "template __global__ void k<32>();\n",
        {32, 1, 1});
  expectWavefronts(pad(1), 32, 1);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

// Block 0 reads columns, the three others rows.
TEST_F(VerifyTest, BlocksAreAveraged) {
  parse(kernel("if (blockIdx.x == 0) out[0] = tile[x][0];\n"
               "else out[0] = tile[0][x];\n"),
        {32, 1, 1}, {4, 1000, 1000});
  expectWavefronts(pad(1), (32 + 3) / 4., 1);
}

TEST_F(VerifyTest, AnUnknownGridMattersOnlyIfTheBlockIsUsed) {
  parse(kernel("tile[x][0] = in[blockIdx.x];"), {32, 1, 1});
  expectWavefronts(pad(1), 32, 1);
}

TEST_F(VerifyTest, AnUnknownGridMakesTheCountInexact) {
  parse(kernel("tile[x][blockIdx.x % 32] = 0;"), {32, 1, 1});
  expectInexact(pad(1));
}

TEST_F(VerifyTest, ALargeGridMakesTheCountInexact) {
  parse(kernel("tile[x][blockIdx.x % 32] = 0;"), {32, 1, 1}, {5000, 1, 1});
  expectInexact(pad(1));
}

// Nothing is known of the condition, in whichever block: one stands for all.
TEST_F(VerifyTest, ABlockInAnUnknownConditionDoesNotMatter) {
  for (const char *Unknown : {"blockIdx.x < n", "blockIdx.x * n + x < 7 && n",
                              "(n ? blockIdx.x : n) == 0"}) {
    K = Kernel();
    parse(kernel("int c = 0; if (" + std::string(Unknown) +
                 ") c = 1; tile[x][0] = 0;"),
          {32, 1, 1}, {1000, 1000, 1000});
    expectWavefronts(pad(1), 32, 1);
  }
}

// Whether a quotient is known depends on the block, and so does the rest.
TEST_F(VerifyTest, ABlockMattersIfItTellsWhatIsKnown) {
  parse(kernel("int q = 4 / int(blockIdx.x);\n"
               "if (q == 4) out[0] = tile[x][0];\n"),
        {32, 1, 1}, {4, 1, 1});
  expectInexact(pad(1));
  K = Kernel();
  parse(kernel("int q = 4 / int(blockIdx.x + 1);\n"
               "if (q == 4) out[0] = tile[x][0];\n"),
        {32, 1, 1}, {4, 1, 1});
  expectWavefronts(pad(1), 32 / 4., 1 / 4.);
}

// More blocks than the budget allows: an even spread of them is run.
TEST_F(VerifyTest, BlocksBeyondTheBudgetAreSampled) {
  parse(kernel("for (int i = 0; i < 100; ++i)\n"
               "  tile[x][(i + blockIdx.x) % 32] = 0;"),
        {32, 32, 1}, {4000, 1, 1});
  expectInexact(pad(1));
}

//===----------------------------------------------------------------------===//
// What is not known
//===----------------------------------------------------------------------===//

TEST_F(VerifyTest, AnArgumentIsUnknown) {
  parse(kernel("tile[x][n] = 0;"), {32, 1, 1});
  expectInexact(pad(1));
}

TEST_F(VerifyTest, AnUnknownConditionMakesWhatItGuardsInexact) {
  parse(kernel("if (n) tile[x][0] = 0;"), {32, 1, 1});
  expectInexact(pad(1));
}

TEST_F(VerifyTest, AnUnknownReturnMakesTheRestInexact) {
  parse(kernel("if (n) return; tile[x][0] = 0;"), {32, 1, 1});
  expectInexact(pad(1));
}

TEST_F(VerifyTest, ALocalIsUnknownWhereBranchesDisagree) {
  parse(kernel("int c = 0; if (n) c = 1; tile[x][c] = 0;"), {32, 1, 1});
  expectInexact(pad(1));
}

TEST_F(VerifyTest, ALocalIsKnownWhereBranchesAgree) {
  parse(kernel("int c = 0; if (n) c = 2 - 2; tile[x][c] = 0;"), {32, 1, 1});
  expectWavefronts(pad(1), 32, 1);
}

TEST_F(VerifyTest, ALocalThatHasAnotherNameIsUnknown) {
  for (const char *Alias :
       {"int &other = c; other = 1;", "int *p = &c; *p = 1;",
        "auto f = [&] { c = 1; }; f();", "int &other = (c = 2); other = 1;",
        "(c = 2) = 1;", "asm(\"mov %0, 1;\" : \"=r\"(c));"}) {
    K = Kernel();
    parse(kernel("int c = 0; " + std::string(Alias) + " tile[x][c] = 0;"),
          {32, 1, 1});
    expectInexact(pad(1));
  }
}

TEST_F(VerifyTest, ALoopOfUnknownLengthForgetsWhatItAssigns) {
  parse(kernel("int c = 0; while (in[c]) c = 1 - c; tile[x][c] = 0;"),
        {32, 1, 1});
  expectInexact(pad(1));
}

TEST_F(VerifyTest, ASubscriptOutsideTheArrayIsNotCounted) {
  parse(kernel("tile[x][x + 1] = 0; tile[x - 1][0] = 0;"), {32, 1, 1});
  expectInexact(pad(1));
}

TEST_F(VerifyTest, ASwitchIsBeyondTheInterpreter) {
  parse(kernel("switch (x) { case 0: return; } tile[x][0] = 0;"), {32, 1, 1});
  expectInexact(pad(1));
}

// Neither may hang: the loop has no end, or one beyond the budget.
TEST_F(VerifyTest, TheBudgetEndsEveryLoop) {
  for (const char *Loop :
       {"for (;;)", "for (long i = 0; i < 1000000000; ++i)"}) {
    K = Kernel();
    parse(kernel(std::string(Loop) + " tile[x][0] = 0;"), {32, 1, 1});
    expectInexact(pad(1));
  }
}
