"""A real editor speaks with `fusee lsp`."""

import json
import os
import subprocess
from pathlib import Path

SESSION = Path(__file__).parent / "neovim_session.lua"

SYSTEM = """\
import <std_connector.camkes>;
procedure Store { void put(in int value); }
component Reader { control; uses Store store; }
component Memory { provides Store store; }
assembly {
    composition {
        component Reader reader;
        component Memory memory;
        connection seL4RPCCall calls(from reader.store, to memory.store);
    }
    configuration {
        reader.period = "10 ms";
        reader.calls = ["store"];
        /* größer */ reader.wctt = "1 ms";
        memory.store_put_wcet = "2 ms";
    }
}
"""


def test_a_session_of_neovim(tmp_path):
    (tmp_path / "system.camkes").write_text(SYSTEM)
    shown = tmp_path / "shown.json"
    command = ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {SESSION}", "system.camkes"]
    environment = os.environ | {"HOME": str(tmp_path), "SHOWN": str(shown)}
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    shown = json.loads(shown.read_text())
    assert shown["before"] == ["F0530", "F0314"]
    assert "period" in shown["hover"]
    assert shown["definition"] == ["        component Reader reader;", "reader"]
    assert {"deadline", "period", "wcet"} <= set(shown["completion"])
    assert shown["actions"][0] == "F0314: did you mean `wcet`?"
    assert shown["repaired"] == '        /* größer */ reader.wcet = "1 ms";'
    assert shown["after"] == []
