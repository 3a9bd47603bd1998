//! Whatever a component does ends with an error or a fault of its own.

use fusee_image_format::{KernelPolicy, MachineKind, Malformed, Platform, Status, abi};
use fusee_kernel::*;
use fusee_platform::Records as Variant;
use fusee_testing::boots::ways::{WAYS, server};
use fusee_testing::boots::*;

const FAULTED: u64 = abi::FAILURE as u64 + Failure::Fault as u64;
const ABORTED: u64 = abi::FAILURE as u64 + Failure::Aborted as u64;

/// Boots a kernel that checks its own state after each event.
fn boot_checked(bench: &Bench) -> Run {
    boot_on(bench, Platform::QemuRv64, Variant::Checked)
}

/// Calls the server once for each method from 1 to `methods`, then once more with method 0, and
/// keeps the errors.
fn caller(methods: u32) -> String {
    format!(
        "run: li s0, DATA
            li s1, 1
            li s2, {methods}
        1:  slli a6, s1, 16
            li a7, INVOKE
            li t0, 0
            ecall
            st a7, 0, s0
            addi s0, s0, W
            addi s1, s1, 1
            bleu s1, s2, 1b
            sys INVOKE
            st a7, 0, s0
            st a0, 1, s0
            sys COMPLETE"
    )
}

fn attack(platform: Platform, protocol: Protocol, on_fault: OnFault) -> Run {
    let mut domains = vec![
        Domain::new(&caller(WAYS.len() as u32), vec![Capability::Gate(GateIndex(0))]),
        Domain::new(&server("", ""), vec![]),
        Domain::new("tick: sys COMPLETE", vec![]),
    ];
    domains[1].on_fault = on_fault;
    let tick = ThreadConfig {
        release: Release::Periodic { period: 20_000, offset: 20_000 },
        deadline: 20_000,
        ..home(2, 9, 0)
    };
    let bench = Bench::new(domains, vec![(home(0, 5, 1000), "run"), (tick, "tick")])
        .gate(1, protocol, 1, "serve");
    boot_on(&bench, platform, Variant::Checked).finished()
}

#[test]
fn every_way_to_fault_ends_one_invocation() {
    for protocol in [Protocol::Propagated, Protocol::Fixed { ceiling: 9 }, Protocol::Inherited] {
        let run = attack(Platform::QemuRv64, protocol, OnFault::Continue);
        for (number, (way, cause)) in WAYS.iter().enumerate() {
            assert_eq!(run.word(0, number), FAULTED, "{way}");
            let at = |kind: MachineKind| {
                run.records.iter().filter(move |record| record.kind == kind as u8).nth(number)
            };
            assert_eq!(
                at(MachineKind::FaultAt).map(|record| u64::from(record.object)),
                Some(*cause),
                "{way}"
            );
            let method = at(MachineKind::FaultMethod).map(|record| (record.object, record.value));
            assert_eq!(method, Some((0, number as u64 + 1)), "{way}");
        }
        assert_eq!(run.word(0, WAYS.len()), 0, "the gate is whole");
        assert_eq!(run.word(0, WAYS.len() + 1), 4711);
        assert!(
            !run.records.iter().any(|record| record.kind == Kind::Miss as u8),
            "nobody else is late"
        );
    }
}

#[test]
fn every_way_to_fault_ends_one_invocation_on_32_bits() {
    let run = attack(Platform::QemuRv32, Protocol::Inherited, OnFault::Continue);
    let errors = run.words(0, 0..WAYS.len());
    assert!(errors.iter().all(|&error| error == FAULTED), "{errors:?}");
    assert_eq!(run.words(0, WAYS.len()..WAYS.len() + 2), [0, 4711]);
}

#[test]
fn a_dead_component_is_not_entered_again() {
    let run = attack(Platform::QemuRv64, Protocol::Inherited, OnFault::Dead);
    let errors = run.words(0, 0..WAYS.len() + 1);
    assert_eq!(errors[0], FAULTED);
    assert!(errors[1..].iter().all(|&error| error == Error::Dead as u64), "{errors:?}");
}

/// A server that counts its calls and faults at the third.
const COUNTING: &str = "
        serve: li s0, DATA
            lx t1, 0, s0
            addi t1, t1, 1
            st t1, 0, s0
            mv a0, t1
            li t2, 3
            beq t1, t2, 1f
            sys RETURN
        1:  unimp";

#[test]
fn a_restart_puts_initial_data_back() {
    let caller = "
        run: li s0, DATA
            li s1, 5
        1:  sys INVOKE
            st a7, 0, s0
            st a0, 1, s0
            addi s0, s0, 2*W
            addi s1, s1, -1
            bnez s1, 1b
            sys COMPLETE";
    for platform in Platform::emulated() {
        let mut server = Domain::new(COUNTING, vec![]);
        (server.on_fault, server.zeroed) = (OnFault::Restart, 1);
        let domains = vec![Domain::new(caller, vec![Capability::Gate(GateIndex(0))]), server];
        let bench = Bench::new(domains, vec![(home(0, 5, 1000), "run")]).gate(
            1,
            Protocol::Inherited,
            1,
            "serve",
        );
        let run = boot_on(&bench, platform, Variant::Checked).finished();
        assert_eq!(run.words(0, 0..10), [0, 1, 0, 2, FAULTED, 0, 0, 1, 0, 2]);
        assert!(
            run.records
                .iter()
                .any(|record| record.kind == MachineKind::Restarted as u8 && record.value == 4096)
        );
    }
}

#[test]
fn a_release_does_not_wait_for_a_restart() {
    // The first call faults; before the second, 64 KiB are put back. The high thread is released
    // all the time.
    let caller = "
        run: sys INVOKE, (1 << 16)
            sys INVOKE
            li s0, DATA
            li t0, 1
            st t0, 0, s0
            st a7, 1, s0
            sys COMPLETE
        tick: sys COMPLETE";
    let server = "
        serve: srli t1, a6, 16
            bnez t1, 1f
            sys RETURN
        1:  unimp";
    let periodic = ThreadConfig {
        release: Release::Periodic { period: 10_000, offset: 95_000 },
        ..home(0, 7, 0)
    };
    for platform in Platform::emulated() {
        let mut failing = Domain::new(server, vec![]);
        (failing.on_fault, failing.zeroed) = (OnFault::Restart, 16);
        let domains = vec![Domain::new(caller, vec![Capability::Gate(GateIndex(0))]), failing];
        let threads = vec![(home(0, 5, 100_000), "run"), (periodic, "tick")];
        let bench = Bench::new(domains, threads).gate(1, Protocol::Inherited, 1, "serve");
        let run = boot_on(&bench, platform, Variant::Plain).finished();
        assert_eq!(run.words(0, 0..2), [1, 0], "the second call returned");
        let time_of = |kind: u8| {
            run.records.iter().find(|record| record.kind == kind).expect("such a record").time
        };
        let (fault, restarted) =
            (time_of(Kind::Fault as u8), time_of(MachineKind::Restarted as u8));
        let ticks = run
            .records
            .iter()
            .filter(|record| (record.kind, record.thread) == (Kind::Complete as u8, 1));
        let within: Vec<u64> = ticks
            .filter(|record| (fault..restarted).contains(&record.time))
            .map(|record| record.value)
            .collect();
        let longest = within.iter().max().expect("some fall into the restart");
        println!(
            "{platform:?}: a restart of 64 KiB takes {} ns; longest response {longest}",
            restarted - fault
        );
        assert!(within.len() >= 3 && *longest <= 3_000, "{within:?}");
    }
}

#[test]
fn a_fault_two_gates_deep_under_waiters_leaves_all_whole() {
    // The low thread goes through the outer into the inner gate and faults there when the high one
    // waits at the outer.
    let client = "
        run: li s0, DATA
            slli s1, a0, 3
            add s0, s0, s1
            sys INVOKE
            st a7, 0, s0
            sys COMPLETE";
    let outer = "
        serve: andi s0, a6, 7
            bnez s0, 1f
            sys INVOKE
            li s1, DATA
            st a7, 0, s1
        1:  sys RETURN";
    let inner = "
        serve: li t1, 100000
        1:  rdcycle t2
            blt t2, t1, 1b
            unimp";
    let domains = vec![
        Domain::new(client, vec![Capability::Gate(GateIndex(0))]),
        Domain::new(outer, vec![Capability::Gate(GateIndex(1))]),
        Domain::new(inner, vec![]),
    ];
    let threads =
        vec![(home(0, 3, 1000), "run"), (home(0, 8, 50_000), "run"), (home(0, 7, 40_000), "run")];
    let bench = Bench::new(domains, threads).gate(1, Protocol::Inherited, 1, "serve").gate(
        2,
        Protocol::Inherited,
        1,
        "serve",
    );
    let run = boot_checked(&bench).finished();
    assert_eq!(run.words(0, 0..3), [0, 0, 0], "all three came back from the outer gate");
    assert_eq!(run.word(1, 0), FAULTED, "the inner one faulted");
    let done: Vec<u16> = run
        .records
        .iter()
        .filter(|r| r.kind == Kind::Complete as u8)
        .map(|record| record.thread)
        .collect();
    assert_eq!(done, [1, 2, 0], "in order of priority");
}

#[test]
fn who_is_inside_a_component_that_restarts_is_aborted() {
    // The low thread loops in the server while the high one faults there.
    let client = "
        low: li s0, DATA
            sys INVOKE
            st a7, 0, s0
            sys COMPLETE
        high: li s0, DATA
            li a7, INVOKE
            li a6, 0x10000
            ecall
            st a7, 1, s0
            sys COMPLETE";
    let server = "
        serve: srli t1, a6, 16
        1:  beqz t1, 1b
            unimp";
    let mut domains = vec![
        Domain::new(client, vec![Capability::Gate(GateIndex(0))]),
        Domain::new(server, vec![]),
    ];
    domains[1].on_fault = OnFault::Restart;
    let threads = vec![(home(0, 3, 1000), "low"), (home(0, 8, 50_000), "high")];
    let run = boot_checked(&Bench::new(domains, threads).gate(1, Protocol::Propagated, 2, "serve"))
        .finished();
    assert_eq!(run.words(0, 0..2), [ABORTED, FAULTED]);
}

#[test]
fn calls_that_are_not_allowed_are_refused() {
    let source = "
        run: li s0, DATA
            li s1, 77
            li s9, 99
            sys RETURN
            st a7, 0, s0
            st s9, 1, s0
            sys 1000
            st a7, 2, s0
            sys INVOKE, 5
            st a7, 3, s0
            sys SIGNAL, 0
            st a7, 4, s0
            li a7, INVOKE
            li a6, 0
            li t0, 115
            ecall
            st a7, 5, s0
            sys ACKNOWLEDGE, 0
            st a7, 6, s0
            sys UNLOCK, 1
            st a7, 7, s0
            sys LOCK, 1
            st a7, 8, s0
            sys LOCK, 1
            st a7, 9, s0
            sys COMPLETE
            st a7, 10, s0
            sys UNLOCK, 1
            st a7, 11, s0
            st s1, 12, s0
            sys INVOKE, 1
            st a7, 13, s0
            sys COMPLETE";
    let server = "serve: sys RETURN";
    let capabilities = vec![Capability::Gate(GateIndex(0)), Capability::Mutex(GateIndex(1))];
    for platform in Platform::emulated() {
        let domains = vec![Domain::new(source, capabilities.clone()), Domain::new(server, vec![])];
        let bench = Bench::new(domains, vec![(home(0, 5, 1000), "run")])
            .gate(1, Protocol::Inherited, 1, "serve")
            .gate(0, Protocol::Inherited, 1, "");
        let run = boot_on(&bench, platform, Variant::Checked).finished();
        let expected = [
            Error::NotInGate as u64,
            99,
            abi::NO_SUCH_OPERATION as u64,
            Error::NoCapability as u64,
            Error::NoCapability as u64,
            abi::MESSAGE_TOO_LONG as u64,
            Error::NoCapability as u64,
            Error::NotLocked as u64,
            0,
            Error::Reentry as u64,
            Error::InGate as u64,
            0,
            77,
            Error::NoCapability as u64,
        ];
        assert_eq!(run.words(0, 0..expected.len()), expected, "{platform:?}");
    }
}

#[test]
fn a_mutex_excludes_and_hands_on() {
    // The low thread holds the mutex across the high one's release; the high one gets it when it is
    // unlocked.
    let source = "
        low: li s0, DATA
            sys LOCK
            li t1, 100000
        1:  rdcycle t2
            blt t2, t1, 1b
            sys UNLOCK
            rdcycle t2
            st t2, 0, s0
            sys COMPLETE
        high: li s0, DATA
            li s3, 33
            sys LOCK
            rdcycle t2
            st t2, 1, s0
            st s3, 2, s0
            sys UNLOCK
            st a7, 3, s0
            st s3, 4, s0
            sys COMPLETE";
    let bench = Bench::new(
        vec![Domain::new(source, vec![Capability::Mutex(GateIndex(0))])],
        vec![(home(0, 3, 1000), "low"), (home(0, 8, 50_000), "high")],
    );
    let run = boot_checked(&bench.gate(0, Protocol::Inherited, 1, "")).finished();
    assert!(
        run.word(0, 1) >= 100_000 && run.word(0, 1) < run.word(0, 0),
        "{:?}",
        run.words(0, 0..2)
    );
    assert_eq!(run.words(0, 2..5), [33, 0, 33]);
}

#[test]
fn semaphores_count_and_polls_do_not_wait() {
    let source = "
        run: li s0, DATA
            sys POLL, 0
            st a0, 0, s0
            sys WAIT, 0
            st a0, 1, s0
            sys POLL, 0
            st a0, 2, s0
            sys SIGNAL, 1
            sys SIGNAL, 1
            sys SIGNAL, 1
            st a7, 3, s0
            sys WAIT, 0
            st a0, 4, s0
            sys COMPLETE";
    let capabilities =
        vec![Capability::Wait(NotificationIndex(0)), Capability::Signal(NotificationIndex(0), 1)];
    let mut bench =
        Bench::new(vec![Domain::new(source, capabilities)], vec![(home(0, 3, 1000), "run")]);
    let kind = NotificationKind::Counting { limit: 2 };
    bench.notifications =
        vec![NotificationConfig { kind, releases: ThreadIndex::NONE, initial: 2 }];
    let run = boot_checked(&bench).finished();
    assert_eq!(run.words(0, 0..5), [1, 1, 0, Error::CountFull as u64, 1]);
}

#[test]
fn whole_messages_arrive() {
    let caller = "
        run: li s0, DATA
            li t1, 114
            mv t2, tp
        1:  addi t2, t2, -W
            st t1, 0, t2
            addi t1, t1, -1
            bnez t1, 1b
            li a7, INVOKE
            li a6, 0
            li t0, 114
            ecall
            st a7, 0, s0
            st t0, 1, s0
            lx t1, -114, tp
            st t1, 2, s0
            lx t1, -1, tp
            st t1, 3, s0
            sys COMPLETE";
    let server = "
        serve: li t1, 114
            mv t2, tp
        1:  addi t2, t2, -W
            lx t3, 0, t2
            addi t3, t3, 1000
            st t3, 0, t2
            addi t1, t1, -1
            bnez t1, 1b
            li a7, RETURN
            li t0, 114
            ecall";
    for platform in Platform::emulated() {
        let domains = vec![
            Domain::new(caller, vec![Capability::Gate(GateIndex(0))]),
            Domain::new(server, vec![]),
        ];
        let bench = Bench::new(domains, vec![(home(0, 5, 1000), "run")]).gate(
            1,
            Protocol::Propagated,
            1,
            "serve",
        );
        let run = boot_on(&bench, platform, Variant::Traced).finished();
        assert_eq!(run.words(0, 0..4), [0, 114, 1001, 1114]);
    }
}

#[test]
fn endless_loops_end_with_their_budget() {
    let domains = vec![Domain::new("spin: j spin\ntick: sys COMPLETE", vec![])];
    let budget = Some(Budget { amount: 100_000, overrun: Overrun::Suspend });
    let periodic = |priority, period| ThreadConfig {
        release: Release::Periodic { period, offset: 10_000 },
        deadline: period,
        ..home(0, priority, 0)
    };
    let spin = ThreadConfig { budget, ..periodic(9, 1_000_000) };
    let run =
        boot_checked(&Bench::new(domains, vec![(spin, "spin"), (periodic(3, 200_000), "tick")]))
            .finished();
    let of = |kind: Kind, thread: u16| {
        run.records
            .iter()
            .filter(|record| record.kind == kind as u8 && record.thread == thread)
            .count()
    };
    assert!(of(Kind::Suspend, 0) >= 9, "{}", of(Kind::Suspend, 0));
    assert_eq!((of(Kind::Miss, 1), of(Kind::Complete, 1)), (0, 50));
}

#[test]
fn a_late_start_is_said() {
    let domains = || vec![Domain::new("spin: j spin\nboot: sys COMPLETE", vec![])];
    let mut bench = Bench::new(domains(), vec![(home(0, 9, 0), "spin")]);
    (bench.boot_thread, bench.startup) = (0, 100_000);
    assert_eq!(boot_checked(&bench).result.status, Status::StartLate);
    let mut bench = Bench::new(domains(), vec![(home(0, 9, 0), "boot")]);
    (bench.boot_thread, bench.startup) = (0, 100_000);
    let started = boot_checked(&bench).finished().result.started;
    assert!(started > 0 && started < 100_000, "{started}");
}

#[test]
fn systems_that_are_none_are_refused() {
    let domains = vec![Domain::new("run: sys COMPLETE", vec![Capability::Gate(GateIndex(3))])];
    let run = boot_checked(&Bench::new(domains, vec![(home(0, 9, 0), "run")]));
    assert_eq!((run.result.status, run.result.detail), (Status::BadSystem, 36));
}

#[test]
fn tables_for_a_kernel_of_another_policy_are_refused() {
    let domains = || vec![Domain::new("run: sys COMPLETE", vec![])];
    let mut bench = Bench::new(domains(), vec![(home(0, 9, 0), "run")]);
    assert_eq!(boot_checked(&bench).result.status, Status::Finished);
    bench.policy = KernelPolicy::EARLIEST_DEADLINE;
    let run = boot_checked(&bench);
    let why = Malformed::Policy as u64;
    assert_eq!((run.result.status, run.result.detail), (Status::BadSystem, why));
}
