// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The intermediate representation: what a function does, with each operation
/// anchored in the source.
///
/// A function instance (one specialisation, its callees spliced in) is a graph
/// of basic blocks. Blocks hold *operations*: whatever touches memory, other
/// threads or control. Everything else is a *value* (Value.h): pure, typed and
/// hash-consed. Every operation knows the expression that it came from and
/// whether its text may be edited.
///
///   1 __global__ void reverse(const float *in, float *out, int n) {
///   2   __shared__ float s[256];
///   3   int t = threadIdx.x;
///   4   if (t >= n)
///   5     return;
///   6   s[t] = in[t];
///   7   __syncthreads();
///   8   out[t] = s[255 - t];
///   9 }
///
/// `cuda-opt --print=ir` shows it as
///
///   kernel reverse
///     @*in pointee
///     @*out pointee
///     @s shared 1024 bytes, align 4
///     B0:
///       branch s32(threadIdx.x) >= %n, B1, B2 ; 4:7 exact
///     B1:
///       jump B4
///     B2:
///       %1 = load f32 [@*in + s64(s32(threadIdx.x)) * 4] ; 6:10 exact
///       store f32 [@s + s64(s32(threadIdx.x)) * 4], %1 ; 6:3 exact
///       barrier block __syncthreads() ; 7:3 exact
///       jump B3
///     B3:
///       %2 = load f32 [@s + s64(255 - s32(threadIdx.x)) * 4] ; 8:12 exact
///       store f32 [@*out + s64(s32(threadIdx.x)) * 4], %2 ; 8:3 exact
///       jump B4
///     B4:
///       leave
///
/// `sN` and `uN` are signed and unsigned integers of N bits, `fN` floating
/// point. Behind `;` stand line and column, and what may be done with the text
/// there.
///
/// Why this way round. LLVM IR has lost the text: several accesses share one
/// location, and the parts of a subscript cannot be told apart. The syntax tree
/// has no control flow, and each analysis over it would interpret C++ for
/// itself. clang::CFG has both the order of evaluation and the expressions;
/// this IR is lowered from it, and adds values, memory and effects.
///
/// What is not known is *opaque*: a construct that the builder has no rule for
/// is an operation that reads and writes all memory that it mentions or that
/// has escaped, and yields an unknown result. It may end the thread if it is
/// code that is not seen; one whose Extent is Device ends the whole grid by
/// that. A pass that meets one refuses, so that a forgotten case costs an
/// optimisation and no result.
///
/// What the IR cannot say: text (comments, macros, order of declarations; the
/// syntax tree keeps those), exceptions (a call that may throw may leave), and
/// the order between threads (barriers and atomics have a scope; what they
/// order is for the analyses).
///
/// Invariants, checked by verify():
///   1. A definition dominates its uses; a phi has an operand for each
///      predecessor.
///   2. Every block but the exit is reachable; there is one exit.
///   3. A barrier ends its block, and so does an operation that may leave,
///   whose
///      second successor is the exit.
///   4. Operands have the types that their operations need: pointers for
///      addresses, equal types on both sides of arithmetic.
///   5. Blocks are in reverse post-order, the exit last.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_IR_FUNCTION_H
#define CUDAOPT_IR_FUNCTION_H

#include "cudaopt/IR/Value.h"

#include "clang/AST/Type.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class Stmt;
class ValueDecl;
} // namespace clang

namespace cudaopt::ir {

/// Which calls lead to an operation; 0 is the function itself.
using CallPathId = uint32_t;

/// Where an operation stands in the source, and whether its text may change.
struct Anchor {
  enum TextState : uint8_t {
    NoText,        ///< Made by the compiler, as the increment of a range-for.
    Exact,         ///< The text stands in the main file as it is.
    MacroArgument, ///< Written by the user where a macro is used.
    MacroBody,     ///< Part of a macro's definition.
    Header,
  };
  TextState Text = NoText;
  const clang::Stmt *Node = nullptr; ///< In this specialisation.
  CallPathId Path = 0;
};

/// Memory that one name, temporary or pointer stands for.
struct Object {
  enum Kind : uint8_t {
    Unknown,
    Shared,        ///< `__shared__` of known size.
    DynamicShared, ///< `extern __shared__`.
    Local,         ///< A variable of one thread.
    Parameter, ///< Of a class, of the function itself: the caller filled it.
    Temporary,
    Global,   ///< `__device__`, `__managed__`, and variables of the host.
    Constant, ///< `__constant__`, strings, and what is known at compile time.
    Pointee,  ///< What an argument points to; pointees may overlap.
  };
  Kind What = Unknown;
  std::string Name; ///< Unique in the function.
  const clang::ValueDecl *Decl = nullptr;
  clang::QualType SourceType;
  std::optional<uint64_t> Size; ///< Bytes; none for pointees and extern arrays.
  uint32_t Alignment = 1;       ///< Bytes.
  /// Nothing changes it after its initialisation, whoever has its address.
  bool IsUnchanged = false;
};

/// Threads that an operation concerns.
enum class Scope : uint8_t {
  Thread,
  Warp,  ///< Lanes of one warp: all, or those of a mask.
  Group, ///< Some threads of the block, as those of a named barrier.
  Block,
  Device,
  System,
};

/// Memory that a known operation touches.
struct Touch {
  ValueId Address = 0;
  bool Reads = false;
  bool Writes = false;
  /// Bytes in a row. 0: as many as Bytes says; if that is 0, too, nothing is
  /// known but the object.
  uint64_t Width = 0;
  ValueId Bytes = 0;
  /// Rows, each Stride bytes behind the one before, as of a matrix.
  uint64_t Rows = 1;
  ValueId Stride = 0;
};

/// What touches memory, other threads or control.
struct Operation {
  enum Kind : uint8_t {
    Load,    ///< Result = Width bytes at Address.
    Store,   ///< Stored to Width bytes at Address.
    Copy,    ///< Width bytes from the pointer Stored to Address.
    Atomic,  ///< Reads and writes Width bytes at Address; Operands.
    Barrier, ///< All threads of Extent meet.
    Fence,   ///< Orders this thread's accesses, as Extent sees them.
    Shuffle, ///< Exchanges Operands among the lanes of a warp.
    Sample,  ///< Result is what the hardware says now, as of a clock.
    Commit,  ///< Ends a group of this thread's asynchronous operations.
    Wait,    ///< Until those have happened; Operands: but so many new groups.
    Known,   ///< Touches what Touches says, and does nothing else. If it is
             ///< asynchronous, it does so at some time before a Wait.
    Opaque,  ///< Not understood; see the top of this file. Why says what.
  };
  Kind What = Opaque;
  bool IsVolatile = false;
  bool IsAsynchronous = false;
  /// Opaque, and launches a kernel: the first seven operands are the extents of
  /// the grid, those of the block (x, y, z), and the bytes of dynamic memory.
  bool IsLaunch = false;
  Scope Extent = Scope::Thread;
  ValueId Address = 0;
  ValueId Stored = 0;
  ValueId Result = 0;
  uint64_t Width = 0; ///< Bytes.
  clang::QualType Of; ///< What a copy, or a store of zeros, concerns.
  llvm::SmallVector<ValueId, 4> Operands;
  llvm::SmallVector<Touch, 1> Touches;
  /// Objects that an opaque operation may reach, besides what has escaped.
  llvm::SmallVector<ObjectId, 2> Mentions;
  std::string Why; ///< The callee's name, or what is opaque.
  Anchor Where;
};

/// A load or a store of a variable that became a value. Nothing is left to do
/// for it, but its text still names the variable.
struct VariableUse {
  ObjectId Variable = 0;
  uint64_t Offset = 0; ///< Bytes: which member.
  bool IsStore = false;
  ValueId Held = 0; ///< What is loaded or stored.
  Anchor Where;
};

class Function;

/// Operations that are executed one after the other, and where control goes.
struct Block {
  enum Kind : uint8_t {
    Jump,
    Branch,   ///< On Condition: if true, if false.
    Switch,   ///< On Condition, by Cases.
    MayLeave, ///< The last operation may end the thread: next block, exit.
    Leave,    ///< To the exit. Condition is the scalar that is returned.
    End,      ///< Of the exit.
  };
  /// The values of a case, both ends included.
  using CaseRange = std::pair<llvm::APSInt, llvm::APSInt>;

  BlockId Id = 0;
  Kind Terminator = Jump;
  ValueId Condition = 0;
  llvm::SmallVector<ValueId, 2> Phis;
  std::vector<Operation> Operations;
  /// In the order of execution for each variable; see BuildOptions::KeepsText.
  std::vector<VariableUse> Uses;
  llvm::SmallVector<Block *, 2> Successors, Predecessors;
  /// For each successor of a switch; none is the default.
  llvm::SmallVector<std::optional<CaseRange>, 2> Cases;
  /// The last successor is the exit, though no run gets there from here: a loop
  /// without a way out. Every block has a post-dominator by that.
  bool HasVirtualExit = false;
  Anchor Where; ///< Of the terminator.
  /// The statement whose loop this block closes; no node if it closes none.
  Anchor ClosedLoop;
  /// The statement of a loop whose body is executed if this block's condition
  /// holds; null if the condition is no loop's, or tests behind the body.
  const clang::Stmt *TestedLoop = nullptr;
  Function *Parent = nullptr;

  Function *getParent() const { return Parent; }
  void printAsOperand(llvm::raw_ostream &OS, bool PrintType = false) const;
};

/// A natural loop.
struct Loop {
  Block *Header = nullptr;
  std::vector<Block *> Blocks; ///< The header first.
  /// The loop of the source; none for one of `goto`.
  const clang::Stmt *Statement = nullptr;
  CallPathId Path = 0;            ///< The calls that lead to Statement.
  std::optional<unsigned> Parent; ///< Index into Function::loops().
};

/// What an expression of the source became.
struct Evaluation {
  ValueId Value = 0; ///< Of a glvalue, the address; 0 if it has none.
  Block *At = nullptr;
};

/// A function instance. Immutable once it is built; FunctionBuilder makes it.
class Function {
public:
  const clang::FunctionDecl *decl() const { return Decl; }
  const clang::ASTContext &context() const { return *Context; }
  llvm::ArrayRef<std::unique_ptr<Block>> blocks() const { return Blocks; }
  Block *entry() const { return Blocks.front().get(); }
  Block *exit() const { return Blocks.back().get(); }
  /// Those from 1 on; 0 is none.
  const Value &value(ValueId Id) const { return Values[Id]; }
  size_t numValues() const { return Values.size(); }
  const Object &object(ObjectId Id) const { return Objects[Id]; }
  size_t numObjects() const { return Objects.size(); }
  llvm::ArrayRef<Loop> loops() const { return Loops; }
  /// Launches that no run reaches, as branches on constants show.
  llvm::ArrayRef<const clang::Stmt *> deadLaunches() const {
    return DeadLaunches;
  }
  /// The call sites, outermost first, that lead to the operations of \p Path.
  llvm::SmallVector<const clang::Stmt *, 4> callsOf(CallPathId Path) const;
  /// The last of them, null for the function itself; and the path that leads to
  /// it, which has a smaller number.
  const clang::Stmt *callOf(CallPathId Path) const { return Paths[Path].Call; }
  CallPathId callerOf(CallPathId Path) const { return Paths[Path].Parent; }
  size_t numPaths() const { return Paths.size(); }
  /// The path that \p Call in \p Caller leads to; none if it is not spliced.
  std::optional<CallPathId> pathOf(const clang::Stmt *Call,
                                   CallPathId Caller) const;
  /// What \p S, as the calls of \p Path evaluate it, became. None if no run
  /// gets there, or if \p S is evaluated in several ways. Only of a function
  /// that was built with BuildOptions::KeepsEvaluations.
  std::optional<Evaluation> evaluationOf(const clang::Stmt *S,
                                         CallPathId Path) const;

  /// The objects that a pointer may point into; 0 among them if others, too. Of
  /// an integer: those whose addresses it was computed from.
  llvm::SmallVector<ObjectId, 2> rootsOf(ValueId Pointer) const;

  using EvaluationMap =
      llvm::DenseMap<std::pair<const clang::Stmt *, CallPathId>, Evaluation>;
  const EvaluationMap &evaluations() const { return Evaluations; }

  void print(llvm::raw_ostream &OS) const;
  /// "@s + s64(%t) * 4".
  void print(llvm::raw_ostream &OS, ValueId Id) const;
  /// What breaks an invariant; none if all hold.
  std::optional<std::string> verify() const;

private:
  friend class FunctionBuilder;
  Function() = default;

  struct CallSite {
    const clang::Stmt *Call = nullptr;
    CallPathId Parent = 0;
  };

  const clang::FunctionDecl *Decl = nullptr;
  const clang::ASTContext *Context = nullptr;
  std::vector<std::unique_ptr<Block>> Blocks;
  std::vector<Value> Values;
  std::vector<Object> Objects;
  std::vector<Loop> Loops;
  std::vector<CallSite> Paths;
  EvaluationMap Evaluations;
  std::vector<const clang::Stmt *> DeadLaunches;
};

} // namespace cudaopt::ir

#endif // CUDAOPT_IR_FUNCTION_H
