"""Runs workflows and composite actions of GitHub, as far as this project uses them.

Everything that is not understood is an error: an expression, a key of a step, an
action of somebody else.
"""

import os
import pathlib
import re
import subprocess

import yaml

STEP_KEYS = {"name", "id", "if", "shell", "run", "env", "uses", "with"}
ACTION_KEYS = {"name", "description", "branding", "inputs", "outputs", "runs"}


class Context:
    """What expressions can name: github.*, inputs.* and steps.*.outputs.*."""

    def __init__(self, github, inputs=()):
        self.github, self.inputs = github, dict(inputs)
        self.outputs = {}
        self.failed = False

    def value(self, term):
        term = term.strip()
        if term == "always()":
            return "true"
        if match := re.fullmatch(r"'([^']*)'", term):
            return match[1]
        scope, _, name = term.partition(".")
        if scope == "github":
            return self.github[name]
        if scope == "inputs":
            return self.inputs[name]
        if match := re.fullmatch(r"steps\.([\w-]+)\.outputs\.([\w-]+)", term):
            # A step that did not run has no outputs.
            return self.outputs.get(match[1], {}).get(match[2], "")
        raise ValueError(f"unknown term: {term}")

    def fill(self, text):
        return re.sub(r"\$\{\{(.*?)\}\}", lambda m: self.value(m[1]), str(text))

    def holds(self, condition):
        if "always()" not in condition and self.failed:
            return False
        for part in condition.split("&&"):
            sides = re.split(r"([!=]=)", part)
            if len(sides) == 1:
                if self.value(part) != "true":
                    return False
            elif (self.value(sides[0]) == self.value(sides[2])) != (sides[1] == "=="):
                return False
        return True


class Runner:
    """A machine of GitHub with a checkout of a repository. \\p base is the branch
    that a pull request goes to; without one, the event is a push."""

    def __init__(self, workspace, scratch, action, environment, base=""):
        self.workspace, self.action = pathlib.Path(workspace), pathlib.Path(action)
        self.scratch = pathlib.Path(scratch)
        self.scratch.mkdir(parents=True, exist_ok=True)
        self.environment = dict(environment, RUNNER_TEMP=str(self.scratch),
                                GITHUB_WORKSPACE=str(workspace), GITHUB_BASE_REF=base,
                                GITHUB_SERVER_URL="https://github.com")
        self.github = {"base_ref": base, "action_repository": "",
                       "action_path": str(self.action)}

    def command(self, text, environment):
        """Runs a script as a runner does; the code, and what it asks the runner for."""
        files = {name: self.scratch / name.lower()
                 for name in ("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH",
                              "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.write_text("")
        script = self.scratch / "step.sh"
        script.write_text(text)
        code = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", script],
            cwd=self.workspace, check=False, stderr=subprocess.STDOUT,
            env={**self.environment, **environment, **files}).returncode
        pairs = {name: dict(line.split("=", 1)
                            for line in file.read_text().splitlines())
                 for name, file in files.items()
                 if name in ("GITHUB_OUTPUT", "GITHUB_ENV")}
        self.environment.update(pairs["GITHUB_ENV"])
        for folder in files["GITHUB_PATH"].read_text().splitlines():
            self.environment["PATH"] = f"{folder}:{self.environment['PATH']}"
        return code, pairs["GITHUB_OUTPUT"]

    def steps(self, steps, context):
        """Runs the steps in order; the code of the first one that fails."""
        result = 0
        for step in steps:
            unknown = step.keys() - STEP_KEYS
            assert not unknown, f"unknown keys: {unknown}"
            if not context.holds(step.get("if", "'true' == 'true'")):
                continue
            print(f"== {step.get('name', step.get('uses', 'run'))}", flush=True)
            if "uses" in step:
                code, outputs = self.use(step["uses"], {
                    name: context.fill(value)
                    for name, value in step.get("with", {}).items()})
            else:
                environment = {name: context.fill(value)
                               for name, value in step.get("env", {}).items()}
                code, outputs = self.command(context.fill(step["run"]), environment)
            context.outputs[step.get("id")] = outputs
            context.failed |= code != 0
            result = result or code
        return result

    def use(self, name, arguments):
        if name.startswith("actions/checkout@"):
            assert not arguments, arguments
            return 0, {}
        if name.startswith("github/codeql-action/upload-sarif@"):
            file = self.workspace / arguments["sarif_file"]
            print(f"upload {file.relative_to(self.workspace)}, "
                  f"{file.stat().st_size > 0}", flush=True)
            return 0, {}
        if name.startswith("OWNER/cuda-opt@"):
            return self.act(arguments)
        raise ValueError(f"unknown action: {name}")

    def act(self, arguments):
        """Runs action.yml; its code and outputs."""
        action = yaml.load((self.action / "action.yml").read_text(), yaml.BaseLoader)
        assert action.keys() == ACTION_KEYS, action.keys()
        assert action["runs"]["using"] == "composite"
        inputs = {name: value["default"]
                  for name, value in action["inputs"].items()}
        unknown = arguments.keys() - inputs.keys()
        assert not unknown, f"unknown inputs: {unknown}"
        context = Context(self.github, {**inputs, **arguments})
        for step in action["runs"]["steps"]:
            assert step["shell"] == "bash", step
            # Inputs reach a script as variables: as text they would be run.
            assert "${{" not in step["run"], step
        code = self.steps(action["runs"]["steps"], context)
        return code, {name: context.fill(value["value"])
                      for name, value in action["outputs"].items()}

    def workflow(self, text):
        """Runs the one job of a workflow; its code."""
        jobs = yaml.load(text, yaml.BaseLoader)["jobs"]
        (job,) = jobs.values()
        return self.steps(job["steps"], Context(self.github))
