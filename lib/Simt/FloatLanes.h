// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Floating-point operations for all lanes of a warp. The common case, rounding
/// to nearest, is computed in the host's types; other roundings by LLVM's
/// APFloat.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_FLOATLANES_H
#define CUDAOPT_LIB_SIMT_FLOATLANES_H

#include "Approximate.h"
#include "Arithmetic.h"
#include "Float.h"
#include "Frame.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"

namespace cudaopt::simt {

// The host's compiler must not fuse products and sums: each is rounded by
// itself, except in Fma.
#pragma STDC FP_CONTRACT OFF

using llvm::RoundingMode;

inline const llvm::fltSemantics &semanticsOf(unsigned Bits) {
  return Bits == 16   ? llvm::APFloat::IEEEhalf()
         : Bits == 32 ? llvm::APFloat::IEEEsingle()
                      : llvm::APFloat::IEEEdouble();
}
inline llvm::APFloat asNumber(uint64_t From, unsigned Bits) {
  return llvm::APFloat(semanticsOf(Bits), llvm::APInt(Bits, From));
}
inline uint64_t asBits(const llvm::APFloat &Number, unsigned Bits) {
  uint64_t Result = Number.bitcastToAPInt().getZExtValue();
  return withFormat(Bits, [&](auto Format) {
    return Number.isNaN() ? Format.write(Format.read(Result)) : Result;
  });
}

/// Returns the square root, rounded in a direction other than to nearest. The
/// residual Value - Root^2, which fma computes exactly, tells on which side of
/// the exact root the nearest number lies, and so whether its neighbour is the
/// result.
template <class T> T directedRoot(T Value, RoundingMode Mode) {
  T Root = std::sqrt(Value);
  if (!(Value > 0) || std::isinf(Value))
    return Root;
  int Scale = std::ilogb(Value) & ~1; // Keeps the residual from underflowing.
  T Scaled = std::scalbn(Value, -Scale), ScaledRoot = std::sqrt(Scaled);
  T Residual = std::fma(-ScaledRoot, ScaledRoot, Scaled);
  if (Residual > 0 && Mode == RoundingMode::TowardPositive)
    return std::nextafter(Root, std::numeric_limits<T>::infinity());
  if (Residual < 0 && Mode != RoundingMode::TowardPositive)
    return std::nextafter(Root, T(0));
  return Root;
}

/// Returns the NaN that an invalid operation on doubles results in: the first
/// operand that is a NaN, quiet, or InvalidNaN64.
inline uint64_t resultOfInvalid(std::initializer_list<uint64_t> Operands) {
  for (uint64_t Operand : Operands)
    if (isNaN64(Operand))
      return quietNaN64(Operand);
  return InvalidNaN64;
}

/// Computes one lane of an operation that is not rounded to nearest.
inline uint64_t directed(const Operation &Op, uint64_t A, uint64_t B,
                         uint64_t C) {
  auto Mode = roundingOf(Op.Variant);
  if (Op.Code == Opcode::FSqrt) {
    if (Op.Bits == 16)
      return writeHalf(directedRoot(readHalf(A), Mode), Mode);
    return Op.Bits == 32 ? Single::write(directedRoot(Single::read(A), Mode))
                         : Double::write(directedRoot(Double::read(A), Mode));
  }
  if (Op.Code == Opcode::FRcp) {
    llvm::APFloat One(semanticsOf(Op.Bits), 1);
    One.divide(asNumber(A, Op.Bits), Mode);
    return One.isNaN() && Op.Bits == 64 ? resultOfInvalid({A})
                                        : asBits(One, Op.Bits);
  }
  llvm::APFloat X = asNumber(A, Op.Bits), Y = asNumber(B, Op.Bits);
  switch (Op.Code) {
  case Opcode::FAdd:
    X.add(Y, Mode);
    break;
  case Opcode::FSub:
    X.subtract(Y, Mode);
    break;
  case Opcode::FMul:
    X.multiply(Y, Mode);
    break;
  case Opcode::FDiv:
    X.divide(Y, Mode);
    break;
  default:
    X.fusedMultiplyAdd(Y, asNumber(C, Op.Bits), Mode);
    if (X.isNaN() && Op.Bits == 64)
      return resultOfInvalid({A, C, B});
  }
  return X.isNaN() && Op.Bits == 64 ? resultOfInvalid({A, B})
                                    : asBits(X, Op.Bits);
}

/// Compares floating-point numbers. The bits of an LLVM predicate tell which of
/// the relations equal, greater, less and unordered make it true.
inline void compareFloats(const Operation &Op, const Frame &F) {
  withFormat(Op.Bits, [&](auto Format) {
    const bool Equal = Op.Variant & 1, Greater = Op.Variant & 2,
               Less = Op.Variant & 4, Unordered = Op.Variant & 8;
    F.lanes([&, Format](unsigned L) -> uint64_t {
      auto X = Format.read(F.A[L]), Y = Format.read(F.B[L]);
      return (Equal & (X == Y)) | (Greater & (X > Y)) | (Less & (X < Y)) |
             (Unordered & ((X != X) | (Y != Y)));
    });
  });
}

/// Operations on the bits of a number. The hardware negates a number, or drops
/// its sign, by an addition of 0, so that a NaN becomes what a sum makes of it.
inline void signBits(const Operation &Op, const Frame &F) {
  const uint64_t Sign = uint64_t(1) << (Op.Bits - 1);
  auto OrNaN = [Bits = Op.Bits](uint64_t From, uint64_t Result) {
    return withFormat(Bits, [=](auto Format) {
      auto Value = Format.read(From);
      return Value == Value ? Result : Format.write(Value + Value);
    });
  };
  switch (Op.Code) {
  case Opcode::FNeg:
    return F.lanes([&](unsigned L) { return OrNaN(F.A[L], F.A[L] ^ Sign); });
  case Opcode::FAbs:
    return F.lanes([&](unsigned L) { return OrNaN(F.A[L], F.A[L] & ~Sign); });
  case Opcode::FCopySign:
    return F.lanes(
        [&](unsigned L) { return (F.A[L] & ~Sign) | (F.B[L] & Sign); });
  default:
    return F.activeLanes([&](unsigned L) -> uint64_t {
      return (classOf(F.A[L], Op.Bits) & Op.Immediate) != 0;
    });
  }
}

/// Operations that are rounded to nearest, or not rounded.
template <class T> void floats(const Operation &Op, const Frame &F, T Format) {
  using Value = T::Value;
  auto A = [&F](unsigned L) { return T::read(F.A[L]); };
  auto B = [&F](unsigned L) { return T::read(F.B[L]); };
  auto C = [&F](unsigned L) { return T::read(F.C[L]); };
  switch (Op.Code) {
  case Opcode::FAdd:
    return F.lanes([&](unsigned L) { return T::write(A(L) + B(L)); });
  case Opcode::FSub:
    return F.lanes([&](unsigned L) { return T::write(A(L) - B(L)); });
  case Opcode::FMul:
    return F.lanes([&](unsigned L) { return T::write(A(L) * B(L)); });
  case Opcode::FDiv:
    if (T::Bits == 32 && Op.Variant & Approximate)
      return F.lanes([&](unsigned L) {
        return Single::write(approximateQuotient(Single::read(F.A[L]),
                                                 Single::read(F.B[L]),
                                                 Op.Variant & FullRange));
      });
    return F.lanes([&](unsigned L) { return T::write(A(L) / B(L)); });
  case Opcode::FRem:
    return F.activeLanes(
        [&](unsigned L) { return T::write(std::fmod(A(L), B(L))); });
  case Opcode::FMin:
    return F.lanes([&](unsigned L) { return T::write(minNumber(A(L), B(L))); });
  case Opcode::FMax:
    return F.lanes([&](unsigned L) { return T::write(maxNumber(A(L), B(L))); });
  case Opcode::FMinNaN:
    return F.lanes([&](unsigned L) { return T::write(minimum(A(L), B(L))); });
  case Opcode::FMaxNaN:
    return F.lanes([&](unsigned L) { return T::write(maximum(A(L), B(L))); });
  case Opcode::Fma:
    return F.activeLanes([&](unsigned L) {
      Value V = std::fma(A(L), B(L), C(L));
      return V != V && T::Bits == 64 ? resultOfInvalid({F.A[L], F.C[L], F.B[L]})
                                     : T::write(V);
    });
  case Opcode::FSqrt:
    return F.lanes([&](unsigned L) { return T::write(std::sqrt(A(L))); });
  case Opcode::FRound:
    return F.activeLanes([&](unsigned L) {
      return T::write(
          static_cast<Value>(roundToIntegral(A(L), roundingOf(Op.Variant))));
    });
  case Opcode::FSaturate:
    return F.lanes([&](unsigned L) {
      Value V = A(L);
      return T::write(V > Value(0) ? (V < Value(1) ? V : Value(1)) : Value(0));
    });
  default:
    return F.activeLanes([&](unsigned L) {
      if (T::Bits == 64 && Op.Variant & FlushDenormals)
        return approximateUpperHalf(Op.Code, F.A[L]);
      return T::write(static_cast<Value>(approximate(Op.Code, A(L))));
    });
  }
}

/// Returns true for operations that directed() computes for other rounding
/// modes.
inline bool isRounded(Opcode Code) {
  return Code == Opcode::FAdd || Code == Opcode::FSub || Code == Opcode::FMul ||
         Code == Opcode::FDiv || Code == Opcode::Fma || Code == Opcode::FSqrt ||
         Code == Opcode::FRcp;
}

inline void floats(const Operation &Op, const Frame &F);

/// An operation under .ftz: denormal operands and results become zeros.
inline void flushingFloats(Operation Op, const Frame &F) {
  Op.Variant &= ~FlushDenormals;
  LaneValues A = F.A, B = F.B, C = F.C;
  for (LaneValues *Operand : {&A, &B, &C})
    for (unsigned L = 0; L < WarpSize; ++L)
      (*Operand)[L] = flushed((*Operand)[L], Op.Bits);
  LaneValues Results = F.D;
  floats(Op, {Results, A, B, C, F.Active});
  if (Op.Code == Opcode::FMul || Op.Code == Opcode::Fma) {
    // The hardware also flushes a product whose value before rounding is
    // denormal, even if it would round up to the least normal number.
    Op.Variant = static_cast<uint8_t>(RoundingMode::TowardZero);
    F.activeLanes([&](unsigned L) {
      uint64_t Inner = directed(Op, A[L], B[L], C[L]);
      return flushed(Inner, Op.Bits) != Inner ? flushed(Inner, Op.Bits)
                                              : flushed(Results[L], Op.Bits);
    });
    return;
  }
  bool IsNumber = Op.Code != Opcode::FCompare && Op.Code != Opcode::FClass;
  F.activeLanes([&](unsigned L) {
    return IsNumber ? flushed(Results[L], Op.Bits) : Results[L];
  });
}

inline void floats(const Operation &Op, const Frame &F) {
  if (Op.Variant & FlushDenormals && Op.Bits != 64)
    return flushingFloats(Op, F);
  if (Op.Code == Opcode::FCompare)
    return compareFloats(Op, F);
  if (Op.Code == Opcode::FNeg || Op.Code == Opcode::FAbs ||
      Op.Code == Opcode::FCopySign || Op.Code == Opcode::FClass)
    return signBits(Op, F);
  if (isRounded(Op.Code) &&
      roundingOf(Op.Variant) != RoundingMode::NearestTiesToEven)
    return F.activeLanes(
        [&](unsigned L) { return directed(Op, F.A[L], F.B[L], F.C[L]); });
  withFormat(Op.Bits, [&](auto Format) { floats(Op, F, Format); });
}

inline uint64_t integerToFloat(const Operation &Op, uint64_t From) {
  bool IsSigned = Op.Code == Opcode::SToF;
  llvm::APSInt Integer(llvm::APInt(Op.SourceBits, From), !IsSigned);
  llvm::APFloat Number(semanticsOf(Op.Bits));
  Number.convertFromAPInt(Integer, IsSigned, roundingOf(Op.Variant));
  return asBits(Number, Op.Bits);
}

inline uint64_t truncateFloat(const Operation &Op, uint64_t From) {
  auto Mode = roundingOf(Op.Variant);
  if (Op.SourceBits == 64 && isNaN64(From))
    return narrowedNaN(From, Op.Bits);
  if (Op.Bits == 16)
    return writeHalf(readFloat(From, Op.SourceBits), Mode);
  llvm::APFloat Number = asNumber(From, Op.SourceBits);
  bool LosesInfo;
  Number.convert(semanticsOf(Op.Bits), Mode, &LosesInfo);
  return asBits(Number, Op.Bits);
}

inline void convertFloats(const Operation &Op, const Frame &F);

/// A conversion under .ftz, which flushes only numbers of 32 bits.
inline void flushingConversion(Operation Op, const Frame &F) {
  Op.Variant &= ~FlushDenormals;
  const bool IsFromFloat = Op.Code != Opcode::SToF && Op.Code != Opcode::UToF;
  const bool IsToFloat = Op.Code != Opcode::FToS && Op.Code != Opcode::FToU;
  LaneValues A = F.A;
  if (IsFromFloat && Op.SourceBits == 32)
    for (unsigned L = 0; L < WarpSize; ++L)
      A[L] = flushed<Single>(A[L]);
  LaneValues Results = F.D;
  convertFloats(Op, {Results, A, F.B, F.C, F.Active});
  F.activeLanes([&](unsigned L) {
    return IsToFloat && Op.Bits == 32 ? flushed<Single>(Results[L])
                                      : Results[L];
  });
}

inline void convertFloats(const Operation &Op, const Frame &F) {
  if (Op.Variant & FlushDenormals)
    return flushingConversion(Op, F);
  auto Mode = roundingOf(Op.Variant);
  bool IsNearest = Mode == RoundingMode::NearestTiesToEven;
  const unsigned From = Op.SourceBits;
  switch (Op.Code) {
  case Opcode::FToS:
  case Opcode::FToU:
    return F.activeLanes([&](unsigned L) {
      return floatToInteger(readFloat(F.A[L], From), From, Op.Bits,
                            Op.Code == Opcode::FToS, Mode);
    });
  case Opcode::SToF:
    if (IsNearest && Op.Bits != 16)
      return withFormat(Op.Bits, [&](auto Format) {
        using Value = decltype(Format)::Value;
        F.lanes([&, Format](unsigned L) {
          return Format.write(static_cast<Value>(signExtend(F.A[L], From)));
        });
      });
    [[fallthrough]];
  case Opcode::UToF:
    return F.activeLanes(
        [&](unsigned L) { return integerToFloat(Op, F.A[L]); });
  case Opcode::FTruncate:
    if (IsNearest && Op.Bits == 32)
      return F.lanes([&](unsigned L) {
        return isNaN64(F.A[L])
                   ? narrowedNaN(F.A[L], 32)
                   : Single::write(static_cast<float>(Double::read(F.A[L])));
      });
    return F.activeLanes([&](unsigned L) { return truncateFloat(Op, F.A[L]); });
  default:
    return withFormat(Op.Bits, [&](auto Format) {
      using Value = decltype(Format)::Value;
      F.activeLanes([&, Format](unsigned L) {
        return Format.write(static_cast<Value>(readFloat(F.A[L], From)));
      });
    });
  }
}

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_FLOATLANES_H
