"""What several of these tests begin with."""

import ctypes
import subprocess

import pytest
from grammars import GRAMMAR
from tree_sitter import Language


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
