// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs the host side in LLVM's JIT. The C, C++ and math libraries are those of
/// this process.
//===----------------------------------------------------------------------===//

#include "HostProgram.h"

#include "cudaopt/Driver/Parse/NvccFlagTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/Object/ModuleSymbolTable.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TargetSelect.h"
#include <cstring>
#include <map>
#include <new>
#include <optional>

using namespace cudaopt;
using namespace cudaopt::cudasim;
using namespace llvm;

namespace {

/// The control block of an emulated thread_local variable, as defined by GCC.
struct EmulatedVariable {
  size_t Size, Alignment;
  void *Index;
  const void *Initial;
};

/// The copies of thread_local variables of one thread.
class ThreadVariables {
public:
  void *find(const EmulatedVariable &Variable) {
    Storage &Copy = Copies[&Variable];
    if (!Copy)
      Copy = make(Variable);
    return Copy.get();
  }

private:
  struct Free {
    std::align_val_t Alignment;
    void operator()(void *Data) const { ::operator delete(Data, Alignment); }
  };
  using Storage = std::unique_ptr<void, Free>;

  static Storage make(const EmulatedVariable &Variable) {
    std::align_val_t Alignment{Variable.Alignment};
    void *Data = ::operator new(Variable.Size, Alignment);
    if (Variable.Initial)
      std::memcpy(Data, Variable.Initial, Variable.Size);
    else
      std::memset(Data, 0, Variable.Size);
    return Storage(Data, Free{Alignment});
  }

  std::map<const EmulatedVariable *, Storage> Copies;
};

} // namespace

/// Returns the current thread's copy of \p Variable. Emulated TLS calls it
/// under the name __emutls_get_address, which the C++ library does not define.
static void *findThreadVariable(EmulatedVariable *Variable) {
  static thread_local ThreadVariables Mine;
  return Mine.find(*Variable);
}

static constexpr StringLiteral EmulatedName = "__emutls_get_address";

Expected<std::unique_ptr<HostProgram>>
HostProgram::create(ArrayRef<RuntimeEntry> Entries) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  InitializeNativeTargetAsmParser(); // For inline assembly.
  auto Machine = orc::JITTargetMachineBuilder::detectHost();
  if (!Machine)
    return Machine.takeError();
  Machine->getOptions().EmulatedTLS = true;
  auto Jit = orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*Machine))
                 .create();
  if (!Jit)
    return Jit.takeError();

  // The runtime's functions are in a library of their own, because the program
  // may define a symbol that we define, too.
  orc::JITDylib &Runtime =
      (*Jit)->getExecutionSession().createBareJITDylib("cuda-sim");
  std::unique_ptr<HostProgram> Result(new HostProgram);
  orc::SymbolMap Symbols;
  auto Define = [&](const Twine &Name, void *Address) {
    Result->Defined.insert(Name.str());
    Symbols[(*Jit)->mangleAndIntern(Name.str())] = {
        orc::ExecutorAddr::fromPtr(Address),
        JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  };
  for (const RuntimeEntry &Entry : Entries) {
    Define(Entry.Name, Entry.Address);
    // The names of the variants for per-thread default streams.
    Define(Entry.Name + Twine("_ptsz"), Entry.Address);
    Define(Entry.Name + Twine("_ptds"), Entry.Address);
  }
  Define(EmulatedName, reinterpret_cast<void *>(&findThreadVariable));
  if (Error E = Runtime.define(orc::absoluteSymbols(std::move(Symbols))))
    return std::move(E);

  orc::JITDylib &Main = (*Jit)->getMainJITDylib();
  orc::JITDylibSearchOrder Order = {
      {&Runtime, orc::JITDylibLookupFlags::MatchExportedSymbolsOnly}};
  Main.withLinkOrderDo([&](const orc::JITDylibSearchOrder &Others) {
    append_range(Order, make_filter_range(Others, [&](const auto &Library) {
                   return Library.first != &Main;
                 }));
  });
  Main.setLinkOrder(std::move(Order));
  Result->Jit = std::move(*Jit);
  return Result;
}

/// Compiles the file-scope assembly of \p M into an object of its own, because
/// the JIT does not learn from a module's symbol table what assembly defines.
Error HostProgram::addAssembly(Module &M) {
  ModuleSymbolTable::CollectAsmSymbols(
      M, [this](StringRef Name, object::BasicSymbolRef::Flags Flags) {
        StringSet<> &Names =
            Flags & object::BasicSymbolRef::SF_Undefined ? Used : Defined;
        Names.insert(Name);
      });
  Module Assembly("assembly", M.getContext());
  Assembly.setTargetTriple(M.getTargetTriple());
  Assembly.setDataLayout(M.getDataLayout());
  Assembly.setModuleInlineAsm(M.getModuleInlineAsm());
  M.setModuleInlineAsm("");
  auto Builder = orc::JITTargetMachineBuilder::detectHost();
  if (!Builder)
    return Builder.takeError();
  auto Machine = Builder->createTargetMachine();
  if (!Machine)
    return Machine.takeError();
  auto Object = orc::SimpleCompiler(**Machine)(Assembly);
  return Object ? Jit->addObjectFile(std::move(*Object)) : Object.takeError();
}

/// Records which symbols the module defines and uses, for missingSymbols().
Error HostProgram::add(std::unique_ptr<LLVMContext> Context,
                       std::unique_ptr<Module> M) {
  if (!M->getModuleInlineAsm().empty())
    if (Error E = addAssembly(*M))
      return E;
  for (const GlobalValue &Value : M->global_values()) {
    if (Value.getName().starts_with("llvm."))
      continue;
    if (!Value.isDeclaration())
      Defined.insert(Value.getName());
    else if (!Value.use_empty() && !Value.hasExternalWeakLinkage())
      Used.insert(Value.getName());
  }
  return Jit->addIRModule(
      orc::ThreadSafeModule(std::move(M), std::move(Context)));
}

std::vector<std::string> HostProgram::missingSymbols() const {
  // The JIT defines these itself.
  static constexpr StringLiteral Platform[] = {"__dso_handle", "atexit"};
  std::vector<std::string> Missing;
  for (StringRef Name : Used.keys())
    if (!Defined.contains(Name) && !is_contained(Platform, Name) &&
        !sys::DynamicLibrary::SearchForAddressOfSymbol(Name.str()))
      Missing.push_back(Name.str());
  sort(Missing);
  return Missing;
}

Expected<int> HostProgram::run(ArrayRef<std::string> Arguments) {
  if (!Defined.contains("main"))
    return createStringError("the program has no function main");
  Expected<orc::ExecutorAddr> Main = Jit->lookup("main");
  if (!Main)
    return Main.takeError();
  if (Error E = Jit->initialize(Jit->getMainJITDylib()))
    return std::move(E);
  Words = Arguments;
  std::vector<char *> Argv;
  for (std::string &Word : Words)
    Argv.push_back(Word.data());
  Argv.push_back(nullptr);
  return Main->toPtr<int (*)(int, char **)>()(Words.size(), Argv.data());
}

Error HostProgram::finish() {
  return Jit->deinitialize(Jit->getMainJITDylib());
}

/// Returns true for libraries that are not loaded: those of this process, and
/// CUDA's own, which would not bring a GPU.
static bool isSkipped(StringRef Library) {
  static constexpr StringLiteral Here[] = {"c",  "m",      "pthread", "dl",
                                           "rt", "stdc++", "gcc_s"};
  return is_contained(Here, Library) || Library.starts_with("cu") ||
         Library.starts_with("npp") || Library.starts_with("nv");
}

static Error loadLibrary(StringRef Name, ArrayRef<StringRef> Folders) {
  std::string File = ("lib" + Name + ".so").str();
  for (StringRef Folder : Folders) {
    SmallString<128> Path(Folder);
    sys::path::append(Path, File);
    if (sys::fs::exists(Path)) {
      File = Path.str();
      break;
    }
  }
  std::string Why;
  if (sys::DynamicLibrary::LoadLibraryPermanently(File.c_str(), &Why))
    return createStringError("library '" + Name + "' cannot be loaded: " + Why);
  return Error::success();
}

Error cudasim::loadLibraries(ArrayRef<std::string> Flags) {
  std::vector<StringRef> Names, Folders;
  for (size_t I = 0; I < Flags.size(); ++I) {
    if (!StringRef(Flags[I]).starts_with("-"))
      continue;
    const NvccFlagUse Use = findNvccFlag(Flags[I]);
    const bool IsName = Use.Flag && Use.Flag->Short == "l";
    if (!IsName && !(Use.Flag && Use.Flag->Short == "L"))
      continue;
    std::optional<StringRef> Value = Use.Value;
    if (!Value && I + 1 < Flags.size())
      Value = Flags[++I];
    if (Value)
      (IsName ? Names : Folders).push_back(*Value);
  }
  for (StringRef Name : Names)
    if (!isSkipped(Name))
      if (Error E = loadLibrary(Name, Folders))
        return E;
  return Error::success();
}
