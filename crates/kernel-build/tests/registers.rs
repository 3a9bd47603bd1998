//! No register carries a value to another domain but arguments and results.
//!
//! The rule is tested as a rule. One thread takes one kind of kernel path after the other, with marks in all registers,
//! in eight domains that know a foreign mark and a kernel's address (`common/marks.rs`). Each path is taken as often as
//! it has instructions: a timer interrupt, whose thread has marks of its own, comes one instruction later each time, from
//! before the path's first to behind its last. One instruction is one tick of this machine, whose clock is deterministic,
//! so no instant is left out. Kernels that check themselves take ten times as long, and are interrupted at instants that
//! are spread evenly; so is the round with time slices, which shift all instants.
#![expect(clippy::print_stdout, reason = "what was covered is for people")]

mod common;

use common::marks::{BROKEN, marked};
use common::*;
use fusee_image_format::{InterruptLine, Platform, virtual_map};
use fusee_kernel::*;
use fusee_kernel_build::Variant;

/// What is done in a path, and the errors that it must meet.
const PATHS: &[(&str, &str)] = &[
    ("no call", "fill\n.rept 60\nnop\n.endr\nj whole"),
    ("invoke, return", "make INVOKE, 0\nexpect own_results"),
    ("invoke, return, inherited", "make INVOKE, 1\nexpect own_results"),
    ("invoke, return, fixed", "make INVOKE, 2\nexpect own_results"),
    ("invoke with message, return with message", "make INVOKE, 1 << 16, FURTHER\nexpect own_results"),
    ("fault in a callee", "make INVOKE, 2 << 16\nexpect own_nothing, FAULTED"),
    ("refused returns", "make INVOKE, 3 << 16\nexpect own_results"),
    ("yield in a callee", "make SIGNAL, 18\nexpect own_nothing\nmake INVOKE, 4 << 16\nexpect own_results"),
    ("yield", "make SIGNAL, 18\nexpect own_nothing\nmake YIELD\nexpect own_nothing"),
    // What a callee leaves behind is what a careless way back would find.
    (
        "yield with all bits set",
        "make SIGNAL, 18\nexpect own_nothing\nmake INVOKE, 0\nexpect own_results\nmake YIELD, -1\nexpect own_nothing",
    ),
    (
        "signal, poll, wait",
        "make SIGNAL, 4\nexpect own_nothing\nmake POLL, 5\nexpect own_bits
        make POLL, 5\nexpect own_bits\nmake SIGNAL, 4\nexpect own_nothing\nmake WAIT, 5\nexpect own_bits",
    ),
    ("signal that wakes a higher thread", "make SIGNAL, 6\nexpect own_nothing"),
    (
        "signal that wakes a lower thread",
        "make POLL, 7\nexpect own_bits\nmake SIGNAL, 13\nexpect own_nothing\nmake WAIT, 7\nexpect own_bits",
    ),
    ("wait for an interrupting thread", "make POLL, 7\nexpect own_bits\nmake WAIT, 7\nexpect own_bits"),
    ("lock, unlock", "make LOCK, 8\nexpect own_nothing\nmake UNLOCK, 8\nexpect own_nothing"),
    (
        "lock twice, unlock twice",
        "make LOCK, 8\nexpect own_nothing\nmake LOCK, 8\nexpect own_nothing, REENTRY
        make UNLOCK, 8\nexpect own_nothing\nmake UNLOCK, 8\nexpect own_nothing, NOT_LOCKED",
    ),
    (
        "a mutex for which somebody waits",
        "make LOCK, 8\nexpect own_nothing\nmake SIGNAL, 14\nexpect own_nothing
        make UNLOCK, 8\nexpect own_nothing",
    ),
    ("a gate for which somebody waits", "make INVOKE, 11\nexpect own_results"),
    ("a job", "make SIGNAL, 9\nexpect own_nothing"),
    ("a budget that ends", "make SIGNAL, 10\nexpect own_nothing"),
    ("acknowledge", "make ACKNOWLEDGE, 12\nexpect own_nothing"),
    ("an interrupt of a device", "fill\nli t1, UART\nli t2, 2\nsb t2, 1(t1)\nfill\n.rept 20\nnop\n.endr\nj whole"),
    (
        "refused calls",
        "make 1000\nexpect own_nothing, UNKNOWN\nmake INVOKE, 99\nexpect own_nothing, NO_CAPABILITY
        make INVOKE, -1\nexpect own_nothing, NO_CAPABILITY\nmake SIGNAL, 0\nexpect own_nothing, NO_CAPABILITY
        make WAIT, 0\nexpect own_nothing, NO_CAPABILITY\nmake LOCK, -1\nexpect own_nothing, NO_CAPABILITY
        make INVOKE, 0, 115\nexpect own_nothing, TOO_LONG\nmake ACKNOWLEDGE, 0\nexpect own_nothing, NO_CAPABILITY",
    ),
    ("a dead component", "make INVOKE, 15\nj whatever"),
    (
        "a fault, a restart, a call",
        "make INVOKE, (2 << 16) + 3\nexpect own_nothing, FAULTED
        make INVOKE, 3\nexpect own_results",
    ),
    (
        "a job in a component to be restored",
        "make INVOKE, (2 << 16) + 3\nexpect own_nothing, FAULTED
        make SIGNAL, 16\nexpect own_nothing",
    ),
    (
        "a component that is gone",
        "make INVOKE, (5 << 16) + 3\nexpect own_nothing, ABORTED
        make INVOKE, 3\nexpect own_results",
    ),
];

/// Takes each path often: the next tick comes later by a step each time, from the path's beginning on.
const SCHEDULE: &str = "
        .equ PATH, 40
        .equ DELAY, 41
        .equ BEGUN, 42
        .equ STEP, 43
        .equ DONE, 44
        .equ LENGTHS, 64
        .equ FAULTED, 65
        .equ ABORTED, 66
        .equ UNKNOWN, 32
        .equ TOO_LONG, 33
        .equ NO_CAPABILITY, 2
        .equ REENTRY, 5
        .equ DEAD, 7
        .equ NOT_LOCKED, 17
        run: entry started
            li s0, DATA
            st zero, PATH, s0
        each: li t1, -1
            st t1, DELAY, s0
        again: li s0, DATA
            rdcycle t1
            li t2, PERIOD
            divu t3, t1, t2
            addi t3, t3, 1
            mul t3, t3, t2
            lx t4, DELAY, s0
            bltz t4, 3f
            sub t3, t3, t4
            addi t5, t1, 100
            bltu t5, t3, 2f
            li t3, 500
        1:  addi t3, t3, -1
            bnez t3, 1b
            j again
        # The first time, to see how long it takes: well behind a tick.
        3:  li t4, PERIOD / 4
            add t3, t3, t4
        2:  sub t3, t3, t1
            andi t4, t3, 1
            beqz t4, 1f
            nop
        1:  srli t3, t3, 1
        1:  addi t3, t3, -1
            bnez t3, 1b
            rdcycle t1
            st t1, BEGUN, s0
            lx t1, PATH, s0
            slli t1, t1, 2
            la t2, paths
            add t2, t2, t1
            jr t2
        whole: intact
            j finished
        # The first call of a component that dies in it is another than those that follow.
        whatever: beqz a6, 1f
            j bad
        1:  jal a6, own_nothing
            bnez a7, finished
            j bad
        finished: rdcycle t1
            li s0, DATA
            lx t2, BEGUN, s0
            sub t1, t1, t2
            lx t3, DELAY, s0
            lx t4, PATH, s0
            li t5, W
            mul t4, t4, t5
            add t4, t4, s0
            bgez t3, 5f
            li t5, PERIOD / 2
            bltu t1, t5, 1f
            mv t1, t5
        1:  st t1, LENGTHS, t4
            li t2, MOST
            divu t2, t1, t2
            addi t2, t2, 1
            st t2, STEP, s0
            li t3, 0
            j 6f
        5:  lx t2, STEP, s0
            add t3, t3, t2
        6:  st t3, DELAY, s0
            lx t1, LENGTHS, t4
            addi t1, t1, 64
            bgtu t3, t1, 1f
            j again
        1:  lx t4, PATH, s0
            addi t4, t4, 1
            st t4, PATH, s0
            li t1, PATHS
            bgeu t4, t1, 1f
            j each
        1:  li t1, 1
            st t1, DONE, s0
            sys COMPLETE
";

/// Another thread of the first domain, with marks of its own, that wants the mutex that the first one holds.
const RIVAL: &str = "
        tag 11
        rival: entry started
        rivals: make WAIT, 17, 0, rival
            expect rival_bits
            make LOCK, 8, 0, rival
            expect rival_nothing
            make UNLOCK, 8, 0, rival
            expect rival_nothing
            j rivals
        checks rival
        tag 1
";

/// Answers, faults, or is refused something, as the method says.
const SERVER: &str = "
        serve: entry entered
            srli t1, a6, 16
            li t2, 1
            beq t1, t2, message
            li t2, 2
            beq t1, t2, fault
            li t2, 3
            beq t1, t2, refused
            li t2, 4
            beq t1, t2, yielding
            li t2, 5
            beq t1, t2, gone
        answer: make RETURN
        message: make RETURN, 0, FURTHER
        fault: fill
            unimp
        refused: make RETURN, 0, 115
            expect own_nothing, 33
            make COMPLETE
            expect own_nothing, 10
            j answer
        yielding: make YIELD, -1
            expect own_nothing
            j answer
        gone: make SIGNAL, 0
            j bad
        job: entry started
            make COMPLETE
";

/// Waits and is woken; then does something, or nothing.
fn waiter(tag: u32, threads: &[(&str, &str)]) -> Domain {
    let one =
        |(label, then): &(&str, &str)| format!("{label}: entry started\n{label}_again: {then}\nj {label}_again\n");
    Domain::new(&marked(tag, &threads.iter().map(one).collect::<String>()), vec![])
}

fn with(mut domain: Domain, capabilities: Vec<Capability>) -> Domain {
    domain.capabilities = capabilities;
    domain
}

const fn gate(index: u16) -> Capability {
    Capability::Gate(GateIndex(index))
}

const fn signal(index: u16) -> Capability {
    Capability::Signal(NotificationIndex(index), 1)
}

const fn wait(index: u16) -> Capability {
    Capability::Wait(NotificationIndex(index))
}

/// How a round goes: ticks between two interrupts, instants at most for each path, and time slices if there are any.
#[derive(Clone, Copy)]
struct Round {
    period: u64,
    most: u64,
    slice: Time,
    end: u64,
}

fn first_domain(round: Round) -> Domain {
    let uart = virtual_map::slot(0) + virtual_map::SHARED_OFFSET;
    let mut text = format!(".equ PERIOD, {}\n.equ MOST, {}\n", round.period, round.most);
    text += &format!(".equ UART, {uart:#x}\n.equ PATHS, {}\n", PATHS.len());
    text += SCHEDULE;
    for (number, (_, path)) in PATHS.iter().enumerate() {
        text += &format!("path{number}: {path}\nj finished\n");
    }
    text += ".option push\n.option norvc\npaths:\n";
    text += &(0..PATHS.len()).map(|number| format!("j path{number}\n")).collect::<String>();
    text += ".option pop\n";
    text += RIVAL;
    let capabilities = vec![
        gate(0),
        gate(1),
        gate(2),
        gate(3),
        signal(0),
        wait(0),
        signal(1),
        wait(2),
        Capability::Mutex(GateIndex(6)),
        signal(3),
        signal(4),
        gate(4),
        Capability::Acknowledge(0),
        signal(7),
        signal(8),
        gate(5),
        signal(9),
        wait(8),
        signal(10),
    ];
    let mut domain = with(Domain::new(&marked(1, &text), vec![]), capabilities);
    domain.devices = vec![0x1000_0000];
    domain
}

fn domains(round: Round) -> Vec<Domain> {
    let device = virtual_map::slot(7) + virtual_map::SHARED_OFFSET;
    let handle = format!(
        "make WAIT, 0\nexpect own_bits\nli t1, {device:#x}\nsb zero, 1(t1)\nmake ACKNOWLEDGE, 1\nexpect own_nothing"
    );
    let mut restarts = with(Domain::new(&marked(3, SERVER), vec![]), vec![signal(6)]);
    (restarts.on_fault, restarts.zeroed) = (OnFault::Restart, 1);
    let mut dies = Domain::new(&marked(5, "serve: entry entered\nfill\nunimp"), vec![]);
    dies.on_fault = OnFault::Dead;
    let asks = "make WAIT, 0\nexpect own_bits\nmake INVOKE, (2 << 16) + 1\nexpect own_results";
    let server = "
        serve: entry entered
            srli t1, a6, 16
            bnez t1, answer
            make SIGNAL, 0
            expect own_nothing
        answer: make RETURN";
    let mut devices = waiter(8, &[("handle", &handle)]);
    devices.devices = vec![0x1000_0000];
    vec![
        first_domain(round),
        Domain::new(&marked(2, SERVER), vec![]),
        restarts,
        with(Domain::new(&marked(4, server), vec![]), vec![signal(5)]),
        dies,
        with(
            waiter(
                6,
                &[
                    ("high", "make WAIT, 2\nexpect own_bits"),
                    ("contends", asks),
                    ("kills", "make WAIT, 3\nexpect own_bits\nmake INVOKE, (2 << 16) + 4\nexpect own_nothing, 65"),
                    ("low", "make WAIT, 5\nexpect own_bits"),
                    ("equal", "make WAIT, 6\nexpect own_bits\nmake YIELD, -1\nexpect own_nothing"),
                ],
            ),
            vec![wait(5), gate(4), wait(1), wait(6), gate(3), wait(7), wait(10)],
        ),
        with(
            Domain::new(
                &marked(
                    7,
                    "
        tick: entry started
            make SIGNAL, 0
            expect own_nothing
            make COMPLETE
        job: entry started
            make COMPLETE
        endless: entry started
        again: fill
        .rept 40
            nop
        .endr
            intact
            j again",
                ),
                vec![],
            ),
            vec![signal(2)],
        ),
        with(devices, vec![wait(11), Capability::Acknowledge(0)]),
    ]
}

fn bench(round: Round) -> Bench {
    let sporadic = |component, priority| ThreadConfig {
        release: Release::Sporadic { separation: 0 },
        ..home(component, priority, 0)
    };
    let tick = Release::Periodic { period: round.period, offset: round.period };
    let budget = Some(Budget { amount: 300, overrun: Overrun::Suspend });
    let threads = vec![
        (home(0, 5, 1_000), "run"),
        (home(0, 8, 500), "rival"),
        (home(5, 8, 500), "high"),
        (home(5, 8, 500), "contends"),
        (home(5, 8, 500), "kills"),
        (home(5, 3, 500), "low"),
        (home(5, 5, 500), "equal"),
        (ThreadConfig { release: tick, ..home(6, 12, 0) }, "tick"),
        (sporadic(6, 9), "job"),
        (ThreadConfig { budget, ..sporadic(6, 9) }, "endless"),
        (sporadic(2, 9), "job"),
        (home(7, 10, 500), "handle"),
    ];
    let mut bench = Bench::new(domains(round), threads)
        .gate(1, Protocol::Propagated, 2, "serve")
        .gate(1, Protocol::Inherited, 1, "serve")
        .gate(1, Protocol::Fixed { ceiling: 6 }, 1, "serve")
        .gate(2, Protocol::Propagated, 3, "serve")
        .gate(3, Protocol::Inherited, 1, "serve")
        .gate(4, Protocol::Inherited, 1, "serve")
        .gate(0, Protocol::Inherited, 1, "");
    let releases = |notification: usize| match notification {
        3 => ThreadIndex(8),
        4 => ThreadIndex(9),
        9 => ThreadIndex(10),
        _ => ThreadIndex::NONE,
    };
    let kind = NotificationKind::Merging;
    bench.notifications =
        (0..12).map(|index| NotificationConfig { kind, releases: releases(index), initial: 0 }).collect();
    bench.interrupts = vec![InterruptLine { source: 10, notification: NotificationIndex(11) }];
    (bench.end, bench.time_slice) = (round.end, round.slice);
    bench
}

fn keeps_the_rule(platform: Platform, variant: Variant, round: Round) {
    let run = boot_on(&bench(round), platform, variant);
    for domain in 0..8 {
        let registers: Vec<String> = run.words(domain, 1..32).iter().map(|word| format!("{word:x}")).collect();
        let (path, delay) = (run.word(0, 40) as usize, run.word(0, 41));
        let what = PATHS.get(path).map_or("the end", |(name, _)| name);
        assert_ne!(
            run.word(domain, 0),
            BROKEN,
            "{platform:?} {variant:?}: `{what}`, interrupted after {delay}: domain {domain} has {registers:?}"
        );
    }
    let (status, path) = (run.result.status, run.word(0, 40));
    let lengths = run.words(0, 64..64 + PATHS.len());
    assert_eq!(
        run.word(0, 44),
        1,
        "{platform:?} {variant:?}: not all paths were taken: {status:?}, {path}, {lengths:?}"
    );
    let instants: u64 = lengths.iter().map(|length| (length + 64) / (length / round.most + 1)).sum();
    println!("{platform:?} {variant:?}: {} paths, interrupted at {instants} instants", PATHS.len());
    for ((name, path), length) in PATHS.iter().zip(&lengths) {
        println!("    {length:>6} {name}");
        // Who waits for the tick takes as long as that takes to come.
        let waits = path.contains("WAIT, 7");
        assert!(waits || *length < round.period / 2, "`{name}` is longer than what is looked at");
    }
}

/// Every instant.
const PLAIN: Round = Round { period: 16_000, most: u64::MAX >> 33, slice: NEVER, end: 1_500_000_000 };
/// A kernel that checks itself takes many times as long.
const CHECKED: Round = Round { period: 400_000, most: 150, slice: NEVER, end: 4_000_000_000 };
/// Slices end wherever they do, and equals take turns.
const SLICED: Round = Round { period: 32_000, most: 100, slice: 1_300, end: 500_000_000 };

#[test]
fn no_register_crosses_domains_at_any_instant() {
    keeps_the_rule(Platform::QemuRv64, Variant::Plain, PLAIN);
}

#[test]
fn no_register_crosses_domains_at_any_instant_on_32_bits() {
    keeps_the_rule(Platform::QemuRv32, Variant::Plain, PLAIN);
}

#[test]
fn no_register_crosses_domains_in_kernels_that_check_themselves() {
    for platform in Platform::ALL {
        keeps_the_rule(platform, Variant::Checked, CHECKED);
    }
}

#[test]
fn no_register_crosses_domains_where_slices_end() {
    for platform in Platform::ALL {
        keeps_the_rule(platform, Variant::Plain, SLICED);
    }
}
