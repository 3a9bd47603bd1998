"""The grammar for VS Code says the same as the one for tree-sitter."""

import re
import shutil

import pytest
from babi.highlight import Grammars, highlight_line
from grammars import CORPUS, DENSE, ROOT, captures, parse

SYNTAX = ROOT / "editors/vscode/syntaxes/camkes.tmLanguage.json"

# What a color of the one is in the other.
SCOPES = {
    "comment": "comment",
    "constant.builtin.boolean": "constant.language",
    "constant.numeric": "constant.numeric",
    "function.method": "entity.name.function",
    "keyword": "storage|keyword",
    "keyword.directive": "keyword.control.directive",
    "keyword.import": "keyword.control.import",
    "keyword.modifier": "storage.modifier|keyword.other.unit",
    "operator": "keyword.operator",
    "string": "string.quoted",
    "type.builtin": "support.type",
}


@pytest.fixture(scope="module")
def compiler(tmp_path_factory):
    folder = tmp_path_factory.mktemp("syntax")
    shutil.copy(SYNTAX, folder / "source.camkes.json")
    return Grammars(str(folder)).compiler_for_scope("source.camkes")


def scopes(compiler, text):
    """For each line the scopes of its letters, the innermost one of each."""
    state, lines = compiler.root_state, []
    for number, line in enumerate(text.splitlines(keepends=True)):
        state, regions = highlight_line(compiler, state, line, first_line=number == 0)
        lines.append([region.scope[-1] for region in regions for _ in range(region.start, region.end)])
    return lines


def differences(compiler, language, text):
    found = scopes(compiler, text)
    for color, nodes in captures(language, "highlights", parse(language, text.encode())).items():
        for node in nodes if color in SCOPES else []:
            for line in range(node.start_point.row, node.end_point.row + 1):
                inside = found[line][node.start_point.column if line == node.start_point.row else 0 :]
                if inside and not re.match(SCOPES[color], inside[0]):
                    yield f"{line + 1}: {node.text.decode()} is {color}, not {inside[0]}"


def test_both_grammars_agree(compiler, language):
    files = [*sorted((ROOT / "examples").rglob("*.camkes")), *sorted((ROOT / "os/components").rglob("*.camkes")), DENSE]
    assert len(files) > 80
    different = {str(path): list(differences(compiler, language, path.read_text())) for path in files}
    assert {name: lines for name, lines in different.items() if lines} == {}


@pytest.mark.parametrize("name", CORPUS)
def test_both_agree_on_the_corpus(compiler, language, name):
    assert list(differences(compiler, language, CORPUS[name][0])) == []


@pytest.mark.parametrize(
    ("line", "word", "scope"),
    [
        ("component Pump {", "Pump", "entity.name.type"),
        ("component Pump pump;", "Pump", "entity.name.type"),
        ("component Pump pump;", "pump", "variable.other"),
        ("assembly Plant {", "Plant", "entity.name.namespace"),
        ("connection seL4RPCCall calls(from pump.valve, to valve.valve);", "seL4RPCCall", "entity.name.type"),
        ("connection seL4RPCCall calls(from pump.valve, to valve.valve);", "calls", "variable.other"),
        ("connection seL4RPCCall calls(from pump.valve, to valve.valve);", "valve,", "variable.other.property"),
        ("maybe uses Valve valve;", "Valve", "entity.name.type"),
        ("maybe uses Valve valve;", "valve", "variable.other.property"),
        ("dataport Buf(4096) memory;", "Buf", "support.type"),
        ("pump.period = period;", "period", "variable.other.property"),
        ('#define US(number) TEXT(number "us")', "US", "entity.name.function.preprocessor"),
        ('#define US(number) TEXT(number "us")', "number", "variable.parameter"),
        ('#define US(number) TEXT(number "us")', '"us"', "string.quoted"),
    ],
)
def test_names(compiler, line, word, scope):
    assert scopes(compiler, f"{line}\n")[0][line.index(word)].startswith(scope)
