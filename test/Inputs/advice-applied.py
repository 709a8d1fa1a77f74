"""Applies what `cuda-opt explain` advises: the example of each reason, as it was
before, must give that reason, and as it is after must not.

usage: advice-applied.py CUDA-OPT INPUTS RUNTIME-INCLUDE FOLDER [REASON...]

An example is lines that begin with two characters: `- ` for those of before, `+ `
for those of after, blanks for both. `// name.cuh` alone in a line begins a file;
`$ cuda-opt ...` is the command, which else is `cuda-opt` and the last file. A kernel
that the example does not launch is launched by blocks of 32 threads, or of 32 x 32 if
it asks for threadIdx.y. Without a + or a - the example shows what nothing helps.

Prints one line for each example, `ID: what was done after`.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys

CUDA_OPT, INPUTS, RUNTIME, FOLDER = sys.argv[1:5]
FLAGS = {
    ".cu": ["--cuda-device-only", "--cuda-gpu-arch=sm_90", "-nocudainc",
            "-nocudalib", "-Wno-unknown-cuda-version", "-std=c++17"],
    ".cpp": ["-std=c++17"],
}


def ask(*arguments):
    return subprocess.run([CUDA_OPT, *arguments], capture_output=True, text=True,
                          check=True).stdout


def list_reasons():
    listed = ask("explain").split("\nreasons:\n")[1]
    return re.findall(r"^  (\S+)", listed, re.MULTILINE)


def match_sentence(text):
    """What finds an explained reason among remarks."""
    sentence = " ".join(text.split("\n\n")[1].split())
    return ": " + ".*".join(map(re.escape, sentence.split("..."))) + r" \[-R"


def take_example(text):
    """The lines of the example in an explanation."""
    _, _, example = text.partition("\nexample:\n")
    return [line[2:] for line in example.splitlines()]


def side(lines, mark):
    """The lines of one side of an example, without their marks."""
    return [line[2:] for line in lines if line[:2].strip() in ("", mark)]


def add_launches(text):
    """Launches the kernels that nothing launches."""
    if "<<<" in text:
        return text
    for kernel in re.finditer(
            r"^(?:static )?__global__ void (?:__launch_bounds__\([^)]*\) )?(\w+)"
            r"\(([^)]*)\)", text, re.MULTILINE):
        name, parameters = kernel.groups()
        names = ", ".join(re.findall(r"(\w+)(?:,|$)", parameters))
        block = "dim3(32, 32)" if "threadIdx.y" in text else "32"
        text += (f"void launch_{name}({parameters}) "
                 f"{{ {name}<<<1, {block}>>>({names}); }}\n")
    return text


def write_files(folder, lines, default):
    """Writes the files of one side; returns the last, and the commands."""
    folder.mkdir(parents=True)
    commands = [shlex.split(line[2:]) for line in lines if line[:2] == "$ "]
    files, name = {}, default
    for line in lines:
        if match := re.fullmatch(r"// ([\w-]+\.\w+)", line):
            name = match[1]
        elif line[:2] != "$ ":
            files.setdefault(name, []).append(line)
    for name, written in files.items():
        text = "\n".join(written) + "\n"
        if name.endswith(".cu"):
            text = '#include "cuda/copies.h"\n' + add_launches(text)
        if "CUDAOPT_" in text:
            text = "#include <cudaopt/annotations.h>\n" + text
        (folder / name).write_text(text)
    return name, commands


def decisions(value):
    """All that a report says was decided, and why."""
    if isinstance(value, dict):
        if "decision" in value:
            yield value["decision"], value.get("reason")
        elif value.get("reason"):
            yield "kept", value["reason"]
        for each in value.values():
            yield from decisions(each)
    elif isinstance(value, list):
        for each in value:
            yield from decisions(each)


def run(folder, lines, default, reason, sentence):
    """Runs one side; returns its reasons, and what was rewritten. Some reasons are
    remarks and no part of the report's decisions."""
    file, commands = write_files(folder, lines, default)
    reasons, done = set(), set()
    for words in commands or [["cuda-opt", file]]:
        end = words.index("--") if "--" in words else len(words)
        words, flags = words[1:end], words[end + 1:]
        report = folder / "report.json"
        source = next(word for word in words
                      if word.endswith((".cu", ".cpp")))
        places = [] if {"-i", "--output-dir=out"} & set(words) else [
            "-o", "out" + pathlib.Path(source).suffix]
        ran = subprocess.run(
            [CUDA_OPT, *words, *places, f"--report=json:{report}", "-Rpass-missed=.*",
             "--", *FLAGS[pathlib.Path(source).suffix], "-I", INPUTS, "-I", RUNTIME,
             *flags], cwd=folder, capture_output=True, text=True)
        (folder / "log").write_text(ran.stderr)
        if not report.exists():
            return {f"exit code {ran.returncode}"}, done
        for decision, why in decisions(json.loads(report.read_text())):
            if why:
                reasons.add(why)
            if decision != "kept":
                done.add(decision)
        if re.search(sentence, ran.stderr):
            reasons.add(reason)
    return reasons, done


def main():
    failed = False
    for reason in sys.argv[5:] or list_reasons():
        text = ask("explain", reason)
        if "\nwhat to change:\n" not in text:
            failed = True
            print(f"{reason}: WRONG: no advice")
            continue
        lines = take_example(text)
        if not lines:
            print(f"{reason}: no example")
            continue
        sentence = match_sentence(text)
        default = "a.cpp" if reason.startswith("loop-") else "a.cu"
        folder = pathlib.Path(FOLDER) / reason
        why, _ = run(folder / "before", side(lines, "-"), default, reason,
                     sentence)
        if reason not in why:
            failed = True
            print(f"{reason}: WRONG: before, it is not a reason; {sorted(why)} are")
            continue
        if not any(line[:1] in "+-" for line in lines if line):
            print(f"{reason}: seen")
            continue
        why, done = run(folder / "after", side(lines, "+"), default, reason,
                        sentence)
        if reason in why:
            failed = True
            print(f"{reason}: WRONG: after, it is still a reason")
        elif done:
            print(f"{reason}: {' and '.join(sorted(done))}")
        else:
            print(f"{reason}: gone, then {', '.join(sorted(why)) or 'nothing'}")
    sys.exit(failed)


main()
