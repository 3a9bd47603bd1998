//! Each kind of fault, at each kind of place, leaves gates and waiters whole.
//!
//! A low thread faults once in each of its jobs, in another way each time, and a high one has come
//! meanwhile and waits for what the low one holds. The kernel checks the explorer's invariants on
//! its own memory after each event, and stops the machine if one does not hold.

use fusee_image_format::{MachineKind, Platform};
use fusee_kernel::*;
use fusee_platform::Records as Variant;
use fusee_testing::boots::ways::{WAYS, server};
use fusee_testing::boots::*;

/// One job of each thread in so many nanoseconds.
const PERIOD: u64 = 200_000;

/// Long enough inside for the high thread to come: it is released 20,000 ns after the low one.
const LINGER: &str = "li t2, 25000\n9: addi t2, t2, -1\nbnez t2, 9b";

/// The number of this period, from 1, in `s1`; behind the last way the job ends.
fn number() -> String {
    format!(
        "rdcycle t1
        li t2, {PERIOD}
        divu s1, t1, t2
        addi s1, s1, 1
        li t1, {}
        bgtu s1, t1, done",
        WAYS.len()
    )
}

fn periodic(component: u16, priority: u8, offset: u64) -> ThreadConfig {
    ThreadConfig {
        release: Release::Periodic { period: PERIOD, offset },
        deadline: PERIOD,
        ..home(component, priority, 0)
    }
}

/// Threads whose jobs begin in a component: the low one, which faults, and the high one, which
/// finds it inside.
fn threads(component: u16) -> Vec<(ThreadConfig, &'static str)> {
    vec![(periodic(component, 3, 10_000), "low"), (periodic(component, 8, 30_000), "high")]
}

/// Clients of a gate that is their first capability: one asks for a fault, one for an answer.
fn clients() -> String {
    format!(
        "low: {}
            slli a6, s1, 16
            li a7, INVOKE
            li t0, 0
            ecall
        done: sys COMPLETE
        high: rdcycle s2
            sys INVOKE
            {}",
        number(),
        waited()
    )
}

/// The end of the high thread's job: counts in its data how often it was served, and how often it
/// had to wait.
fn waited() -> String {
    "rdcycle t2
        sub t2, t2, s2
        li s0, DATA
        bnez a7, 8f
        lx t1, 2, s0
        addi t1, t1, 1
        st t1, 2, s0
    8:  li t1, 10000
        bltu t2, t1, 8f
        lx t1, 3, s0
        addi t1, t1, 1
        st t1, 3, s0
    8:  sys COMPLETE"
        .to_owned()
}

/// Boots it on the kernel that checks itself; each way has faulted, in that component, and the high
/// thread's counters lie in the data of domain `high`.
fn every_way_faults(bench: Bench, high: usize) {
    let run = boot_on(&bench, Platform::QemuRv64, Variant::Checked).finished();
    let causes: Vec<u64> = run
        .records
        .iter()
        .filter(|r| r.kind == MachineKind::FaultAt as u8)
        .map(|r| r.object.into())
        .collect();
    let expected: Vec<u64> = WAYS.iter().map(|(_, cause)| *cause).collect();
    assert_eq!(causes, expected);
    let of = |kind: Kind, thread: u16| {
        run.records.iter().filter(|r| r.kind == kind as u8 && r.thread == thread).count()
    };
    assert_eq!((of(Kind::Miss, 0), of(Kind::Miss, 1)), (0, 0), "nobody is late");
    let jobs = of(Kind::Complete, 1) as u64;
    assert!(jobs >= WAYS.len() as u64, "{jobs}");
    assert_eq!(run.word(high, 2), jobs, "whoever waited was served");
    assert_eq!(
        run.word(high, 3),
        WAYS.len() as u64,
        "and had waited whenever somebody faulted inside"
    );
}

const REACTIONS: [OnFault; 2] = [OnFault::Continue, OnFault::Restart];

#[test]
fn inside_an_exclusive_gate_under_a_waiter() {
    for protocol in [Protocol::Inherited, Protocol::Fifo] {
        for reaction in REACTIONS {
            let mut domains = vec![
                Domain::new(&clients(), vec![Capability::Gate(GateIndex(0))]),
                Domain::new(&server(LINGER, ""), vec![]),
            ];
            domains[1].on_fault = reaction;
            every_way_faults(Bench::new(domains, threads(0)).gate(1, protocol, 1, "serve"), 0);
        }
    }
}

#[test]
fn two_gates_deep_under_a_waiter_of_the_outer_one() {
    // The outer component passes its caller's method on, and its own caller the inner one's error.
    let outer = "serve: srli t1, a6, 16
            beqz t1, 1f
            li a7, INVOKE
            slli a6, t1, 16
            li t0, 0
            ecall
        1:  sys RETURN";
    for reaction in REACTIONS {
        let mut domains = vec![
            Domain::new(&clients(), vec![Capability::Gate(GateIndex(1))]),
            Domain::new(&server(LINGER, ""), vec![]),
            Domain::new(outer, vec![Capability::Gate(GateIndex(0))]),
        ];
        domains[1].on_fault = reaction;
        let bench = Bench::new(domains, threads(0)).gate(1, Protocol::Inherited, 1, "serve");
        every_way_faults(bench.gate(2, Protocol::Inherited, 1, "serve"), 0);
    }
}

#[test]
fn inside_an_open_gate_with_a_mutex_under_a_waiter() {
    let before = format!("sys LOCK\n{LINGER}");
    for reaction in REACTIONS {
        let mut domains = vec![
            Domain::new(&clients(), vec![Capability::Gate(GateIndex(0))]),
            Domain::new(
                &server(&before, "sys LOCK\nsys UNLOCK"),
                vec![Capability::Mutex(GateIndex(1))],
            ),
        ];
        domains[1].on_fault = reaction;
        let bench = Bench::new(domains, threads(0)).gate(1, Protocol::Propagated, 2, "serve");
        let bench = bench.gate(1, Protocol::Inherited, 1, "");
        match reaction {
            // Whoever waits for a mutex in a component that is put back is stopped, too: that is
            // another test's.
            OnFault::Restart => {
                assert!(
                    boot_on(&bench, Platform::QemuRv64, Variant::Checked).finished().records.len()
                        > 64
                )
            }
            _ => every_way_faults(bench, 0),
        }
    }
}

#[test]
fn in_a_jobs_own_code_with_and_without_a_mutex() {
    let high = format!("high: rdcycle s2\nsys LOCK\nsys UNLOCK\n{}", waited());
    let low = |hold: &str| {
        format!("low: {}\n{hold}\n{LINGER}\nslli a6, s1, 16\nj serve\ndone: sys COMPLETE", number())
    };
    for hold in ["sys LOCK", ""] {
        // The low thread goes on into the server's code, and the high one lives in the same
        // component.
        let code = format!("{}\n{}\n{high}", server("", ""), low(hold));
        let domains = vec![
            Domain::new("run: sys COMPLETE", vec![]),
            Domain::new(&code, vec![Capability::Mutex(GateIndex(0))]),
        ];
        let bench = Bench::new(domains, threads(1)).gate(1, Protocol::Inherited, 1, "");
        if hold.is_empty() {
            let run = boot_on(&bench, Platform::QemuRv64, Variant::Checked).finished();
            let faults = run
                .records
                .iter()
                .filter(|record| record.kind == MachineKind::FaultAt as u8)
                .count();
            assert_eq!(
                (faults, run.word(1, 3)),
                (WAYS.len(), 0),
                "nobody waits where nothing is held"
            );
        } else {
            every_way_faults(bench, 1);
        }
    }
}
