"""The grammar for tree-sitter, as the tests use it."""

import re
from pathlib import Path

from tree_sitter import Parser, Query, QueryCursor

ROOT = Path(__file__).resolve().parents[2]
GRAMMAR = ROOT / "editors/tree-sitter-camkes"
DENSE = ROOT / "crates/adl/tests/syntax/dense.camkes"


def corpus():
    """Text and tree of each case, by its name."""
    for path in sorted(GRAMMAR.glob("test/corpus/*.txt")):
        parts = re.split(r"^={80}\n(.*)\n={80}\n", path.read_text(), flags=re.MULTILINE)[1:]
        for name, case in zip(parts[::2], parts[1::2]):
            text, tree = case.split("-" * 80)
            yield name, (text, tree)


CORPUS = dict(corpus())


def parse(language, text):
    return Parser(language).parse(text).root_node


def captures(language, name, root):
    query = Query(language, (GRAMMAR / "queries" / f"{name}.scm").read_text())
    return QueryCursor(query).captures(root)
