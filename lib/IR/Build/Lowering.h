// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers a function and its callees to the IR in memory form.
///
/// What an expression is lowered to depends on its category: a glvalue to the
/// address of its object, a scalar to its value, and an object that has no name
/// yet (a prvalue of a class) to the address of a temporary that holds it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_IR_BUILD_LOWERING_H
#define CUDAOPT_LIB_IR_BUILD_LOWERING_H

#include "../Members.h"

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

class Lowering {
public:
  Lowering(clang::ASTContext &Context, const BuildOptions &Options,
           const clang::FunctionDecl *D);

  std::unique_ptr<Function> run();

private:
  friend class Assembly;
  using Arguments = llvm::ArrayRef<const clang::Expr *>;
  /// A range of Touched, and the objects that were made meanwhile.
  struct Span {
    size_t Begin, End;
    ObjectId FirstObject, EndObject;
  };
  /// True for those that are written.
  using TouchedObjects = llvm::SmallMapVector<ObjectId, bool, 4>;
  /// A `try` with its handlers.
  struct Try {
    const clang::CFGBlock *Handlers = nullptr; ///< Where all of them begin.
    llvm::DenseSet<const clang::Stmt *> Body;
    bool IsEntered = false;
  };

  /// One call that is being lowered, or the function itself.
  struct Frame {
    const clang::FunctionDecl *Callee = nullptr;
    CallPathId Path = 0;
    Frame *Caller = nullptr;
    std::unique_ptr<clang::CFG> Graph;
    ValueId This = 0;
    /// Where a spliced function returns to, and the address of what it returns;
    /// none for the function itself.
    Block *Return = nullptr;
    ValueId Returned = 0;
    /// Expressions that several others share are lowered anew for each, with
    /// temporaries of their own: which time this is.
    uint32_t Instance = 0;
    /// The outermost default argument that is being lowered, if one is.
    const clang::Expr *Default = nullptr;
    llvm::DenseMap<const clang::Stmt *, Span> Spans;
    /// Elements of the graph that stand for all elements of an array, and the
    /// index of the one that is being lowered.
    llvm::DenseSet<const clang::Stmt *> PerElement;
    ValueId Index = 0;
    llvm::DenseMap<const clang::Stmt *, ValueId> Values;
    /// What assignments stored.
    llvm::DenseMap<const clang::Stmt *, ValueId> Stored;
    /// Operands of `noexcept` and the like, which the graph has as elements.
    llvm::SmallPtrSet<const clang::Stmt *, 4> Unevaluated;
    llvm::DenseMap<const clang::CFGBlock *, Block *> Starts;
    /// By the last of its blocks, from which its successors are reached.
    llvm::DenseMap<const Block *, const clang::CFGBlock *> Ends;
    /// Lvalues that are read at once, and refer to nothing afterwards: calls,
    /// choices, and the arms of these.
    llvm::DenseSet<const clang::Expr *> Read, ReadArms;
    /// What has been read from choices and arms.
    llvm::DenseMap<const clang::Stmt *, ValueId> Loaded;
    /// Of a lambda's operator(): the variables that it captured.
    llvm::DenseMap<const clang::ValueDecl *, clang::FieldDecl *> Captures;
    /// Those of the function itself that never change: they have objects here.
    llvm::SmallPtrSet<const clang::VarDecl *, 4> Adopted;
    std::vector<Try> Tries; ///< Those inside of others first.
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
  /// The value where the ways to \p E join; \p find tells what comes from a
  /// predecessor, 0 if that is not known.
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
  /// The address of a field.
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
  /// Zeros for what the list does not name. Parts that were made in their place
  /// are there already.
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
  /// Calls \p Do with the address of each of \p Count elements; Now->Index is
  /// which one it is.
  void forEachElement(ValueId Array, clang::QualType Element, uint64_t Count,
                      bool IsBackwards, llvm::function_ref<void(ValueId)> Do);
  void findPerElement(const Frame &F);
  void lowerDestructor(const clang::CFGImplicitDtor &D);
  void destroyOpaquely(const clang::CFGImplicitDtor &D);
  void destroy(const clang::Stmt *At, ValueId Address, clang::QualType T);

  // BitFields.cpp
  ValueId loadLocation(const clang::Expr *At, ValueId Address,
                       const Member &Location, bool IsVolatile);
  /// \p Address is where the bit-field's location begins.
  ValueId loadBits(const clang::Expr *At, ValueId Address,
                   const clang::FieldDecl *Field);
  /// What the bit-field holds then.
  ValueId storeBits(const clang::Expr *At, ValueId Address,
                    const clang::FieldDecl *Field, ValueId Stored);

  // Order.cpp
  void note(const Operation &O);
  void extend(Span &Whole, const clang::Stmt *S) const;
  TouchedObjects touchedBy(const clang::Expr *E) const;
  bool mayOverlap(ObjectId A, ObjectId B) const;
  /// True if \p Arguments mean something else in another order.
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
  /// False, and nothing is lowered, if the body of \p F has no graph.
  bool runBody(Frame &F, const clang::Stmt *Call, ValueId This,
               llvm::function_ref<void()> Bind);
  void bindParameters(Frame &F, llvm::ArrayRef<const clang::Expr *> Arguments,
                      llvm::ArrayRef<ValueId> Values);

  // Memory.cpp
  Type typeOf(clang::QualType T) const;
  uint64_t sizeOf(clang::QualType T) const;
  bool isScalar(clang::QualType T) const;
  ObjectId objectOf(const clang::VarDecl *D);
  /// The address of the object that \p For makes: where it is needed, or in a
  /// temporary.
  ValueId temporary(const clang::Stmt *For, clang::QualType T);
  /// Whether a static variable has been initialised.
  ObjectId guardOf(const clang::VarDecl *D);
  ObjectId literalObject(const clang::Expr *E);
  ValueId addressOf(const clang::VarDecl *D);
  ValueId scale(ValueId Index, uint64_t Bytes, bool IsNegative = false);
  Operation &append(Operation O); ///< Where code is being lowered.
  ValueId load(const clang::Expr *At, ValueId Address, clang::QualType T);
  void store(const clang::Stmt *At, ValueId Address, ValueId Stored,
             clang::QualType T);
  void copy(const clang::Stmt *At, ValueId To, ValueId From, clang::QualType T);
  /// What is not understood; \p Operands are mentioned.
  ValueId opaque(const clang::Stmt *S, llvm::StringRef Why,
                 llvm::ArrayRef<ValueId> Operands, clang::QualType T);
  ValueId opaque(const clang::Stmt *S, llvm::StringRef Why);
  /// Ends the block if a thread may end there.
  void appendOpaque(Operation O);
  bool mayLeave(const clang::Stmt *S) const;
  Anchor anchor(const clang::Stmt *S) const;
  void setParameters(Frame &F);

  ValueId known(const clang::Stmt *S) const;
  /// The expression that \p S only wraps, as in parentheses; null if \p S does
  /// more.
  static const clang::Expr *wrappedBy(const clang::Stmt *S);
  /// What the operand \p S became.
  ValueId get(const clang::Stmt *S);
  /// \p S, which several expressions share, lowered anew. An object is made at
  /// \p To, if that is given.
  ValueId lowerAnew(const clang::Expr *S, ValueId To = 0);
  ValueId anew(llvm::function_ref<ValueId()> Lower);

  clang::ASTContext &Context;
  const BuildOptions &Options;
  const clang::FunctionDecl *Decl;
  FunctionBuilder Builder;
  Frame *Now = nullptr;  ///< What is being lowered.
  Block *Here = nullptr; ///< Where operations are appended.
  /// In an expression that the graph does not hold, as a default argument.
  bool IsDetached = false;
  bool IsAdopting = false;   ///< What lambdas captured.
  bool ReturnsTwice = false; ///< As setjmp() does.
  unsigned NumOperations = 0;
  uint32_t NumInstances = 0;
  /// Of an expression: the instance above the path.
  using PlaceKey = std::pair<const void *, uint64_t>;
  PlaceKey keyOf(const clang::Stmt *S) const;
  llvm::DenseMap<std::pair<const void *, CallPathId>, ObjectId> Objects;
  /// Where expressions make their objects.
  llvm::DenseMap<PlaceKey, ValueId> Places;
  /// Addresses in the order of the operations, and whether they are written; 0
  /// is whatever has escaped.
  std::vector<std::pair<ValueId, bool>> Touched;
  llvm::DenseSet<ObjectId> Escaped;
  ObjectId Printed = 0; ///< Where `printf` writes.
  bool isOfDevice() const;
};

} // namespace cudaopt::ir

#endif // CUDAOPT_LIB_IR_BUILD_LOWERING_H
