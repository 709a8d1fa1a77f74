"""Random sequential loops: original and rewritten must give the same bits.

random_loops.py SEED COUNT CUDA_OPT INCLUDE FOLDER [STRATEGY...]

writes a program of COUNT loops, lets cuda-opt rewrite it, compiles both with
the host's compiler, and runs the rewritten one on the CPU by each strategy.
Prints how many loops were rewritten; exits with 1 at a difference.
"""
import os
import random
import subprocess
import sys

SIZE = 64  # A power of two: values become subscripts by `& (SIZE - 1)`.


class Loop:
    """One function with one marked loop."""

    def __init__(self, rng, number):
        self.rng = rng
        self.number = number
        self.ints = ["i"]
        self.doubles = []
        self.names = 0
        self.reduces = rng.random() < 0.15
        self.written = rng.sample(["x", "y", "u", "x", "y", "u", "f", "b"], rng.choice([1, 1, 2, 3]))

    def pick(self, *choices):
        return self.rng.choice(choices)

    def fresh(self, base):
        self.names += 1
        return f"{base}{self.names}"

    def subscript(self, depth=0):
        kind = self.rng.random()
        name = self.rng.choice(self.ints)
        if kind < 0.25 or depth > 2:
            return name if name != "k" else "col[k]"
        if kind < 0.65:
            return f"{self.pick('p', 'q')}[{self.subscript(depth + 1)}]"
        if kind < 0.75:
            return f"({name} * {self.pick(3, 5, 7)} + {self.pick(0, 1, 11)}) % {SIZE}"
        if kind < 0.78:
            return (f"(p[i] {self.pick('<', '>')} {self.pick('20', 'q[i]')} ? "
                    f"{self.subscript(depth + 1)} : {self.subscript(depth + 1)})")
        if kind < 0.80:
            return f"({self.rng.choice([n for n in self.ints if n != 'k'])} + 1) & {SIZE - 1}"
        if kind < 0.84 and self.self_indexing:
            return f"(u[{self.subscript(depth + 1)}] & {SIZE - 1})"
        return f"p[{name if name != 'k' else 'col[k]'}]"

    self_indexing = False
    has_table = False

    def value(self, depth=0):
        kind = self.rng.random()
        if depth > 2 or kind < 0.15:
            return self.pick("0.5", "1.25", "double(i)", "c", "3")
        if kind < 0.35:
            return f"a[{self.subscript()}]"
        if kind < 0.60:
            return f"{self.pick('x', 'y', 'u', 'x', 'y', 'u', 'f', 'b')}[{self.subscript()}]"
        if kind < 0.63:
            return f"{self.pick('w[i % 3]', 'w[1]')}" if self.has_table else "c"
        if kind < 0.70 and self.doubles:
            return self.rng.choice(self.doubles)
        if kind < 0.75:
            return f"(p[i] > q[i] ? {self.value(depth + 1)} : {self.value(depth + 1)})"
        if kind < 0.80:
            return f"std::min<>(a[i], a[{self.subscript()}])".replace("<>", "")
        op = self.pick("+", "-", "*")
        return f"({self.value(depth + 1)} {op} {self.value(depth + 1)})"

    def integer(self):
        return self.pick(self.subscript(), "p[i] + q[i]", f"p[{self.subscript()}]")

    def condition(self):
        kind = self.rng.random()
        if kind < 0.5:
            return f"p[i] {self.pick('<', '>', '!=')} {self.pick('q[i]', '20', 'i')}"
        if kind < 0.7:
            return f"a[i] < {self.pick('0.3', '0.7')} && q[i] > 5"
        if kind < 0.75 or self.self_indexing:
            return (self.pick("", "a[i] < 0.6 && ", "p[i] > 40 || ")
                    + f"x[{self.subscript()}] < {self.value(2)}")
        return "(i & 3) == 1"

    def store(self):
        array = self.rng.choice(self.written)
        target = f"{array}[{self.subscript()}]"
        if array == "u":
            if self.rng.random() < 0.15:
                smaller = self.pick("min", "max")
                return f"{target} = std::{smaller}({target}, int({self.integer()}));"
            op = self.pick("=", "+=", "-=", "^=", "|=", "&=", "++", "--")
            if op in ("++", "--"):
                return f"{target}{op};"
            return f"{target} {op} {self.integer()};"
        if array == "b":
            op = self.pick("=", "+=", "^=", "++")
            return f"{target}++;" if op == "++" else f"{target} {op} {self.integer()};"
        if array != "f" and self.rng.random() < 0.06:
            value = self.value(2)
            less, choice = self.pick("<", ">"), self.pick(1, 2, 3)
            if choice == 1:
                return f"if ({value} {less} {target}) {target} = {value};"
            if choice == 2:
                return f"{target} = {target} {less} {value} ? {value} : {target};"
            return f"{target} = {value} {less} {target} ? {value} : {target};"
        if self.rng.random() < 0.08:
            place = f"g[{self.pick('i % 8', 'p[i] & 7', 'q[i] & 7')}]"
            place += f"[{self.pick('i & 7', 'q[i] & 7', '3', 'i / 8')}]"
            other = f"g[{self.pick('i % 8', 'p[i] & 7')}][{self.pick('i & 7', '3', 'i / 8')}]"
            return f"{place} {self.pick('=', '+=')} {self.pick(other, self.value())};"
        if array != "f" and self.rng.random() < 0.1:
            smaller = self.pick("min", "max")
            return f"{target} = std::{smaller}({target}, 0.0 + {self.value()});"
        op = self.pick("=", "=", "=", "+=", "+=", "-=", "*=", "/=", "++")
        if op == "++":
            return f"{target}++;"
        if op == "*=":
            return f"{target} *= 0.5;"
        if op == "/=":
            return f"{target} /= ({self.value()}) * 0 + 1.5;"
        return f"{target} {op} {self.value()};"

    def block(self, depth, indent):
        ints, doubles = list(self.ints), list(self.doubles)
        lines = []
        for _ in range(self.rng.randint(1, 4 - depth)):
            lines += self.statement(depth, indent)
        self.ints, self.doubles = ints, doubles
        return lines

    def statement(self, depth, indent):
        pad = " " * indent
        kind = self.rng.random()
        if kind < 0.1 and depth < 2:  # Hides the variable of a block around it.
            first, outer = self.integer(), list(self.ints)
            if "j0" not in first:
                self.ints.append("j0")
                lines = [f"{pad}{{", f"{pad}  int j0 = ({first}) & {SIZE - 1};"]
                lines += self.block(depth + 1, indent + 2)
                self.ints = outer
                return lines + [pad + "}"]
        if kind < 0.45:
            return [pad + self.store()]
        if kind < 0.55:
            name = self.fresh("t")
            line = f"{pad}double {name} = {self.value()};"
            self.doubles.append(name)
            return [line]
        if kind < 0.65:
            name = self.fresh("j")
            line = f"{pad}int {name} = {self.integer()} & {SIZE - 1};"
            line = f"{pad}int {name} = ({self.integer()}) & {SIZE - 1};"
            self.ints.append(name)
            return [line]
        if kind < 0.70 and self.doubles:
            name = self.rng.choice(self.doubles)
            return [f"{pad}{name} = {name} * 0.5 + {self.value()};"]
        locals_ = [name for name in self.ints if name[0] == "j"]
        if kind < 0.74 and locals_ and "k" not in self.ints:
            return [f"{pad}{self.rng.choice(locals_)} = p[{self.rng.choice(self.ints)}];"]
        if kind < 0.76 and self.self_indexing and "k" not in self.ints:
            name, start = self.fresh("j"), self.subscript(2)
            self.ints.append(name)
            return [f"{pad}int {name} = {start};",
                    f"{pad}while ((u[{name}] & {SIZE - 1}) < {name})",
                    f"{pad}  {name} = u[{name}] & {SIZE - 1};"]
        if kind < 0.78 and self.reduces:
            return [f"{pad}s += {self.value()};"]
        if kind < 0.90 and depth < 2:
            head = f"{pad}if ({self.condition()})"
            if self.rng.random() < 0.3:
                return [head, " " * (indent + 2) + self.store()]
            lines = [head + " {"] + self.block(depth + 1, indent + 2)
            if self.rng.random() < 0.2 and depth == 0:
                lines.append(" " * (indent + 2) + "continue;")
            elif self.rng.random() < 0.4:
                lines += [pad + "} else {"] + self.block(depth + 1, indent + 2)
            return lines + [pad + "}"]
        if kind < 0.93 and depth < 2:
            name = self.fresh("m")
            outer = list(self.ints)
            self.ints.append(name)
            lines = [f"{pad}for (int {name} = {self.pick('0', '1')}; {name} < 3; ++{name}) {{"]
            lines += self.block(depth + 1, indent + 2)
            self.ints = outer
            return lines + [pad + "}"]
        if depth < 1 and "k" not in self.ints:
            self.ints.append("k")
            lines = [f"{pad}for (int k = ptr[i]; k < ptr[i + 1]; ++k) {{"]
            lines += self.block(depth + 1, indent + 2)
            if self.rng.random() < 0.2:
                lines.append(f"{pad}  if (a[col[k]] < 0.1)\n{pad}    "
                             + self.pick("break;", "continue;"))
            self.ints.remove("k")
            return lines + [pad + "}"]
        return [pad + self.store()]

    def row(self):
        """A loop over rows, as in triangular solves."""
        term = self.pick("sum -= a[col[k]] * x[col[k]];",
                         "sum += x[p[col[k]]] * 0.25;",
                         "{\n        const double t = x[q[col[k]]] * c;\n"
                         "        sum = sum * 0.5 + t;\n      }")
        guard = self.pick("", "", "      if (col[k] != i)\n  ", "      if (a[col[k]] < 0.6)\n  ")
        head = self.pick("int i = 0; i < n; ++i", "int i = n - 1; i >= 0; --i",
                         "long i = 3; i < n; ++i")
        first = self.pick("ptr[i]", "ptr[i] + (i & 1)")
        return head, [f"    double sum = {self.pick('a[i]', 'a[p[i]] * c', '0')};",
                      f"    for (int k = {first}; k < ptr[i + 1]; ++k)",
                      f"{guard}      {term}",
                      f"    x[i] = {self.pick('sum', 'sum * 0.5 + a[q[i]]')};"]

    def grid(self):
        """Subscripts that are polynomials, in the array whatever they are."""
        def subscript():
            stride, offset = self.pick(1, 4, 7, 8, 8, 8, 9), self.pick(0, 0, 1, 2)
            return self.pick(f"i * {stride} + j + {offset}", f"i * {self.pick(1, 4, 7)} + j * 2",
                             "i * 2", "i * 2 + 1", f"{SIZE - 1} - i", f"j * 8 + i", "i",
                             "i + j", f"i * 8 + {offset}", "(i + 1) * 8 + j", "i / 2",
                             "i % 4", "i * w + j", "(i + 1) * w + j")
        head = self.pick("int i = 0; i < 7; ++i", "int i = 1; i < 6; ++i",
                         "int i = 6; i >= 1; --i", "long i = 1; i < 7; i += 2")
        lines = [f"    for (int j = {self.pick(0, 1)}; j < {self.pick(2, 6, 7, 'w')}; ++j) {{"]
        for _ in range(self.pick(1, 1, 2)):
            self.written = [self.pick("x", "x", "y", "u")]
            read = f"{self.pick('x', 'y', 'a')}[{subscript()}]"
            lines.append(f"      {self.written[0]}[{subscript()}] {self.pick('=', '=', '+=')} "
                         f"{read} {self.pick('+ 1', '* 0.5', '+ i * 8 + j', '+ x[i]')};")
        return head, lines + ["    }"]

    def text(self):
        self.self_indexing = self.rng.random() < 0.25
        self.has_table = self.rng.random() < 0.1
        head = self.pick("int i = 0; i < n; ++i", "int i = 0; i < n; ++i",
                         "int i = n - 1; i >= 0; --i", "int i = 1; i < n; i += 2",
                         "long i = 0; i != n; ++i", "unsigned i = 0; i < unsigned(n); i++")
        if "unsigned" in head:
            head = "int i = 2; i <= n - 1; i++"
        body = [self.store().join(["    ", ""])] if self.rng.random() < 0.1 else self.block(0, 4)
        if self.has_table:
            body = ["    const double w[3] = {a[i], c, a[p[i]]};"] + body
        if self.rng.random() < 0.2:
            head, body = self.row()
            self.written = ["x"]
        elif self.rng.random() < 0.15:
            head, body = self.grid()
        writes = "\n".join(body)
        if not any(f"{w}[" in writes for w in self.written):
            body.append(f"    x[p[i]] = a[i];")
        arrays = {"x": SIZE, "y": SIZE, "u": SIZE, "f": SIZE, "b": SIZE, "g": 8, "p": SIZE, "q": SIZE, "a": SIZE,
                  "ptr": SIZE + 1, "col": "nnz"}
        used = "\n".join(body)
        clauses = [f"{name}[0:{size}]" for name, size in arrays.items()
                   if any(used[at - 1:at] in ("", " ", "(", "[", "!", "-")
                          for at in range(len(used)) if used.startswith(name + "[", at))]
        lines = [f"void loop{self.number}(double *x, double *y, int *u, float *f, unsigned char *b,",
                 "           double (*g)[8], int w, const int *p,",
                 "           const int *q, const int *ptr, const int *col,",
                 "           const double *a, double c, int n, int nnz, double &s) {",
                 f"  CUDAOPT_LEVELIZE({', '.join(clauses)})",
                 f"  for ({head}) {{"]
        return "\n".join(lines + body + ["  }", "}", ""])


MAIN = """
struct random_numbers {
  unsigned long state;
  unsigned next(unsigned below) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return unsigned(state >> 33) % below;
  }
};

template <class T> static void print(const char *name, const T &data) {
  unsigned long hash = 1469598103934665603ul;
  for (auto value : data) {
    unsigned char bytes[sizeof(value)];
    std::memcpy(bytes, &value, sizeof(value));
    for (unsigned char b : bytes)
      hash = (hash ^ b) * 1099511628211ul;
  }
  std::printf(" %s %lx", name, hash);
}

using loop = void (*)(double *, double *, int *, float *, unsigned char *,
                      double (*)[8], int, const int *, const int *, const int *, const int *, const double *, double, int,
                      int, double &);

int main(int argc, char **argv) {
  const loop loops[] = {LOOPS};
  const int n = SIZE;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  for (int number = argc > 1 ? std::atoi(argv[1]) : 0; number < COUNT; ++number) {
    const loop each = loops[number];
    for (unsigned run = 0; run < RUNS; ++run) {
      random_numbers random{run * 77 + 5};
      std::vector<double> x(n + SHIFT), y(n), a(n);
      std::vector<float> f(n);
      std::vector<double> g(n, 0.5);
      std::vector<unsigned char> b(n);
      std::vector<int> u(n), p(n), q(n), ptr(n + 1), col;
      for (int i = 0; i < n; ++i) {
        x[i] = random.next(1000) / 1024.0;
        y[i] = random.next(1000) / 1024.0;
        a[i] = random.next(1000) / 1000.0;
        u[i] = int(random.next(100));
        f[i] = float(random.next(1000)) / 1024.0f;
        b[i] = (unsigned char)random.next(256);
        p[i] = int(random.next(run == 1 ? 8 : n));
        q[i] = int(random.next(n));
        ptr[i] = int(col.size());
        for (unsigned k = random.next(4); k > 0; --k)
          col.push_back(int(random.next(n)));
      }
      ptr[n] = int(col.size());
      double s = 1;
      // Arrays that overlap are in the way, or in one order with others.
      each(x.data(), run == 3 ? x.data() + SHIFT : y.data(), u.data(),
           f.data(), b.data(), reinterpret_cast<double (*)[8]>(g.data()),
           run == 2 ? 5 : 8, p.data(), q.data(), ptr.data(), col.data(), run == 4 ? x.data() : a.data(),
           0.75, n, int(col.size()), s);
      std::printf("loop%d", number);
      print("x", x), print("y", y), print("u", u);
      print("f", f), print("b", b), print("g", g), print("s", std::vector<double>{s});
      std::puts("");
    }
  }
}
"""


def program_of(rng, count, runs=3):
    """Of that many loops, each executed with that many data sets."""
    text = ("#include <cudaopt/annotations.h>\n#include <algorithm>\n#include <cstdio>\n"
            "#include <cstdlib>\n#include <cstring>\n#include <vector>\n\n")
    text += "\n".join(Loop(rng, number).text() for number in range(count))
    text += MAIN.replace("LOOPS", ", ".join(f"loop{k}" for k in range(count)))
    return (text.replace("RUNS", str(runs)).replace("COUNT", str(count))
            .replace("SHIFT", str(SIZE // 4)).replace("SIZE", str(SIZE)))


def run(command, **keywords):
    return subprocess.run(command, capture_output=True, text=True, **keywords)


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    cuda_opt, include, folder = sys.argv[3:6]
    strategies = sys.argv[6:] or ["sequential"]
    rng = random.Random(seed)
    text = program_of(rng, count)
    os.makedirs(folder, exist_ok=True)
    before, after = f"{folder}/before.cu", f"{folder}/after.cu"
    with open(before, "w") as file:
        file.write(text)
    done = run([cuda_opt, "--passes=levelize", before, "-o", after, "--",
                "-std=c++17", "-I", include])
    if done.returncode or not os.path.exists(after):
        print(done.stderr)
        return 1
    programs = []
    for source in (before, after):
        program = source[:-3]
        made = run([os.environ.get("CXX", "g++"), "-x", "c++", "-std=c++17", "-O0",
                    "-Wall", "-Wextra", "-Wno-unused-parameter",
                    "-Wno-unused-variable", "-Wno-unused-but-set-variable", "-Werror",
                    "-pthread", "-I", include, source, "-o", program])
        if made.returncode:
            print(made.stderr[:6000])
            return 1
        programs.append(program)
    expected = run([programs[0]]).stdout
    for strategy in strategies:
        where = dict(os.environ, CUDAOPT_LEVELIZE="cpu", CUDAOPT_LEVELIZE_FORCE=strategy)
        found = run([programs[1]], env=where, timeout=300)
        if found.stdout != expected:
            print(f"strategy {strategy}: exit code {found.returncode}")
            for old, new in zip(expected.splitlines(), found.stdout.splitlines()):
                if old != new:
                    print(f"- {old}\n+ {new}")
            return 1
    print(done.stderr.strip().splitlines()[-1].split(";")[-1].strip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
