// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Kernels that use addresses of shared variables as values. In the rewritten
/// kernel another array is longer, so that the variable lies elsewhere.
//===----------------------------------------------------------------------===//

#include "KernelPair.h"

#include "cudaopt/Simt/AddressUses.h"

using namespace cudaopt;

namespace {

/// What a kernel does with %b, a generic pointer to element %e of array @b,
/// while @a has \p Length elements.
struct UseOfAddress {
  std::string Body;
  unsigned Length = 32;
  int Element = 0;
  unsigned Alignment = 4;
  std::string Parameters = "";

  operator std::string() const {
    return kernel(
        ", ptr %where" + Parameters,
        "%ta = getelementptr i32, ptr addrspace(3) @a, i32 %t\n"
        "%tb = getelementptr i32, ptr addrspace(3) @b, i32 %t\n"
        "store i32 1, ptr addrspace(3) %ta\n"
        "store i32 %t, ptr addrspace(3) %tb\n" +
            std::string(Barrier) +
            "%g = addrspacecast ptr addrspace(3) @b to ptr\n"
            "%b = getelementptr i32, ptr %g, i32 " +
            std::to_string(Element) + "\n" + Body,
        "declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)\n"
        "@format = private constant [4 x i8] c\"%p \\00\"\n"
        "@keep = addrspace(1) global ptr null\n"
        "@a = internal addrspace(3) global [" +
            std::to_string(Length) +
            " x i32] undef, align 16\n"
            "@b = internal addrspace(3) global [32 x i32] undef, align " +
            std::to_string(Alignment) + "\n");
  }
};

constexpr LaunchShape OneWarp = {{1, 1, 1}, {32, 1, 1}, 0, false};

/// The verdict on a kernel and the same kernel where @a is longer.
Verdict compareMoved(UseOfAddress Use) {
  UseOfAddress Moved = Use;
  Moved.Length = 99;
  return compare(Use, Moved, OneWarp);
}
Verdict compareMoved(const std::string &Body) {
  return compareMoved(UseOfAddress{Body});
}

std::string storing(const std::string &Value, const std::string &Type = "i64") {
  return "store " + Type + " " + Value + ", ptr %where\n";
}
constexpr char Integer[] = "%i = ptrtoint ptr %b to i64\n";
/// A 64-bit integer %v made of the address.
std::string computing(const std::string &Operation) {
  return Integer + ("%v = " + Operation + "\n") + storing("%v");
}

//===----------------------------------------------------------------------===//
// The same element of the same variable
//===----------------------------------------------------------------------===//

TEST(AddressValuesTest, AStoredAddressNamesAVariable) {
  EXPECT_VERDICT(ProvedEqual, compareMoved(storing("%b", "ptr")));
  EXPECT_VERDICT(ProvedEqual, compareMoved(Integer + storing("%i")));
}

TEST(AddressValuesTest, AnAddressOfAConstantExpressionNamesAVariable) {
  EXPECT_VERDICT(ProvedEqual,
                 compareMoved(storing(
                     "ptrtoint (ptr getelementptr (i8, ptr addrspacecast (ptr "
                     "addrspace(3) @b to ptr), i64 8) to i64)")));
}

TEST(AddressValuesTest, AnAddressIsUsedAgain) {
  EXPECT_VERDICT(ProvedEqual,
                 compareMoved("store ptr %b, ptr addrspace(1) @keep\n"
                              "%q = load ptr, ptr addrspace(1) @keep\n"
                              "%q2 = getelementptr i32, ptr %q, i32 %t\n"
                              "%v = load i32, ptr %q2\n"
                              "store i32 %v, ptr %p\n"));
}

TEST(AddressValuesTest, AnIntegerOfTheWindowIsAnAddress) {
  const std::string Window = "%s = addrspacecast ptr %b to ptr addrspace(3)\n"
                             "%j = ptrtoint ptr addrspace(3) %s to i64\n"
                             "%w = trunc i64 %j to i32\n%w2 = add i32 %w, 8\n";
  EXPECT_VERDICT(ProvedEqual, compareMoved(Window + storing("%w2", "i32")));
  EXPECT_VERDICT(ProvedEqual,
                 compareMoved(Window +
                              "%x = zext i32 %w2 to i64\n"
                              "%y = inttoptr i64 %x to ptr "
                              "addrspace(3)\n"
                              "store i32 7, ptr addrspace(3) %y\n" +
                              storing("%x")));
}

TEST(AddressValuesTest, HalvesAreShuffledAndPutTogether) {
  EXPECT_VERDICT(
      ProvedEqual,
      compareMoved(
          Integer +
          std::string("%l = trunc i64 %i to i32\n%h0 = lshr i64 %i, 32\n"
                      "%h = trunc i64 %h0 to i32\n"
                      "%l2 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, "
                      "i32 %l, i32 0, i32 31)\n"
                      "%h2 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, "
                      "i32 %h, i32 0, i32 31)\n"
                      "%l3 = zext i32 %l2 to i64\n%h3 = zext i32 %h2 to i64\n"
                      "%h4 = shl i64 %h3, 32\n%v = or i64 %l3, %h4\n"
                      "%q = inttoptr i64 %v to ptr\n"
                      "%x = load i32, ptr %q\nstore i32 %x, ptr %p\n") +
          storing("%v")));
}

TEST(AddressValuesTest, DifferencesInAVariableAreNumbers) {
  const std::string Difference = "%e = getelementptr i32, ptr %b, i32 %t\n"
                                 "%j = ptrtoint ptr %e to i64\n" +
                                 computing("sub i64 %j, %i");
  EXPECT_VERDICT(ProvedEqual, compareMoved(Difference));
  const std::string Index = "%n = sdiv exact i64 %v, 4\n"
                            "%q = getelementptr i32, ptr %out, i64 %n\n"
                            "store i32 1, ptr %q\n";
  EXPECT_VERDICT(ProvedEqual, compareMoved(Difference + Index));
}

TEST(AddressValuesTest, ALoopEndsAtAnAddress) {
  const std::string Loop = "%end = getelementptr i32, ptr %b, i32 32\n"
                           "br label %again\nagain:\n"
                           "%q = phi ptr [ %b, %0 ], [ %q2, %again ]\n"
                           "%s = phi i32 [ 0, %0 ], [ %s2, %again ]\n"
                           "%x = load i32, ptr %q\n%s2 = add i32 %s, %x\n"
                           "%q2 = getelementptr i32, ptr %q, i32 1\n"
                           "%c = icmp PREDICATE ptr %q2, %end\n"
                           "br i1 %c, label %again, label %done\ndone:\n"
                           "store i32 %s2, ptr %p\n";
  for (const char *Predicate : {"ne", "ult"}) {
    std::string Text = Loop;
    Text.replace(Text.find("PREDICATE"), 9, Predicate);
    EXPECT_VERDICT(ProvedEqual, compareMoved(Text));
  }
}

TEST(AddressValuesTest, NoAddressIsNull) {
  EXPECT_VERDICT(ProvedEqual, compareMoved("%c = icmp eq ptr %b, null\n"
                                           "br i1 %c, label %yes, label %no\n"
                                           "yes:\nstore i32 1, ptr %p\n"
                                           "br label %no\nno:\n"));
}

TEST(AddressValuesTest, TheAlignmentOfAVariableIsKnown) {
  UseOfAddress Use = {computing("and i64 %i, 15"), 32, 2, 16};
  EXPECT_VERDICT(ProvedEqual, compareMoved(Use));
  Use.Body = computing("xor i64 %i, 8");
  EXPECT_VERDICT(ProvedEqual, compareMoved(Use));
  Use.Body = computing("and i64 %i, -16");
  EXPECT_VERDICT(ProvedEqual, compareMoved(Use));
}

TEST(AddressValuesTest, AnAddressIsExchanged) {
  EXPECT_VERDICT(
      ProvedEqual,
      compareMoved(Integer +
                   std::string("%v = atomicrmw xchg ptr %where, i64 %i "
                               "seq_cst\n")));
  EXPECT_VERDICT(
      EqualOn,
      compareMoved(Integer +
                   std::string("%v = cmpxchg ptr %where, i64 0, i64 %i "
                               "seq_cst seq_cst\n")));
}

TEST(AddressValuesTest, APrintedAddressIsThatOfAnElement) {
  const std::string Print =
      "%buffer = alloca ptr\n"
      "store ptr %b, ptr %buffer\n"
      "%n = call i32 @vprintf(ptr @format, ptr %buffer)\n";
  EXPECT_VERDICT(ProvedEqual, compareMoved(Print));
  Verdict V = compare(UseOfAddress{Print}, UseOfAddress{Print, 32, 1}, OneWarp);
  EXPECT_VERDICT(Unsupported, V);
  EXPECT_TRUE(tells(V.Detail, "it prints an address of shared memory"));
}

TEST(AddressValuesTest, NumbersAreTriedBesideAddresses) {
  UseOfAddress Use = {"%f = getelementptr float, ptr %in, i32 %t\n"
                      "%v = load float, ptr %f\n"
                      "%c = fcmp ogt float %v, 0.0\n"
                      "br i1 %c, label %yes, label %no\nyes:\n" +
                      storing("%b", "ptr") + "br label %no\nno:\n"};
  Use.Parameters = ", ptr %in";
  EXPECT_VERDICT(EqualOn, compareMoved(Use));
}

TEST(AddressValuesTest, DynamicMemoryIsAVariable) {
  auto Text = [](unsigned Length) {
    return kernel(", ptr %where",
                  "%ta = getelementptr i32, ptr addrspace(3) @a, i32 %t\n"
                  "store i32 1, ptr addrspace(3) %ta\n"
                  "%d = getelementptr i8, ptr addrspace(3) @d, i32 64\n"
                  "store i32 1, ptr addrspace(3) %d\n"
                  "%g = addrspacecast ptr addrspace(3) %d to ptr\n" +
                      storing("%g", "ptr"),
                  "@d = external addrspace(3) global [0 x i8], align 16\n"
                  "@a = internal addrspace(3) global [" +
                      std::to_string(Length) + " x i32] undef, align 16\n");
  };
  EXPECT_VERDICT(ProvedEqual,
                 compare(Text(32), Text(99), {{1, 1, 1}, {1, 1, 1}, 256}));
}

//===----------------------------------------------------------------------===//
// What cannot be told
//===----------------------------------------------------------------------===//

TEST(AddressValuesTest, AnotherElementMayBeTheSameInAnotherLayout) {
  UseOfAddress First = {storing("%b", "ptr")}, Second = First;
  Second.Element = 1;
  Verdict V = compare(First, Second, OneWarp);
  EXPECT_VERDICT(Unsupported, V);
  EXPECT_TRUE(tells(V.Detail, "byte 0 of 'where' holds an address of shared "
                              "memory, &b, and &b+4 after the rewrite"));
}

TEST(AddressValuesTest, AWrongNumberBesideAnAddressIsWrong) {
  const std::string Address = storing("%b", "ptr");
  EXPECT_VERDICT(Different,
                 compare(UseOfAddress{Address + "store i32 1, ptr %p\n"},
                         UseOfAddress{Address + "store i32 2, ptr %p\n", 32, 1},
                         OneWarp));
  EXPECT_VERDICT(Different, compare(UseOfAddress{storing("%b", "ptr")},
                                    UseOfAddress{storing("7")}, OneWarp));
}

TEST(AddressValuesTest, WhatTheNumberDecidesIsNeverProved) {
  for (const char *Operation :
       {"mul i64 %i, 2654435761", "lshr i64 %i, 3", "and i64 %i, 127",
        "xor i64 %i, 64", "urem i64 %i, 24", "sub i64 0, %i", "add i64 %i, %i",
        "shl i64 %i, 4", "or i64 %i, 8"}) {
    UseOfAddress Use = {computing(Operation)};
    Verdict V = compare(Use, Use, OneWarp);
    EXPECT_VERDICT(Unsupported, V) << Operation;
    EXPECT_TRUE(tells(V.Detail, "depends on where a shared variable lies"));
    EXPECT_VERDICT(Unsupported, compareMoved(Use)) << Operation;
  }
}

TEST(AddressValuesTest, APartOfAnAddressIsANumber) {
  for (const char *Type : {"i8", "i16", "i3"}) {
    std::string Body = Integer + ("%v = trunc i64 %i to " + std::string(Type)) +
                       "\n" + storing("%v", Type);
    EXPECT_VERDICT(Unsupported, compareMoved(Body)) << Type;
  }
  // All of its bytes are the address.
  std::string Bytes = Integer;
  for (int I = 0; I != 8; ++I) {
    std::string N = std::to_string(I);
    Bytes += "%s" + N + " = lshr i64 %i, " + std::to_string(8 * I) + "\n%v" +
             N + " = trunc i64 %s" + N + " to i8\n%q" + N +
             " = getelementptr i8, ptr %where, i32 " + N + "\nstore i8 %v" + N +
             ", ptr %q" + N + "\n";
  }
  EXPECT_VERDICT(ProvedEqual, compareMoved(Bytes));
}

TEST(AddressValuesTest, ABranchOnTheNumberIsNeverProved) {
  const std::string Test = Integer + std::string("%low = and i64 %i, 127\n"
                                                 "%c = icmp eq i64 %low, 0\n"
                                                 "br i1 %c, label %yes, label "
                                                 "%no\n"
                                                 "yes:\nstore i32 1, ptr %p\n"
                                                 "br label %no\nno:\n");
  Verdict V = compareMoved(Test);
  EXPECT_VERDICT(Unsupported, V);
  EXPECT_TRUE(tells(V.Detail, "a branch depends on where a shared variable"));
}

TEST(AddressValuesTest, ASelectionByTheNumberIsNeverProved) {
  EXPECT_VERDICT(
      Unsupported,
      compareMoved(Integer + std::string("%low = and i64 %i, 64\n"
                                         "%c = icmp eq i64 %low, 0\n"
                                         "%v = select i1 %c, i32 1, i32 2\n"
                                         "store i32 %v, ptr %p\n")));
}

TEST(AddressValuesTest, WhereTheNumberLeadsIsNeverProved) {
  // A swizzle of more bits than the variable is aligned to.
  EXPECT_VERDICT(
      Unsupported,
      compareMoved(Integer + std::string("%j = xor i64 %i, 64\n"
                                         "%q = inttoptr i64 %j to ptr\n"
                                         "%v = load i32, ptr %q\n"
                                         "store i32 %v, ptr %p\n")));
}

TEST(AddressValuesTest, OrdersOfVariablesAreNumbers) {
  const std::string Other = "%o = addrspacecast ptr addrspace(3) @a to ptr\n";
  EXPECT_VERDICT(Unsupported, compareMoved(Other +
                                           "%c = icmp ult ptr %o, %b\n"
                                           "%v = zext i1 %c to i64\n" +
                                           storing("%v")));
  EXPECT_VERDICT(Unsupported,
                 compareMoved(Other + "%j = ptrtoint ptr %o to i64\n" +
                              computing("sub i64 %i, %j")));
}

TEST(AddressValuesTest, AddressesAreNoSummands) {
  EXPECT_VERDICT(
      Unsupported,
      compareMoved(Integer + std::string("%v = atomicrmw add ptr %where, i64 "
                                         "%i seq_cst\n")));
}

//===----------------------------------------------------------------------===//
// Which programs are concerned
//===----------------------------------------------------------------------===//

TEST(AddressValuesTest, AnAccessIsNoUse) {
  auto Uses = [](const std::string &Text) {
    Loaded L(Text);
    return simt::findAddressUses(*L.Image->kernel("k")).size();
  };
  EXPECT_EQ(Uses(Reverse{}), 0u);
  EXPECT_EQ(Uses(UseOfAddress{"%x = load i32, ptr %b\nstore i32 %x, ptr %p\n"}),
            0u);
  EXPECT_EQ(Uses(UseOfAddress{storing("%b", "ptr")}), 1u);
}

} // namespace
