// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The intermediate representation (IR): what a function does, in SSA form,
/// with each operation anchored in the source text.
///
/// A function instance (one specialisation of a template, its callees spliced
/// in) is a control-flow graph of basic blocks. Blocks hold *operations*: what
/// accesses memory, communicates with other threads, or affects control.
/// Everything else is a *value* (Value.h): pure, typed and hash-consed. Every
/// operation knows the expression that it came from and whether the text of
/// that expression may be edited.
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
/// point. `@name` is an object in memory, `%name` a parameter, `%1` the result
/// of an operation. Behind `;` stand the line and the column of the source
/// text, and whether it may be edited (Anchor::TextState).
///
/// Why an IR of our own. LLVM IR has lost the text: several accesses share one
/// source location, and the parts of a subscript cannot be told apart. The
/// syntax tree has no control flow, and each analysis over it would have to
/// interpret C++ for itself. clang::CFG has both the order of evaluation and
/// the expressions; this IR is lowered from it, and adds values, memory and
/// effects.
///
/// What is not understood is *opaque*: a construct that the builder has no rule
/// for becomes an operation that reads and writes all memory that it mentions
/// or that has escaped, and yields an unknown result. It may end the thread if
/// it runs code that is not seen; if its Extent is Scope::Device, it ends the
/// whole grid in that case. A pass that meets an opaque operation where it
/// matters refuses to transform, so that a forgotten case costs an optimisation
/// but never a correct result.
///
/// What the IR does not represent: text (comments, macros, the order of
/// declarations; the syntax tree keeps those), the paths of exceptions (a call
/// that may throw is an operation that may leave), and the order between
/// threads (barriers and atomics have a scope; the analyses decide what they
/// order).
///
/// Invariants, checked by verify():
///   1. A definition dominates its uses; a phi has an operand for each
///      predecessor.
///   2. Every block but the exit is reachable; there is one exit.
///   3. A barrier ends its block, and so does an operation that may leave; the
///      second successor of the latter's block is the exit.
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

/// A call path: the chain of spliced calls that leads from the function to an
/// operation. One source text has one path for each call through which it is
/// reached; 0 is the empty path, of the text of the function itself.
using CallPathId = uint32_t;

/// Where an operation stands in the source, and whether its text may be edited.
struct Anchor {
  enum TextState : uint8_t {
    NoText,        ///< Made by the compiler, as the increment of a range-for.
    Exact,         ///< The text stands in the main file as it is.
    MacroArgument, ///< Written by the user where a macro is used.
    MacroBody,     ///< Part of a macro's definition.
    Header,        ///< In a file that the main file includes.
  };
  TextState Text = NoText;
  /// The statement or expression, in the instance of the template; null if the
  /// operation has none.
  const clang::Stmt *Node = nullptr;
  CallPathId Path = 0; ///< The calls that lead to the operation.
};

/// Memory that one variable, temporary or pointer parameter stands for: the
/// base of addresses. Distinct objects may still overlap: a pointee may be part
/// of another object, and `extern __shared__` arrays all begin at one address.
struct Object {
  enum Kind : uint8_t {
    Unknown,       ///< Memory of which nothing is known: object 0.
    Shared,        ///< A `__shared__` variable of known size.
    DynamicShared, ///< An `extern __shared__` array.
    Local,         ///< A variable of one thread.
    /// A parameter of class type of the function itself, which the caller has
    /// filled. (Scalar parameters are Local objects that are stored to first.)
    Parameter,
    Temporary, ///< An unnamed object of one thread.
    Global,    ///< `__device__`, `__managed__`, and variables of the host.
    Constant,  ///< `__constant__`, strings, and what is known at compile time.
    Pointee,   ///< What an argument points to; pointees may overlap.
  };
  Kind What = Unknown;
  /// The name in the IR, which is unique in the function.
  std::string Name;
  /// The variable, or the parameter that points to a pointee; may be null.
  const clang::ValueDecl *Decl = nullptr;
  clang::QualType SourceType;
  /// Size in bytes; std::nullopt for pointees and extern arrays.
  std::optional<uint64_t> Size;
  uint32_t Alignment = 1; ///< Alignment in bytes.
  /// True if nothing changes the object after its initialisation, even code
  /// that has its address.
  bool IsUnchanged = false;
};

/// A byte of an object.
struct Place {
  ObjectId Object = 0;
  uint64_t Offset = 0; ///< In bytes, from the beginning of the object.
  auto operator<=>(const Place &) const = default;
};

/// The set of threads that an operation concerns.
enum class Scope : uint8_t {
  Thread,
  Warp,  ///< Lanes of one warp: all, or those of a mask.
  Group, ///< Some threads of the block, as those of a named barrier.
  Block,
  Device,
  System, ///< All devices and the host.
};

/// Memory that an operation of kind Known accesses.
struct Touch {
  ValueId Address = 0;
  bool Reads = false;
  bool Writes = false;
  /// The number of contiguous bytes. If it is 0, the value Bytes is that
  /// number; if that is 0, too, nothing is known but the object.
  uint64_t Width = 0;
  ValueId Bytes = 0;
  /// The number of rows of Width bytes, as of a matrix. Each begins Stride
  /// bytes behind the one before.
  uint64_t Rows = 1;
  ValueId Stride = 0;
};

/// What accesses memory, communicates with other threads, or affects control.
/// Fields that a kind does not mention are 0 or empty.
struct Operation {
  enum Kind : uint8_t {
    Load,    ///< Result is loaded from Width bytes at Address.
    Store,   ///< Stored is stored to Width bytes at Address.
    Copy,    ///< Copies Width bytes from the pointer Stored to Address.
    Atomic,  ///< Reads and writes Width bytes at Address, using Operands.
    Barrier, ///< All threads of Extent wait for one another.
    Fence,   ///< Orders this thread's accesses, as Extent sees them.
    Shuffle, ///< Exchanges Operands among the lanes of a warp.
    Sample,  ///< Result is a changing state of the hardware, such as a clock.
    Commit,  ///< Closes a group of this thread's asynchronous operations.
    /// Waits until all but the newest groups are done; Operands says how many
    /// of the newest may still be pending.
    Wait,
    /// Accesses what Touches says, and does nothing else. If it is
    /// asynchronous, it does so at some time before a Wait.
    Known,
    Opaque, ///< Not understood; see the top of this file. Why says what.
  };
  Kind What = Opaque;
  bool IsVolatile = false;
  bool IsAsynchronous = false;
  /// True for an opaque operation that launches a kernel. Its first seven
  /// operands are the extents of the grid (x, y, z), those of the block
  /// (x, y, z), and the number of bytes of dynamic shared memory.
  bool IsLaunch = false;
  Scope Extent = Scope::Thread;
  ValueId Address = 0;
  ValueId Stored = 0;
  ValueId Result = 0;
  uint64_t Width = 0; ///< Bytes that a load, store, copy or atomic accesses.
  clang::QualType Of; ///< The type that is copied, or filled with zeros.
  llvm::SmallVector<ValueId, 4> Operands;
  llvm::SmallVector<Touch, 1> Touches;
  /// Objects that an opaque operation may reach, besides what has escaped.
  llvm::SmallVector<ObjectId, 2> Mentions;
  std::string Why; ///< The callee's name, or what is opaque.
  Anchor Where;
};

/// A load or a store of a variable that was promoted to a value. There is no
/// operation for it any more, but its text still names the variable.
struct VariableUse {
  ObjectId Variable = 0;
  uint64_t Offset = 0; ///< The offset in bytes of the member that is accessed.
  bool IsStore = false;
  ValueId Held = 0; ///< The value that is loaded or stored.
  Anchor Where;
};

/// Returns the memory that \p O accesses, what its kind says and what Touches
/// says alike. What an opaque operation may reach is not among it.
llvm::SmallVector<Touch, 2> touchesOf(const Operation &O);

class Function;

/// A basic block: operations that are executed one after the other, and a
/// terminator that says where control goes.
struct Block {
  enum Kind : uint8_t {
    Jump,
    Branch,   ///< Goes to Successors[0] if Condition is true, else to [1].
    Switch,   ///< Goes to the successor whose case Condition is in.
    MayLeave, ///< The last operation may end the thread: next block, exit.
    Leave,    ///< Goes to the exit. Condition is the scalar that is returned.
    End,      ///< The terminator of the exit, which has no successors.
  };
  /// The range of values of a case, both ends included.
  using CaseRange = std::pair<llvm::APSInt, llvm::APSInt>;

  BlockId Id = 0;
  Kind Terminator = Jump;
  ValueId Condition = 0;
  llvm::SmallVector<ValueId, 2> Phis;
  std::vector<Operation> Operations;
  /// Uses of promoted variables, in the order of execution for each variable.
  /// Empty unless BuildOptions::KeepsText is set.
  std::vector<VariableUse> Uses;
  llvm::SmallVector<Block *, 2> Successors, Predecessors;
  /// The case of each successor of a switch; std::nullopt for the default.
  llvm::SmallVector<std::optional<CaseRange>, 2> Cases;
  /// True if the last successor is the exit although control never gets there
  /// from here: the block is in a loop without a way out. The edge makes sure
  /// that every block has a post-dominator.
  bool HasVirtualExit = false;
  Anchor Where; ///< The place of the terminator.
  /// The statement of the loop that the back edge from this block closes; its
  /// node is null if there is none.
  Anchor ClosedLoop;
  /// The statement of the loop whose body is executed if this block's condition
  /// holds; null if the condition is no loop's, or is tested behind the body.
  const clang::Stmt *TestedLoop = nullptr;
  Function *Parent = nullptr;

  Function *getParent() const { return Parent; }
  void printAsOperand(llvm::raw_ostream &OS, bool PrintType = false) const;
};

/// A natural loop: Header, and the blocks from which a back edge to it can be
/// reached without passing through it. Header dominates all of them.
struct Loop {
  Block *Header = nullptr;
  std::vector<Block *> Blocks; ///< The header first.
  /// The loop statement of the source; null for a loop that is made by `goto`.
  const clang::Stmt *Statement = nullptr;
  CallPathId Path = 0; ///< The calls that lead to Statement.
  /// The innermost loop around this one: an index into Function::loops().
  std::optional<unsigned> Parent;
};

/// What an expression of the source became.
struct Evaluation {
  /// Its value, or the address of a glvalue; 0 if it has none.
  ValueId Value = 0;
  Block *At = nullptr; ///< The block in which it is evaluated.
};

/// A function instance in the IR. It is immutable once it is built;
/// FunctionBuilder makes it.
class Function {
public:
  const clang::FunctionDecl *decl() const { return Decl; }
  const clang::ASTContext &context() const { return *Context; }
  llvm::ArrayRef<std::unique_ptr<Block>> blocks() const { return Blocks; }
  Block *entry() const { return Blocks.front().get(); }
  Block *exit() const { return Blocks.back().get(); }
  /// Valid ids are 1 to numValues() - 1; 0 stands for no value.
  const Value &value(ValueId Id) const { return Values[Id]; }
  size_t numValues() const { return Values.size(); }
  const Object &object(ObjectId Id) const { return Objects[Id]; }
  size_t numObjects() const { return Objects.size(); }
  llvm::ArrayRef<Loop> loops() const { return Loops; }
  /// Launches that were dropped as unreachable when branches on constants were
  /// folded.
  llvm::ArrayRef<const clang::Stmt *> deadLaunches() const {
    return DeadLaunches;
  }
  /// Returns the call sites, outermost first, that \p Path consists of.
  llvm::SmallVector<const clang::Stmt *, 4> callsOf(CallPathId Path) const;
  /// callOf() returns the last of these call sites, null for the function
  /// itself; callerOf() returns the path without it, which has a smaller
  /// number.
  const clang::Stmt *callOf(CallPathId Path) const { return Paths[Path].Call; }
  CallPathId callerOf(CallPathId Path) const { return Paths[Path].Parent; }
  size_t numPaths() const { return Paths.size(); }
  /// Returns the path of the callee of \p Call, a call site in the code of path
  /// \p Caller; std::nullopt if the call was not spliced in.
  std::optional<CallPathId> pathOf(const clang::Stmt *Call,
                                   CallPathId Caller) const;
  /// Returns what \p S became where it is reached by \p Path; std::nullopt if
  /// it is unreachable, or is evaluated at several places. The function must
  /// have been built with BuildOptions::KeepsEvaluations.
  std::optional<Evaluation> evaluationOf(const clang::Stmt *S,
                                         CallPathId Path) const;

  /// Returns the objects that a pointer may point into, sorted; object 0 is
  /// among them if it may point elsewhere, too. For an integer, returns the
  /// objects whose addresses it may have been computed from.
  llvm::SmallVector<ObjectId, 2> rootsOf(ValueId Pointer) const;

  /// Returns the byte that \p Address points to; std::nullopt if it is no
  /// constant offset from an object.
  std::optional<Place> placeOf(ValueId Address) const;

  using EvaluationMap =
      llvm::DenseMap<std::pair<const clang::Stmt *, CallPathId>, Evaluation>;
  const EvaluationMap &evaluations() const { return Evaluations; }

  void print(llvm::raw_ostream &OS) const;
  /// Prints one value: "@s + s64(%t) * 4".
  void print(llvm::raw_ostream &OS, ValueId Id) const;
  /// Returns a description of the first invariant found broken; std::nullopt if
  /// all hold.
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
