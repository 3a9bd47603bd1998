"""The extension of VS Code: its manifest is complete, and it starts the server that the settings name."""

import json
import re
import subprocess
from pathlib import Path

from grammars import ROOT

EXTENSION = ROOT / "editors/vscode"
STUB = Path(__file__).parent / "vscode_stub.js"


def read(name):
    return json.loads((EXTENSION / name).read_text())


def test_the_manifest_names_what_is_there():
    manifest, lock = read("package.json"), read("package-lock.json")["packages"]
    contributes = manifest["contributes"]
    [language], [grammar] = contributes["languages"], contributes["grammars"]
    assert {"comments", "brackets"} <= set(read(language["configuration"]))
    assert grammar["language"] == language["id"]
    assert grammar["scopeName"] == read(grammar["path"])["scopeName"]
    assert lock[""]["dependencies"] == manifest["dependencies"]
    for package, version in manifest["dependencies"].items():
        assert lock[f"node_modules/{package}"]["version"] == version
    code = (EXTENSION / manifest["main"]).read_text()
    assert {f"fusee.{name}" for name in re.findall(r'settings\.get\("(\w+)"\)', code)} == set(contributes["configuration"]["properties"])
    assert re.findall(r'registerCommand\("(.+?)"', code) == [command["command"] for command in contributes["commands"]]


def test_the_server_is_started_as_the_settings_say():
    command = ["node", STUB, EXTENSION / "extension.js", "/bin/fusee"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)

    def client(path):
        return {
            "server": {"command": path, "args": ["lsp"], "options": {"cwd": "/folder"}},
            "selector": [{"scheme": "file", "language": "camkes"}],
            "given": {"defines": ["CORES=4"], "includePaths": ["parts"]},
        }

    message = 'Fusee does not start. Is the setting "fusee.path" right?'
    works, missing = client("/bin/fusee"), client("missing")
    assert json.loads(run.stdout) == [works, "start", "stop", works, "start", "stop", missing, "start", message]
