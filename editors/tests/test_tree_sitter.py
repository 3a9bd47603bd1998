"""The grammar for tree-sitter: compiled as editors compile it, and held against Fusee's own parser."""

import json
import os
import re
import subprocess
from collections import Counter

import pytest
from grammars import CORPUS, DENSE, ROOT, captures, parse

# The codes of texts that Fusee's parser does not understand as they stand.
SYNTAX = re.compile("F01(01|04|1[0-9]|2[0-3]|3[0-9])")


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


@pytest.mark.parametrize(("text", "tree"), CORPUS.values(), ids=CORPUS)
def test_corpus(language, text, tree):
    assert str(parse(language, text.encode())) == re.sub(r"\s+", " ", tree).strip()


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
