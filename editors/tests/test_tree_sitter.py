"""The grammar for tree-sitter: compiled as editors compile it, and held against Fusee's own parser."""

import ctypes
import json
import os
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from tree_sitter import Language, Parser, Query, QueryCursor

ROOT = Path(__file__).resolve().parents[2]
GRAMMAR = ROOT / "editors/tree-sitter-camkes"
DENSE = ROOT / "crates/adl/tests/syntax/dense.camkes"

# The codes of texts that Fusee's parser does not understand as they stand.
SYNTAX = re.compile("F01(01|04|1[0-9]|2[0-3]|3[0-9])")


def names_in(path):
    return re.findall(r"^=+\n(.*)\n=+\n", path.read_text(), re.MULTILINE)


CORPUS = [(path, name) for path in sorted(GRAMMAR.glob("test/corpus/*.txt")) for name in names_in(path)]


@pytest.fixture(scope="session")
def language(tmp_path_factory):
    library = tmp_path_factory.mktemp("grammar") / "camkes.so"
    sources = [GRAMMAR / "src/parser.c", GRAMMAR / "src/scanner.c"]
    command = ["cc", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-I", GRAMMAR / "src", "-o", library]
    subprocess.run([*command, *sources], check=True)
    function = ctypes.CDLL(str(library)).tree_sitter_camkes
    function.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype = ctypes.py_object
    capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return Language(capsule(function(), b"tree_sitter.Language", None))


def parse(language, text):
    return Parser(language).parse(text).root_node


def captures(language, name, root):
    query = Query(language, (GRAMMAR / "queries" / f"{name}.scm").read_text())
    return QueryCursor(query).captures(root)


def leaves(node):
    return [leaf for child in node.children for leaf in leaves(child)] or [node]


def test_whatever_fusee_understands_is_understood(language):
    folders = ["crates", "examples", "os", "tests"]
    files = [path for folder in folders for path in sorted((ROOT / folder).rglob("*")) if path.is_file()]
    descriptions = [path for path in files if path.suffix in (".camkes", ".idl4") and "target" not in path.parts]
    wrong = [path for path in descriptions if parse(language, path.read_bytes()).has_error]
    assert len(descriptions) - len(wrong) > 500
    run = subprocess.run([os.environ["FUSEE"], "check", "--json", *wrong], capture_output=True, text=True)
    systems = json.loads(run.stdout)["systems"]
    for path, system in zip(wrong, systems, strict=True):
        codes = [diagnostic["code"] for diagnostic in system["diagnostics"]]
        assert any(map(SYNTAX.match, codes)), f"{path} has an error only for the grammar: {codes}"


@pytest.mark.parametrize(("path", "name"), CORPUS, ids=[name for _, name in CORPUS])
def test_corpus(language, path, name):
    head = f"{'=' * 80}\n{name}\n{'=' * 80}\n"
    text, expected = path.read_text().split(head)[1].split("=" * 80)[0].split("-" * 80)
    assert str(parse(language, text.strip().encode())) == re.sub(r"\s+", " ", expected).strip()


def test_every_word_has_one_highlight(language):
    root = parse(language, DENSE.read_bytes())
    found = Counter(node.id for nodes in captures(language, "highlights", root).values() for node in nodes)
    words = [node for node in leaves(root) if re.fullmatch(rb"\w+", node.text)]
    assert len(words) > 200
    # Types such as `unsigned char` are one node.
    bare = [node for node in words if node.id not in found and node.parent.id not in found]
    assert [str(node) for node in bare] == []
    assert set(found.values()) == {1}


def test_tags_name_what_is_declared(language):
    root = parse(language, b"component Pump { uses Valve valve; }\nprocedure Valve { void open(); }")
    tags = {name: [node.text.decode() for node in nodes] for name, nodes in captures(language, "tags", root).items()}
    assert [text.split()[1] for text in tags["definition.class"]] == ["Pump"]
    assert [text.split()[1] for text in tags["definition.interface"]] == ["Valve"]
    assert tags["definition.method"] == ["void open();"]
    assert tags["reference.class"] == ["Valve"]
    assert sorted(tags["name"]) == ["Pump", "Valve", "Valve", "open"]
