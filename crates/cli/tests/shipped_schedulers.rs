//! The schedulers that come with Fusee, against times computed by hand.

use std::path::{Path, PathBuf};

use fusee_testing::{Tool, document};

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// When a component says that its job is done: milliseconds since the start.
type Done = (&'static str, u64);

/// The time by which jobs end earlier than by the numbers on paper: each computes that much less.
const EARLY: u64 = 150_000;

/// Boots an example: who printed a line at which time, in nanoseconds.
fn said(description: &str, (platform, kernel): (&str, &str), end: &str) -> Vec<(String, u64)> {
    let root = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let built = root.path().expect("it has a path").join("built").display().to_string();
    let arguments = ["run", description, "--platform", platform, "--kernel", kernel];
    let run = FUSEE.run(&[&arguments[..], &["-o", &built, "--for", end, "--json"]].concat());
    // Bounds there are where somebody has measured what deciding takes, and for some schedulers.
    assert!(matches!(run.status.code(), Some(0 | 1)), "{run:?}");
    let value = document(&run);
    let console = value["console"].as_array().expect("what was printed");
    let lines = console.iter().map(|line| {
        let time = line["time_ns"].as_u64().expect("a time");
        (line["component"].as_str().expect("a name").to_owned(), time)
    });
    lines.collect()
}

/// Boots an example and compares who is done when, in order.
fn is_done(description: &str, (platform, kernel): (&str, &str), expected: &[Done]) {
    // What the kernel that checks itself takes for that comes on top.
    let late = if kernel == "checked" { 1_000_000 } else { 100_000 };
    let last = expected.last().map_or(0, |done| done.1);
    let said = said(description, (platform, kernel), &format!("{}ms", last + 1));
    let order: Vec<&str> = said.iter().map(|(name, _)| name.as_str()).collect();
    let names: Vec<&str> = expected.iter().map(|(name, _)| *name).collect();
    assert_eq!(order, names, "{platform} {kernel}: {said:#?}");
    for ((name, time), (_, expected)) in said.iter().zip(expected) {
        let paper = expected * 1_000_000;
        let fits = (paper - EARLY..paper + late).contains(time);
        assert!(fits, "{platform} {kernel}: {name} at {time}, not {paper}: {said:#?}");
    }
}

const MACHINES: [(&str, &str); 3] =
    [("qemu-rv64", "plain"), ("qemu-rv64", "checked"), ("qemu-rv32", "plain")];
/// But for the first, on which the book runs most examples.
const BESIDE_THE_BOOK: [(&str, &str); 2] = [MACHINES[1], MACHINES[2]];

/// `high` takes 2 ms of every 10, `middle` 5 of every 20, `low` 12 of every 40. `low` has the core
/// from 7 to 10, from 12 to 20 and from 27 to 28.
const PRIORITIES: [Done; 7] = [
    ("high", 2),
    ("middle", 7),
    ("high", 12),
    ("high", 22),
    ("middle", 27),
    ("low", 28),
    ("high", 32),
];

#[test]
fn higher_priorities_preempt_lower_ones() {
    let again = PRIORITIES.map(|(name, time)| (name, time + 40));
    for machine in BESIDE_THE_BOOK {
        is_done("examples/schedulers/priorities.camkes", machine, &[PRIORITIES, again].concat());
    }
}

/// `low` is in the store from 1 ms on, for 6 of its own; at 3 `high` wants it for 2, and lends
/// until `low` is out at 8. Only then `middle` has its 5, and `low` is done a moment after it.
const LENDING: [Done; 3] = [("high", 10), ("middle", 15), ("low", 15)];

#[test]
fn who_waits_at_a_gate_lends() {
    let again = LENDING.map(|(name, time)| (name, time + 40));
    for machine in BESIDE_THE_BOOK {
        is_done("examples/schedulers/lending.camkes", machine, &[LENDING, again].concat());
    }
}

/// `driver` takes 0.1 ms of every 1 and goes before the others; `fast` takes 2 ms of every 10,
/// `slow` 12 of every 40: it is done when these have passed, two jobs of `fast` and 18 interrupts.
/// When each is done, in whole milliseconds, rounded up.
const INTERRUPTS: [Done; 5] = [("fast", 3), ("fast", 13), ("slow", 18), ("fast", 23), ("fast", 33)];

#[test]
fn an_interrupt_has_time_of_its_own() {
    let at = |said: &[(String, u64)]| -> Vec<(String, u64)> {
        said.iter().map(|(name, time)| (name.clone(), time.div_ceil(1_000_000))).collect()
    };
    let (folder, root) = copied();
    let in_rust = in_rust(&root.join("interrupts"), &["root"]);
    for description in ["examples/schedulers/interrupts.camkes", &in_rust] {
        for machine in [MACHINES[0], MACHINES[2]] {
            let said = said(description, machine, "40ms");
            let expected = INTERRUPTS.map(|(name, time)| (name.to_owned(), time));
            assert_eq!(at(&said), expected, "{description} {machine:?}: {said:#?}");
        }
    }
    drop(folder);
}

/// `slow` takes 7 ms of every 14, `fast` 4 of every 10, `rare` 2 of every 35, which are due 5 ms
/// after their release. At 30 ms `fast`, due at 40, preempts `slow`, due at 42; at 35 `rare`, due
/// at 40, does. At 60 ms `fast` and `slow` are both due at 70, and `slow` was there first.
const DEADLINES: [Done; 14] = [
    ("rare", 2),
    ("fast", 6),
    ("slow", 13),
    ("fast", 17),
    ("slow", 24),
    ("fast", 28),
    ("fast", 34),
    ("rare", 37),
    ("slow", 41),
    ("fast", 45),
    ("slow", 52),
    ("fast", 56),
    ("slow", 63),
    ("fast", 67),
];

#[test]
fn earlier_deadlines_preempt_later_ones() {
    let again = DEADLINES.map(|(name, time)| (name, time + 70));
    for machine in BESIDE_THE_BOOK {
        is_done("examples/schedulers/deadlines.camkes", machine, &[DEADLINES, again].concat());
    }
}

/// Turns of 2 ms for jobs of 5, 3 and 4 ms: 1 2 3 1 2 3 1, of which the fifth ends after 1 ms.
const TURNS: [Done; 3] = [("second", 9), ("third", 11), ("first", 12)];

#[test]
fn turns_go_round() {
    let again = TURNS.map(|(name, time)| (name, time + 20));
    for machine in MACHINES {
        is_done("examples/schedulers/turns.camkes", machine, &[TURNS, again].concat());
    }
}

/// A server has 2 ms of every 10. `slow`, 3 ms of every 40, uses them up at once, so `quick`, which
/// comes at 4, has to wait until 10, and goes first then. At 24 nothing has been used of the 2 ms,
/// and `quick` has its 1 ms at once. `below` has 12 ms of what is left.
const SERVER: [Done; 4] = [("quick", 11), ("slow", 12), ("below", 16), ("quick", 25)];

#[test]
fn a_server_keeps_within_its_capacity() {
    let example = "examples/schedulers/server.camkes";
    let again = SERVER.map(|(name, time)| (name, time + 40));
    for machine in BESIDE_THE_BOOK {
        is_done(example, machine, &[SERVER, again].concat());
    }
    let simulated = FUSEE.json(&["simulate", example, "--for", "80ms", "--releases", "offsets"], 0);
    let tasks = simulated["tasks"].as_array().expect("there are some");
    let longest = |name: &str| {
        let task = tasks.iter().find(|task| task["name"] == name).expect("it is there");
        task["response_max_ns"].as_u64().expect("a time")
    };
    assert_eq!(
        ["quick", "slow", "below"].map(longest),
        [7_000_000, 12_000_000, 16_000_000],
        "{simulated:#}"
    );
}

/// The first 6 ms of every 8 are for `fast`, 1 ms of every 4, and `slow`, 5 ms of every 16, by
/// priority; the other 2 for `other`. So `slow` has the core from 1 to 4, from 5 to 6 and from 9 to
/// 10.
const BELOW: [Done; 7] = [
    ("fast", 1),
    ("fast", 5),
    ("other", 7),
    ("fast", 9),
    ("slow", 10),
    ("fast", 13),
    ("other", 15),
];

#[test]
fn a_scheduler_decides_in_anothers_slots() {
    let all: Vec<Done> =
        (0..4).flat_map(|round| BELOW.map(|(name, time)| (name, time + 16 * round))).collect();
    for machine in BESIDE_THE_BOOK {
        is_done("examples/schedulers/below.camkes", machine, &all);
    }
}

/// Somebody's own scheduler divides the time by weights: 30 and 10 for 20 ms, then 30, 10 and 10
/// for 50. Who comes late has a fifth from then on, and nothing of what was before.
#[test]
fn shares_follow_weights() {
    for machine in MACHINES {
        let said = said("examples/schedulers/shares.camkes", machine, "70ms");
        let within = |name: &str, from: u64, until: u64| {
            let in_time = |time: u64| (from * 1_000_000..until * 1_000_000).contains(&time);
            said.iter().filter(|(own, time)| own == name && in_time(*time)).count()
        };
        let counted = ["three", "one", "late"].map(|name| within(name, 20, 70));
        let [three, one, late] = counted;
        let fits = three.abs_diff(3 * one) <= 3 && late.abs_diff(one) <= 1;
        assert!(fits, "{machine:?}: {counted:?}: {said:#?}");
        // What is left of the time for threads is less on a kernel that checks itself each time.
        if machine.1 == "checked" {
            continue;
        }
        let counts = [
            ("three", 0, 20, 15),
            ("one", 0, 20, 5),
            ("late", 0, 20, 0),
            ("three", 20, 70, 30),
            ("one", 20, 70, 10),
            ("late", 20, 70, 10),
            ("late", 20, 30, 2),
        ];
        for (name, from, until, expected) in counts {
            let counted = within(name, from, until);
            let what = format!("{machine:?}: {name} from {from} to {until}: {counted}");
            assert!(counted.abs_diff(expected) <= 1, "{what}, not {expected}: {said:#?}");
        }
    }
}

/// The code of a scheduler in another language decides the same: all examples above, with theirs in
/// Rust.
#[test]
fn schedulers_in_rust_decide_the_same() {
    decide_the_same_in_rust(&MACHINES[..1]);
}

/// `make soundness`, which has the time.
#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn schedulers_in_rust_decide_the_same_on_all_machines() {
    decide_the_same_in_rust(&MACHINES);
}

fn decide_the_same_in_rust(machines: &[(&str, &str)]) {
    let (folder, root) = copied();
    let all: [(&str, &[&str], &[Done]); 5] = [
        ("priorities", &["root"], &PRIORITIES),
        ("deadlines", &["root"], &DEADLINES),
        ("turns", &["root"], &TURNS),
        ("server", &["root"], &SERVER),
        ("below", &["root", "guest"], &BELOW),
    ];
    for (name, schedulers, expected) in all {
        let description = in_rust(&root.join(name), schedulers);
        for &machine in machines {
            is_done(&description, machine, expected);
        }
    }
    drop(folder);
}

/// Returns a copy of the examples, as long as the first of both is there.
fn copied() -> (snapbox::dir::DirRoot, PathBuf) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/schedulers");
    let root = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let root = root.with_template(&*examples).expect("a copy");
    let folder = root.path().expect("it has a path").to_owned();
    (root, folder)
}

/// Returns the path of an example whose schedulers are in Rust now.
fn in_rust(example: &Path, schedulers: &[&str]) -> String {
    let file = example.with_extension("camkes");
    let text = std::fs::read_to_string(&file).expect("an example");
    let languages = schedulers.iter().map(|own| format!("{own}.language = \"rust\";"));
    let configuration = format!("configuration {{ {}", languages.collect::<String>());
    std::fs::write(&file, text.replace("configuration {", &configuration)).expect("a copy");
    file.display().to_string()
}
