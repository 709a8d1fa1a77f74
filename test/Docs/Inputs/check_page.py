"""check_page.py ROOT BUILD TOOLKIT FOLDER: does what docs/ContinuousIntegration.md of
ROOT says, in a repository that it makes in FOLDER."""

import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import yaml

from container import Image
from project import KERNEL, Project, make_environment
from workflow import Runner

root, build, toolkit, work = map(pathlib.Path, sys.argv[1:5])
shutil.rmtree(work, ignore_errors=True)
environment = make_environment(build / "bin", toolkit)
page = (root / "docs/ContinuousIntegration.md").read_text()
blocks = re.findall(r"(?ms)^```(\w*)\n(.*?)^```", page)


def say(text):
    print(text, flush=True)


def run_yaml(text):
    name = text.split()[1]
    say(f"#### {name}")
    project.write(name, text)
    if name == ".pre-commit-config.yaml":
        run_hooks(yaml.load(text, yaml.BaseLoader))
        return
    base = "main" if "pull_request" in text else ""
    runner = Runner(project.folder, work / "runner", root, environment, base)
    say(f"code {runner.workflow(text)}")
    project.git("checkout", "--", "src")


def run_hooks(config):
    """What pre-commit does with the staged files."""
    known = {hook["id"]: hook for hook in
             yaml.load((root / ".pre-commit-hooks.yaml").read_text(), yaml.BaseLoader)}
    (repository,) = config["repos"]
    (wanted,) = repository["hooks"]
    hook = {**known[wanted["id"]], **wanted}
    assert hook["language"] == "system"
    files = [name for name in
             project.git("diff", "--cached", "--name-only").splitlines()
             if re.search(hook["files"], name)]
    say(f"files {files}")
    code = subprocess.run([*shlex.split(hook["entry"]), *hook["args"], *files],
                          cwd=project.folder, env=environment, check=False,
                          stderr=subprocess.STDOUT).returncode
    say(f"code {code}")


def run_shell(text):
    for command in text.replace("\\\n", " ").splitlines():
        say(f"#### {command}")
        if command.startswith("docker "):
            code = run_docker(shlex.split(command))
        else:
            code = subprocess.run(
                ["bash", "-c", command], cwd=project.folder, env=environment,
                check=False, stderr=subprocess.STDOUT).returncode
        say(f"code {code}")


def run_docker(words):
    global image
    if words[1] == "build":
        assert words[2:] == ["-t", "cuda-opt",
                             "https://github.com/OWNER/cuda-opt.git#v0.1.0"], words
        image = Image(root, work / "image", build)
        say(f"packages {sorted(image.packages.read_text().split()[1::2])}")
        return 0
    assert words[1:8] == ["run", "--rm", "-v", "$PWD:$PWD", "-w", "$PWD",
                          "cuda-opt"], words
    return image.run(words[8:], toolkit, project.folder)


def check_inputs():
    """The table of inputs is that of action.yml."""
    told = dict(re.findall(r"(?m)^\| `([\w-]+)` \|(?: `(.*?)`| [a-z ]*)? \| [^|]+ \|$",
                           page.split("## GitHub Actions")[1]))
    action = yaml.load((root / "action.yml").read_text(), yaml.BaseLoader)
    known = {name: value["default"] for name, value in action["inputs"].items()}
    assert told == known, (told, known)
    version = re.search(r"project\(CudaOpt VERSION ([\d.]+)",
                        (root / "CMakeLists.txt").read_text())[1]
    assert set(re.findall(r"cuda-opt(?:@|\.git#)v([\d.]+)", page)) == {version}


check_inputs()
project = Project(work / "project")
# A pull request with one more kernel, ready to be committed; the action finds the
# branch that it goes to.
project.git("update-ref", "refs/remotes/origin/main", "main")
project.git("checkout", "-qb", "topic")
project.write("src/b.cu", KERNEL.replace("transpose", "turn"))
project.edit("CMakeLists.txt", "src/a.cu", "src/a.cu src/b.cu")
project.git("add", "-A")
for kind, text in blocks:
    assert kind in ("sh", "yaml"), kind
    (run_yaml if kind == "yaml" else run_shell)(text)
