// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FunctionGenerator.h"

#include <iterator>

using namespace cudaopt;

static constexpr const char *Types[] = {
    "int", "unsigned", "short", "char", "unsigned char", "long long", "bool"};

/// What the functions call.
static constexpr const char Prelude[] = R"(
struct pair { short first; unsigned second; };
struct bits { unsigned a : 3; int b : 5; bool c : 1; unsigned d : 9; char e; };
struct base {
  int b;
  constexpr base(int b) : b(b) {}
  constexpr int get() const { return b * 2; }
};
struct derived : base {
  short d = 7;
  int more[2] = {b, 3};
  constexpr derived(int x) : base((x & 255) + 1) { d += b; }
  constexpr derived &operator+=(const derived &o) {
    b = (b + o.b) & 1023; d = (d - o.d) & 255; more[1] += o.more[0] & 7;
    return *this;
  }
};
struct guard {
  int &r; int by;
  constexpr guard(int &r, int by) : r(r), by(by) {}
  constexpr ~guard() { r = (r + by) & 0xffff; }
};
struct both { guard first, second; };
constexpr int twice(int x) { return 2 * x; }
constexpr void bump(short &x, int by = 3) { x += by; }
constexpr pair swapped(pair p) {
  short f = p.first; p.first = (short)p.second; p.second = f; return p;
}
constexpr int &pick(int &a, int &b, bool w) { return w ? a : b; }
constexpr int nest(int &a, int b = 2) { a = (a ^ b) & 0xffff; return a + b; }
constexpr int sum(const int *p, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i) {
    if (p[i] & 1) continue;
    s += p[i];
    if (s > 500) break;
  }
  return s;
}
constexpr long long early(int x) {
  while (true) { if (x > 40) return x; x = x * 2 + 1; if (x & 8) break; }
  return -x;
}
)";

static constexpr const char *Patterns[] = {
    "$v = $e;",
    "$v += $e;",
    "$v -= $e;",
    "$v ^= $e;",
    "$v &= $e;",
    "if ($e) { $s } else { $s }",
    "if ($e && (++k, $e) || nest(k) > 3) { $s }",
    "$v = $e || nest(k);",
    "bump(p.first);",
    "{ auto &r = $v; r = $e; }",
    "[&] { $v += $e; }();",
    "$v += [=](int x) { return x + (int)(k & 63); }((int)($e) & 255);",
    "{ int a[5] = {1, (int)($e)}; int *q = a + ((int)($e) & 1); q[1] = "
    "(int)($e) & 255; *q++ = 3; q[-1] ^= 5; $v += a[0] + a[2] + (q - a); }",
    "{ bits f = {1, -3, true, 200, 'x'}; f.a += (int)($e); f.b = (int)($e); "
    "f.d "
    "-= f.a++; --f.b; $v = f.a + f.b * 3 + f.d + f.c + f.e; }",
    "{ derived x((int)($e)), y = x; x += y; base &r = x; r.b += 2; $v += "
    "x.get() + y.d + x.more[1]; }",
    "{ derived a[2] = {1, (int)($e)}; a[(int)($e) & 1] += a[0]; $v += a[1].d + "
    "a[0].b; }",
    "{ guard g(k, (int)($e) & 7); $s }",
    "{ both g = {{k, 3}, {k, (int)($e) & 7}}; $s }",
    "p = swapped(p);",
    "p = $e ? pair{1, 2} : swapped(p);",
    "pick(k, m, $e) += 3;",
    "(($e) ? k : m) = (int)($e) & 255;",
    "switch ((int)($e) & 7) { case 1: $v = 5; case 2: $v = 6; break; case 3 "
    "... "
    "5: $s default: p.second = 9; }",
    "for (int $i = 0; $i < $n; ++$i) { if (($e) & 1) continue; $s if ($e) "
    "break; }",
    "for (int $i = 0; $i < $n; ++$i) { switch ($i & 3) { case 0: continue; "
    "case "
    "1: $s break; default: k = (k + $i) & 1023; } m ^= $i; }",
    "{ int $i = $n; while ($i-- > 0) { $s } }",
    "{ int $i = 0; do { $s } while (++$i < $n && ($e)); }",
    "{ int t[2][3] = {{1, 2}, {3}}; t[(unsigned)($e) & 1][(unsigned)($e) % 3] "
    "= "
    "(int)($e) & 511; for (auto &r : t) for (int x : r) $v += x; }",
    "{ pair ps[3] = {{1, 2}, {3, 4}}; for (auto &[a, b] : ps) { a += 1; b += "
    "a; "
    "} auto [c, d] = ps[1]; ps[1].first = 0; $v += c + ps[2].second; }",
    "{ int a[4] = {k & 255, 2, m & 127}; $v += sum(a, 4); auto b = [a] { "
    "return "
    "a[0] + a[2]; }; a[0] = 0; $v ^= b(); }",
    "$v = early((int)($e) & 63);",
    "$v = (int)($e) ?: 3;",
    "$v = (k++, m--, $e);",
    "if (const int $i = (int)($e) & 15; $i > 3) $v += $i; else $v -= 1;",
    "m = nest(k, nest(m));",
    "k = k++ & 4095; m = (m = k & 31) + 1;",
};

std::string FunctionGenerator::name() {
  return "v" + std::to_string(below(std::size(Types)));
}

std::string FunctionGenerator::expression(unsigned Depth) {
  if (Depth == 0)
    return below(3) ? name() : number();
  const std::string A = expression(Depth - 1), B = expression(Depth - 1);
  static constexpr const char *Operators[] = {"-",  "*", "/", "%", "<",  "&&",
                                              "||", "+", "^", "&", "==", ">="};
  switch (below(20)) {
  case 0:
    return "(" + A + " << (" + B + " & 7))";
  case 1:
    return "(" + A + " >> (" + B + " & 15))";
  case 2:
    return "(" + A + " ? " + B + " : " + expression(Depth - 1) + ")";
  case 3:
    return "(~" + A + ")";
  case 4:
    return "(-" + A + ")";
  case 5:
    return std::string("(") + Types[below(std::size(Types))] + ")(" + A + ")";
  case 6:
    return "(p.first + twice(" + A + " & 63))";
  case 7:
    return "(k + " + A + ")";
  default:
    return "(" + A + " " + Operators[below(std::size(Operators))] + " " + B +
           ")";
  }
}

void FunctionGenerator::add(const char *Pattern, unsigned Depth) {
  std::string New;
  for (const char *C = Pattern; *C; ++C) {
    if (*C != '$') {
      Text += *C;
      continue;
    }
    switch (*++C) {
    case 'e':
      Text += expression(1);
      break;
    case 'n':
      Text += std::to_string(1 + below(5));
      break;
    case 'v':
      Text += name();
      break;
    case 's':
      addStatement(Depth ? Depth - 1 : 0);
      break;
    default:
      if (New.empty())
        New = "i" + std::to_string(Names++);
      Text += New;
    }
  }
}

void FunctionGenerator::addStatement(unsigned Depth) {
  Text += "  ";
  add(Patterns[below(Depth ? std::size(Patterns) : 5)], Depth);
  Text += '\n';
}

std::string FunctionGenerator::makeFunction() {
  Text = std::string(Prelude) + "constexpr long long f() {\n";
  for (const char *Type : Types)
    Text += std::string("  ") + Type + " v" + std::to_string(Count++) + " = " +
            number() + ";\n";
  Text += "  int k = " + number(100) + ", m = " + number(100) + ";\n";
  Text += "  pair p = {" + number(100) + ", 7};\n";
  for (unsigned I = 0; I < 7; ++I)
    addStatement(3);
  Text += "  return (" + expression(2) + ") + k * 3 + m + p.first;\n}\n";
  return Text;
}
