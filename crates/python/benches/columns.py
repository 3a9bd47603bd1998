"""Task sets a second in columnar calls, on one core.

The same workloads as the Rust benches (`one_core`, `multicore`), drawn before
anything is timed. Each call goes over all sets forty times and the fastest pass
counts: the others were disturbed. Time is the processor's, not the clock's, which
other programs share. Figures are appended to `target/bench.jsonl`, beside those of Rust.
"""

import json
import time
from pathlib import Path

import fusee
import numpy as np

TARGET = Path(__file__).parents[3] / "target" / "bench.jsonl"
PASSES = 40

ONE_CORE = {
    "tick": "1 us",
    "utilizations": {"method": "uunifast-discard", "tasks": 20, "total": 0.9},
    "periods": {"kind": "log-uniform", "min": "1 ms", "max": "1000 ms"},
}
CONSTRAINED = {**ONE_CORE, "deadlines": {"kind": "constrained", "low": 0.5, "high": 1.0}}
MULTICORE = {
    "cores": 8,
    "utilizations": {"method": "uunifast-discard", "tasks": 40, "total": 3.2, "max": 0.8},
    "periods": {"kind": "log-uniform", "min": "1 ms", "max": "1000 ms"},
    "resources": {"kind": "random", "count": 8, "access": 0.25, "length": ["1 us", "25 us"]},
}


def worst_fit(sets: fusee.TaskSets, cores: int) -> fusee.TaskSets:
    """The sets with their tasks on cores: by falling utilisation, to the emptiest core."""
    core = np.empty(sets.wcet.size, np.uint64)
    for first, end in zip(sets.offsets[:-1], sets.offsets[1:]):
        shares = sets.wcet[first:end] / sets.period[first:end]
        load = np.zeros(cores)
        for row in np.argsort(-shares, kind="stable"):
            place = int(np.argmin(load))
            load[place] += shares[row]
            core[first + row] = place
    sets.core, sets.cores = core, cores
    return sets


def measure(name: str, test: str, workload: str, sets: fusee.TaskSets) -> None:
    fastest = float("inf")
    for _ in range(PASSES):
        start = time.process_time()
        accepted = sets.check(test)
        fastest = min(fastest, time.process_time() - start)
    rate = len(sets) / fastest
    print(f"{name:<20} {int(accepted.sum()):>8} of {len(sets)} accepted {rate:>14,.0f} sets/s")
    TARGET.parent.mkdir(exist_ok=True)
    with TARGET.open("a") as file:
        file.write(json.dumps({"name": name, "workload": workload, "sets_per_s": round(rate)}) + "\n")


def main() -> None:
    one_core = "n = 20, UUniFast U = 0.9, T log-uniform 1..1000 ms in us, rate monotonic, columns of NumPy"
    several = "m = 8, n = 40, 8 resources, access 0.25, 1 to 25 us, U = 3.2, worst fit, columns of NumPy"
    measure("py_fp_rta", "fp-rta", one_core, fusee.TaskSets.generate(ONE_CORE, 5000))
    measure("py_edf_qpa", "edf-qpa", one_core, fusee.TaskSets.generate(CONSTRAINED, 5000))
    placed = worst_fit(fusee.TaskSets.generate(MULTICORE, 1000), 8)
    measure("py_mpcp", "mpcp", several, placed)
    measure("py_msrp_holistic", "msrp-holistic", several, placed)


if __name__ == "__main__":
    main()
