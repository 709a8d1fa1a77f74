// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers a function and its callees from clang::CFG to the IR in memory form:
/// each variable is an object, and each use of it a load or a store. Promotion
/// to SSA values comes later (../Promotion.cpp).
///
/// What an expression is lowered to depends on its value category: a glvalue to
/// the address of its object, a scalar prvalue to its value, and a prvalue of
/// class or array type to the address of the object that it initialises, which
/// is a temporary if it has no other place. 0 stands for no value (void).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_IR_BUILD_LOWERING_H
#define CUDAOPT_LIB_IR_BUILD_LOWERING_H

#include "Members.h"

#include "cudaopt/IR/Build.h"
#include "cudaopt/IR/FunctionBuilder.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace cudaopt::ir {

/// Lowers one function. The members are defined in several files, which the
/// comments in the class name.
class Lowering {
public:
  Lowering(clang::ASTContext &Context, const BuildOptions &Options,
           const clang::FunctionDecl *D);

  /// Returns the function in memory form; null if clang makes no graph for it
  /// or if it calls setjmp() or the like.
  std::unique_ptr<Function> run();

private:
  friend class Assembly;
  using Arguments = llvm::ArrayRef<const clang::Expr *>;
  /// What was accessed while an expression was lowered: a range of Touched, and
  /// the range of objects that were made meanwhile (ends excluded).
  struct Span {
    size_t Begin, End;
    ObjectId FirstObject, EndObject;
  };
  /// Objects that are accessed; the flag says whether they are written.
  using TouchedObjects = llvm::SmallMapVector<ObjectId, bool, 4>;
  /// A `try` statement with its handlers.
  struct Try {
    /// The block that dispatches to the handlers.
    const clang::CFGBlock *Handlers = nullptr;
    /// All statements in the `try` block, at any depth.
    llvm::DenseSet<const clang::Stmt *> Body;
    bool IsEntered = false; ///< The edge to the handlers has been made.
  };

  /// The state of one call that is being spliced in, or of the function itself.
  struct Frame {
    const clang::FunctionDecl *Callee = nullptr;
    CallPathId Path = 0;
    Frame *Caller = nullptr;
    std::unique_ptr<clang::CFG> Graph;
    ValueId This = 0;
    /// Where a spliced function returns to; null for the function itself.
    Block *Return = nullptr;
    /// The address of the object that holds the returned value; 0 if there is
    /// none.
    ValueId Returned = 0;
    /// An expression that several others share, as a default argument, is
    /// lowered anew for each of them, with temporaries of its own. This number
    /// tells these instances apart; 0 outside of them.
    uint32_t Instance = 0;
    /// The outermost default argument or default member initialiser that is
    /// being lowered, if one is.
    const clang::Expr *Default = nullptr;
    /// What was accessed by each expression, for the order of evaluation.
    llvm::DenseMap<const clang::Stmt *, Span> Spans;
    /// Expressions that are evaluated once for each element of an array
    /// although the graph has them once, and the index of the current element.
    llvm::DenseSet<const clang::Stmt *> PerElement;
    ValueId Index = 0;
    /// What each expression became (see get()).
    llvm::DenseMap<const clang::Stmt *, ValueId> Values;
    /// The value that each assignment stored.
    llvm::DenseMap<const clang::Stmt *, ValueId> Stored;
    /// Operands of `noexcept` and the like, which are not evaluated although
    /// the graph has them as elements.
    llvm::SmallPtrSet<const clang::Stmt *, 4> Unevaluated;
    /// The first block of the IR for each block of the graph.
    llvm::DenseMap<const clang::CFGBlock *, Block *> Starts;
    /// The block of the graph for the last of its blocks of the IR, which is
    /// the predecessor that its successors see.
    llvm::DenseMap<const Block *, const clang::CFGBlock *> Ends;
    /// Lvalues that are converted to rvalues at once, so that their addresses
    /// are not used otherwise: Read holds all of them, ReadArms the operands of
    /// a conditional operator among them.
    llvm::DenseSet<const clang::Expr *> Read, ReadArms;
    /// The values loaded from conditional operators and their operands.
    llvm::DenseMap<const clang::Stmt *, ValueId> Loaded;
    /// The fields of the closure, by captured variable, if this is a lambda's
    /// operator(); the key null is the captured `this`.
    llvm::DenseMap<const clang::ValueDecl *, clang::FieldDecl *> Captures;
    /// Captured variables that never change, and have objects of their own here
    /// (see adopt()).
    llvm::SmallPtrSet<const clang::VarDecl *, 4> Adopted;
    std::vector<Try> Tries; ///< Inner ones come before outer ones.
  };

  // ControlFlow.cpp
  bool lowerBody(Frame &F);
  void lowerBlock(const clang::CFGBlock &B);
  void lowerElement(const clang::CFGElement &E);
  void lowerTerminator(const clang::CFGBlock &B);
  llvm::SmallVector<const clang::CFGBlock *, 2>
  successorsOf(const clang::CFGBlock &B) const;
  static const clang::Expr *makerOf(const clang::Expr *Init);
  void addRead(Frame &F, const clang::Expr *E);
  void placeResults(Frame &F);
  void place(const clang::Expr *Init, ValueId Address);
  void placeParts(const clang::InitListExpr *List, ValueId Address);
  void placeInitializer(const clang::CXXCtorInitializer *I);
  std::optional<ValueId> partOf(const clang::CXXCtorInitializer *I);
  void lowerGuard(const clang::DeclStmt *S, Block *Behind, Block *Initialises);
  void lowerSwitch(const clang::CFGBlock &B, const clang::Stmt *Terminator);
  void leaveFrame(const clang::Stmt *At);
  void lowerReturn(const clang::ReturnStmt *S);
  ValueId lowerLogical(const clang::BinaryOperator *E);
  ValueId lowerConditional(const clang::AbstractConditionalOperator *E);
  /// Returns the value of \p E, a logical or conditional operator, in the block
  /// where its paths join: a phi of what \p Find returns for each predecessor.
  /// \p Find returns 0 if the value is not known; then the result is opaque.
  ValueId join(const clang::Expr *E,
               llvm::function_ref<ValueId(const clang::CFGBlock &)> Find);

  // Exceptions.cpp
  static std::vector<Try> findTries(const clang::CFG &Graph);
  void enterTries(const clang::Stmt *S);
  void lowerHandlers(const clang::CFGBlock &B);
  const clang::Stmt *placeHere(const Operation &O) const;
  llvm::SmallVector<ObjectId, 8> listChanged(const Try &T) const;
  bool forget(ObjectId Id, const clang::Stmt *At);

  // Launches.cpp
  ValueId lowerLaunch(const clang::CUDAKernelCallExpr *E);
  std::optional<ValueId>
  lowerLaunchCall(const clang::Expr *E, const clang::FunctionDecl *Callee,
                  llvm::ArrayRef<const clang::Expr *> Arguments);
  ValueId appendLaunch(const clang::Expr *E, const clang::Expr *Grid,
                       const clang::Expr *Block, const clang::Expr *Bytes,
                       llvm::ArrayRef<const clang::Expr *> Others);
  void addExtents(const clang::Expr *E, bool IsKnown,
                  llvm::SmallVectorImpl<ValueId> &Extents);
  bool isUnchanged(const clang::VarDecl *D) const;
  void adoptCaptures(Frame &F);
  bool adopt(const clang::VarDecl *D);

  // Statements.cpp
  ValueId lower(const clang::Stmt *S);
  void lowerDeclarations(const clang::DeclStmt *S);
  void lowerVariable(const clang::VarDecl *D, const clang::Stmt *At);
  void lowerInitializer(const clang::CXXCtorInitializer *I);
  ValueId lowerAssembly(const clang::GCCAsmStmt *S); // Assembly.cpp
  void lowerStatic(const clang::VarDecl *D, const clang::Stmt *At);

  // Expressions.cpp
  ValueId lowerExpression(const clang::Expr *E);
  ValueId floating(const llvm::APFloat &Number, clang::QualType T);
  ValueId lowerName(const clang::DeclRefExpr *E);
  ValueId captured(const clang::FieldDecl *Field);
  ValueId capturedThis(const clang::FieldDecl *Field);
  /// Returns the address of a field of the object at address \p Object; for a
  /// bit-field, that of its memory location.
  ValueId member(ValueId Object, const clang::FieldDecl *Field);
  ValueId lowerMember(const clang::MemberExpr *E);
  ValueId lowerSubscript(const clang::ArraySubscriptExpr *E);
  ValueId lowerUnary(const clang::UnaryOperator *E);
  ValueId lowerIncrement(const clang::UnaryOperator *E);
  ValueId lowerBinary(const clang::BinaryOperator *E);
  ValueId lowerCompound(const clang::CompoundAssignOperator *E);
  ValueId arithmetic(clang::BinaryOperatorKind Opcode, clang::QualType T,
                     clang::QualType LeftType, ValueId L,
                     clang::QualType RightType, ValueId R);
  ValueId lowerProperty(const clang::PseudoObjectExpr *E);
  std::optional<ValueId> evaluate(const clang::Expr *E);
  ValueId lowerSourceLocation(const clang::SourceLocExpr *E);

  // Conversions.cpp
  ValueId lowerCast(const clang::CastExpr *E);
  ValueId lowerToBase(const clang::CastExpr *E);
  ValueId lowerLoad(const clang::CastExpr *E);

  // Classes.cpp
  ValueId lowerConstruction(const clang::CXXConstructExpr *E);
  ValueId lowerList(const clang::InitListExpr *E);
  ValueId lowerLambda(const clang::LambdaExpr *E);
  ValueId lowerTemporary(const clang::MaterializeTemporaryExpr *E);
  ValueId lowerArrayList(const clang::InitListExpr *E, ValueId Address);
  /// Stores zeros to what the list does not initialise. Parts that were
  /// constructed in place must not be overwritten.
  void fillUnnamed(const clang::InitListExpr *E, ValueId Address);
  ValueId lowerArrayCopy(const clang::ArrayInitLoopExpr *E);
  ValueId zeros(const clang::Expr *E);
  /// Stores zeros to the whole object of type \p T.
  void fill(const clang::Stmt *At, ValueId Address, clang::QualType T);
  /// Initialises the object of type \p T at \p To by what \p Init became.
  void initialize(ValueId To, clang::QualType T, const clang::Expr *Init);
  ValueId base(ValueId Object, const clang::CXXRecordDecl *Class,
               const clang::CXXBaseSpecifier &Base);

  // Lifetimes.cpp
  ValueId lowerArrayConstruction(const clang::CXXConstructExpr *E,
                                 ValueId Address);
  /// Calls \p Do with the address of each of \p Count elements, from the last
  /// one on if \p IsBackwards; Now->Index is the index of the element. Many
  /// elements become a loop, for which \p Do is called once.
  void forEachElement(ValueId Array, clang::QualType Element, uint64_t Count,
                      bool IsBackwards, llvm::function_ref<void(ValueId)> Do);
  void findPerElement(const Frame &F);
  void lowerDestructor(const clang::CFGImplicitDtor &D);
  void destroyOpaquely(const clang::CFGImplicitDtor &D);
  void destroy(const clang::Stmt *At, ValueId Address, clang::QualType T);

  // BitFields.cpp
  ValueId loadLocation(const clang::Expr *At, ValueId Address,
                       const Member &Location, bool IsVolatile);
  /// Returns the value of a bit-field. \p Address is that of its memory
  /// location.
  ValueId loadBits(const clang::Expr *At, ValueId Address,
                   const clang::FieldDecl *Field);
  /// Stores to a bit-field; \p Address is that of its memory location. Returns
  /// the value that the bit-field then has, cut off to its width.
  ValueId storeBits(const clang::Expr *At, ValueId Address,
                    const clang::FieldDecl *Field, ValueId Stored);

  // Order.cpp
  void note(const Operation &O);
  void extend(Span &Whole, const clang::Stmt *S) const;
  TouchedObjects touchedBy(const clang::Expr *E) const;
  bool mayOverlap(ObjectId A, ObjectId B) const;
  /// Returns true if the expressions may have another effect if they are
  /// evaluated in another order.
  bool isOrderOpen(Arguments Each) const;
  ValueId opaqueOrder(const clang::Expr *E, Arguments Each);

  // KnownCalls.cpp
  std::optional<ValueId> lowerKnownCall(const clang::Expr *E,
                                        const clang::FunctionDecl *Callee,
                                        Arguments Each);
  std::optional<ValueId> lowerSimple(const clang::Expr *E,
                                     const clang::FunctionDecl *Callee,
                                     Operation O, Arguments Each);
  std::optional<ValueId> lowerCached(const clang::Expr *E, bool IsLoad,
                                     bool IsVolatile, Arguments Each);
  std::optional<ValueId> lowerOutputs(const clang::Expr *E,
                                      const clang::FunctionDecl *Callee,
                                      Arguments Each);
  std::optional<ValueId> lowerCopyAsync(const clang::Expr *E,
                                        const clang::FunctionDecl *Callee,
                                        Arguments Each);
  std::optional<ValueId> lowerPrint(const clang::Expr *E, Arguments Each);
  std::optional<ValueId> lowerMatrix(const clang::Expr *E, bool IsLoad,
                                     Arguments Each);
  std::optional<ValueId> lowerMultiply(const clang::Expr *E, Arguments Each);
  ValueId append(Operation O, const clang::Expr *E);

  // Calls.cpp
  ValueId lowerCall(const clang::CallExpr *E);
  std::optional<ValueId> lowerMemcpy(const clang::CallExpr *E);
  std::optional<ValueId> lowerChoice(const clang::CallExpr *E,
                                     const clang::FunctionDecl *Callee);

  // Containers.cpp
  std::optional<ValueId> lowerContainerCall(const clang::CallExpr *E,
                                            const clang::CXXMethodDecl *Callee,
                                            ValueId This);
  ValueId askContainer(const clang::CallExpr *E, llvm::StringRef What,
                       ValueId This, clang::QualType Class, Type T);
  ValueId call(const clang::Expr *E, const clang::FunctionDecl *Callee,
               ValueId This, llvm::ArrayRef<const clang::Expr *> Arguments);
  ValueId barrier(const clang::CallExpr *E,
                  llvm::ArrayRef<const clang::Expr *> Arguments);
  std::optional<ValueId> lowerBuiltin(const clang::CallExpr *E);
  std::optional<ValueId> lowerGroupCall(const clang::CallExpr *E,
                                        const clang::FunctionDecl *Callee);
  static bool isOrdered(const clang::CallExpr *E);
  bool maySplice(const clang::FunctionDecl *Callee) const;
  ValueId splice(const clang::Expr *E, const clang::FunctionDecl *Callee,
                 ValueId This, llvm::ArrayRef<const clang::Expr *> Arguments);
  /// Lowers the body of \p F, a callee, at \p Call. \p Bind is called first, to
  /// bind the parameters. Returns false, and lowers no body, if clang makes no
  /// graph for it.
  bool runBody(Frame &F, const clang::Stmt *Call, ValueId This,
               llvm::function_ref<void()> Bind);
  void bindParameters(Frame &F, llvm::ArrayRef<const clang::Expr *> Arguments,
                      llvm::ArrayRef<ValueId> Values);

  // Memory.cpp
  Type typeOf(clang::QualType T) const;
  uint64_t sizeOf(clang::QualType T) const;
  bool isScalar(clang::QualType T) const;
  ObjectId objectOf(const clang::VarDecl *D);
  /// Returns the address at which the expression \p For makes its object: where
  /// place() wants it, or else a temporary.
  ValueId temporary(const clang::Stmt *For, clang::QualType T);
  /// Returns the guard variable of a static variable: a boolean that says
  /// whether it has been initialised.
  ObjectId guardOf(const clang::VarDecl *D);
  ObjectId literalObject(const clang::Expr *E);
  ValueId addressOf(const clang::VarDecl *D);
  ValueId scale(ValueId Index, uint64_t Bytes, bool IsNegative = false);
  /// Appends \p O to the current block, and begins a new one behind a barrier.
  Operation &append(Operation O);
  ValueId load(const clang::Expr *At, ValueId Address, clang::QualType T);
  void store(const clang::Stmt *At, ValueId Address, ValueId Stored,
             clang::QualType T);
  void copy(const clang::Stmt *At, ValueId To, ValueId From, clang::QualType T);
  /// Appends an opaque operation for \p S, which is not understood, and returns
  /// its unknown result of type \p T. It may access the objects that
  /// \p Operands lead to.
  ValueId opaque(const clang::Stmt *S, llvm::StringRef Why,
                 llvm::ArrayRef<ValueId> Operands, clang::QualType T);
  /// The same, with what has been lowered of the children of \p S as operands.
  ValueId opaque(const clang::Stmt *S, llvm::StringRef Why);
  /// Appends an opaque operation, and ends the block if a thread may end there.
  void appendOpaque(Operation O);
  bool mayLeave(const clang::Stmt *S) const;
  Anchor anchor(const clang::Stmt *S) const;
  void setParameters(Frame &F);

  ValueId known(const clang::Stmt *S) const;
  /// The expression that \p S only wraps, as in parentheses; null if \p S does
  /// more.
  static const clang::Expr *wrappedBy(const clang::Stmt *S);
  /// Returns what \p S became; lowers it first if that has not been done.
  ValueId get(const clang::Stmt *S);
  /// Lowers \p S, which several expressions share, once more. An object is made
  /// at \p To, if that is given.
  ValueId lowerAnew(const clang::Expr *S, ValueId To = 0);
  /// Calls \p Lower as an instance of its own: nothing that has been lowered is
  /// reused, and temporaries are new.
  ValueId anew(llvm::function_ref<ValueId()> Lower);

  clang::ASTContext &Context;
  const BuildOptions &Options;
  const clang::FunctionDecl *Decl;
  FunctionBuilder Builder;
  Frame *Now = nullptr;  ///< The frame that is being lowered.
  Block *Here = nullptr; ///< The block to which operations are appended.
  /// True in an expression that is no element of the graph, as a default
  /// argument; paths cannot join there.
  bool IsDetached = false;
  bool IsAdopting = false;   ///< Captured variables are being adopted.
  bool ReturnsTwice = false; ///< The function calls setjmp() or the like.
  unsigned NumOperations = 0;
  uint32_t NumInstances = 0;
  /// Identifies one evaluation of an expression: the expression, and its
  /// instance (upper half) and call path (lower half).
  using PlaceKey = std::pair<const void *, uint64_t>;
  PlaceKey keyOf(const clang::Stmt *S) const;
  /// The object of each variable, string literal or guard, by call path.
  llvm::DenseMap<std::pair<const void *, CallPathId>, ObjectId> Objects;
  /// The address at which each expression makes its object.
  llvm::DenseMap<PlaceKey, ValueId> Places;
  /// The addresses that operations access, in their order, and whether they
  /// are written; address 0 is whatever has escaped.
  std::vector<std::pair<ValueId, bool>> Touched;
  llvm::DenseSet<ObjectId> Escaped;
  ObjectId Printed = 0; ///< The buffer to which `printf` of the device writes.
  bool isOfDevice() const;
};

} // namespace cudaopt::ir

#endif // CUDAOPT_LIB_IR_BUILD_LOWERING_H
