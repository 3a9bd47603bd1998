//! No register carries a value to another domain but arguments and results.
//!
//! The rule is tested as a rule. One thread takes one kind of kernel path after the other, with
//! marks in all registers, in eight domains that know a foreign mark and a kernel's address
//! (`common/marks.rs`). Each path is taken as often as it has instructions: what interrupts it
//! comes one instruction later each time, from before the path's first to behind its last. One
//! instruction is one tick of this machine, whose clock is deterministic, so no instant is left
//! out.
//!
//! That is so, on both platforms, for a timer interrupt whose thread has marks of its own, and for
//! the end of a time slice, where an equal takes its turn (up to the first `yield` of a path, which
//! begins another slice). Kernels that check themselves take a hundred times as long, most of it
//! where nobody can interrupt them: there, instants are left out between two at which what follows
//! takes the same time to the instruction, and so is the same. Where slices and ticks come
//! together, ticks come at every instant, and slices end wherever they do. A component that dies
//! does so once, at one instant.
//!
//! A test that has never found anything proves nothing: a kernel with the three defects that it
//! once had must be found.
#![expect(clippy::print_stdout, reason = "what was covered is for people")]

mod marks;
mod paths;
mod sweep;

use fusee_image_format::{InterruptLine, Platform, virtual_map};
use fusee_kernel::*;
use fusee_kernel_build::build_leaky;
use fusee_platform::Records as Variant;
use fusee_testing::boots::*;
use marks::{BROKEN, marked};
use paths::{PATHS, RESTARTS};
use sweep::{BY_SLICES, BY_TICKS, RIVAL, SCHEDULE, SERVER};

/// Waits and is woken; then does something, or nothing.
fn waiter(tag: u32, threads: &[(&str, &str)]) -> Domain {
    let one = |(label, then): &(&str, &str)| {
        format!("{label}: entry started\n{label}_again: {then}\nj {label}_again\n")
    };
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

/// The event that interrupts the paths of a round.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// A tick at every instant.
    Ticks,
    /// A tick, but not where what follows is the same as at an instant before.
    TicksOfOtherStates,
    /// The end of a time slice at every instant: an equal, that is always ready, takes its turn.
    Slices,
}

/// The parameters of a round: ticks between two interrupts, instants at most for each path, and
/// time slices if there are any.
#[derive(Clone, Copy)]
struct Round {
    paths: &'static [(&'static str, &'static str)],
    by: By,
    period: u64,
    most: u64,
    slice: Time,
    end: u64,
}

impl Round {
    /// Instants behind a path's end that are still looked at.
    fn behind(self) -> u64 {
        // A slice ends somewhat before it was waited for: its beginning was noticed late. A tick
        // comes up to 100 instants late, so that the first ones are before the path.
        if self.by == By::Slices { 600 } else { 164 }
    }

    /// Its paths: nobody waits for a tick where slices end, which may be none, or late.
    fn paths(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.paths
            .iter()
            .copied()
            .filter(move |(_, path)| self.slice == NEVER || !path.contains("WAIT, 7"))
    }
}

/// The domain of the thread that ticks.
const TICKING: usize = 6;

/// The address at which the first domain finds the data page of the domain in which the ticking
/// thread is.
const TICKS_DATA: u64 = virtual_map::SHARED_OFFSET + 4096;

fn first_domain(round: Round) -> Domain {
    let uart = virtual_map::slot(0) + virtual_map::SHARED_OFFSET;
    let ticks_data = virtual_map::slot(0) + TICKS_DATA;
    let count = round.paths().count();
    let mut text = format!(".equ PERIOD, {}\n.equ MOST, {}\n", round.period, round.most);
    text += &format!(
        ".equ UART, {uart:#x}\n.equ CAME, {ticks_data:#x} + 50 * W\n.equ PATHS, {count}\n"
    );
    text += &format!(".equ BEHIND, {}\n", round.behind());
    text += &format!(".equ SKIPS, {}\n", u8::from(round.by == By::TicksOfOtherStates));
    text += if round.by == By::Slices { BY_SLICES } else { BY_TICKS };
    text += SCHEDULE;
    for (number, (_, path)) in round.paths().enumerate() {
        text += &format!("path{number}: {path}\nj finished\n");
    }
    text += ".option push\n.option norvc\npaths:\n";
    text += &(0..count).map(|number| format!("j path{number}\n")).collect::<String>();
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
    domain.devices = vec![0x1000_0000, data(TICKING)];
    domain
}

fn domains(round: Round) -> Vec<Domain> {
    let device = virtual_map::slot(7) + virtual_map::SHARED_OFFSET;
    let handle = format!(
        "make WAIT, 0\nexpect own_bits\nli t1, {device:#x}\nsb zero, 1(t1)\nmake ACKNOWLEDGE, \
         1\nexpect own_nothing"
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
    let equal = match round.by {
        By::Slices => "make YIELD, -1\nexpect own_nothing",
        _ => "make WAIT, 6\nexpect own_bits\nmake YIELD, -1\nexpect own_nothing",
    };
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
                    (
                        "kills",
                        "make WAIT, 3\nexpect own_bits\nmake INVOKE, (2 << 16) + 4\nexpect \
                         own_nothing, 65",
                    ),
                    ("low", "make WAIT, 5\nexpect own_bits"),
                    ("equal", equal),
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
            rdcycle t1
            li t2, DATA
            st t1, 50, t2
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
        release: Release::Sporadic { separation: 0, jitter: 0 },
        ..home(component, priority, 0)
    };
    let period = if round.by == By::Slices { round.end } else { round.period };
    let tick = Release::Periodic { period, offset: period };
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
    bench.notifications = (0..12)
        .map(|index| NotificationConfig { kind, releases: releases(index), initial: 0 })
        .collect();
    bench.interrupts = vec![InterruptLine { source: 10, notification: NotificationIndex(11) }];
    (bench.end, bench.time_slice) = (round.end, round.slice);
    bench
}

/// Returns the place where a register held a forbidden value, if there is one: the path, the
/// instant, the domain and its registers.
fn broken(run: &Run, round: Round) -> Option<String> {
    let domain = (0..8).find(|&domain| run.word(domain, 0) == BROKEN)?;
    let registers: Vec<String> =
        run.words(domain, 1..32).iter().map(|word| format!("{word:x}")).collect();
    let (path, delay) = (run.word(0, 40) as usize, run.word(0, 41) as i64);
    let what = round.paths().nth(path).map_or("the end", |(name, _)| name);
    Some(format!("`{what}`, interrupted after {delay}: domain {domain} has {registers:?}"))
}

fn keeps_the_rule(platform: Platform, variant: Variant, round: Round) {
    let run = boot_on(&bench(round), platform, variant);
    if let Some(found) = broken(&run, round) {
        panic!("{platform:?} {variant:?}: {found}");
    }
    let (status, path) = (run.result.status, run.word(0, 40));
    let count = round.paths().count();
    let [lengths, runs, hits] = [64, 128, 192].map(|first| run.words(0, first..first + count));
    assert_eq!(
        run.word(0, 44),
        1,
        "{platform:?} {variant:?}: not all paths were taken: {status:?}, {path}, {lengths:?}, \
         {runs:?}"
    );
    let instants: u64 =
        lengths.iter().map(|length| (length + round.behind()) / (length / round.most + 1)).sum();
    let taken: u64 = hits.iter().sum();
    println!(
        "{platform:?} {variant:?}: {count} paths, interrupted {taken} times for {instants} instants"
    );
    for ((((name, path), length), runs), hits) in round.paths().zip(&lengths).zip(&runs).zip(&hits)
    {
        println!("    {length:>6} {runs:>6} {hits:>6} {name}");
        // Who waits for the tick takes as long as that takes to come.
        let waits = path.contains("WAIT, 7");
        assert!(waits || *length < round.period / 2, "`{name}` is longer than what is looked at");
        let every = round.most > 1_000 && round.by != By::TicksOfOtherStates;
        assert!(
            !every || *runs >= length + round.behind(),
            "`{name}`: {runs} of {length} instants"
        );
        // Slices are used up by who runs, and begin anew where a thread yields; who waits for a
        // tick sleeps most of the time. Where equals take turns, a tick can come in another's turn,
        // the more often the shorter a path is.
        let seen = match round.by {
            By::Slices => length / 16,
            _ if round.slice < round.period => length / 4,
            _ => length * 3 / 4,
        };
        assert!(
            !every || waits || *hits >= seen,
            "`{name}`: interrupted {hits} times in {length} instants"
        );
    }
}

/// A round with every instant.
const PLAIN: Round = Round {
    paths: PATHS,
    by: By::Ticks,
    period: 16_000,
    most: u64::MAX >> 33,
    slice: NEVER,
    end: 1_500_000_000,
};
/// Every instant, but for those at which nothing else follows than at one before: a kernel that
/// checks itself takes a hundred times as long, and is not interrupted.
const CHECKED: Round = Round {
    paths: PATHS.split_at(RESTARTS).0,
    by: By::TicksOfOtherStates,
    period: 140_000,
    most: u64::MAX >> 33,
    slice: NEVER,
    end: 4_200_000_000,
};
/// The paths that are so long that they need a longer period.
const CHECKED_RESTARTS: Round =
    Round { paths: PATHS.split_at(RESTARTS).1, period: 400_000, ..CHECKED };
/// The end of a slice at every instant.
const SLICED: Round = Round {
    paths: PATHS,
    by: By::Slices,
    period: 16_000,
    most: u64::MAX >> 33,
    slice: 15_950,
    end: 4_000_000_000,
};
/// A tick at every instant, and slices that end wherever they do, ten or more in a path: equals
/// take turns.
const MIXED: Round = Round { period: 26_000, slice: 1_301, end: 3_000_000_000, ..PLAIN };

#[test]
fn no_register_crosses_domains_at_any_instant() {
    keeps_the_rule(Platform::QemuRv64, Variant::Plain, PLAIN);
}

#[test]
#[ignore = "takes a minute; `make soundness` runs it"]
fn no_register_crosses_domains_at_any_instant_on_32_bits() {
    keeps_the_rule(Platform::QemuRv32, Variant::Plain, PLAIN);
}

#[test]
#[ignore = "takes a minute; `make soundness` runs it"]
fn no_register_crosses_domains_in_kernels_that_check_themselves() {
    keeps_the_rule(Platform::QemuRv64, Variant::Checked, CHECKED);
    keeps_the_rule(Platform::QemuRv64, Variant::Checked, CHECKED_RESTARTS);
}

#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn no_register_crosses_domains_in_kernels_that_check_themselves_on_32_bits() {
    keeps_the_rule(Platform::QemuRv32, Variant::Checked, CHECKED);
    keeps_the_rule(Platform::QemuRv32, Variant::Checked, CHECKED_RESTARTS);
}

#[test]
#[ignore = "takes a minute; `make soundness` runs it"]
fn no_register_crosses_domains_where_slices_end() {
    keeps_the_rule(Platform::QemuRv64, Variant::Plain, SLICED);
}

#[test]
#[ignore = "takes a minute; `make soundness` runs it"]
fn no_register_crosses_domains_where_slices_end_on_32_bits() {
    keeps_the_rule(Platform::QemuRv32, Variant::Plain, SLICED);
}

#[test]
#[ignore = "takes a minute; `make soundness` runs it"]
fn no_register_crosses_domains_where_slices_and_ticks_come_together() {
    keeps_the_rule(Platform::QemuRv64, Variant::Plain, MIXED);
}

#[test]
#[ignore = "takes a minute; `make soundness` runs it"]
fn no_register_crosses_domains_where_slices_and_ticks_come_together_on_32_bits() {
    keeps_the_rule(Platform::QemuRv32, Variant::Plain, MIXED);
}

/// The paths in which the defects show that the kernel once had: where a component is still to be
/// restored, where a call asks for all bits set, where a mutex is unlocked.
const LEAKS: [&str; 7] = [
    "a fault, a restart, a call",
    "a component that is gone",
    "yield in a callee",
    "yield with all bits set",
    "lock, unlock",
    "lock twice, unlock twice",
    "a mutex for which somebody waits",
];

#[test]
fn registers_that_cross_domains_are_found() {
    for platform in Platform::emulated() {
        let kernel = build_leaky(platform, &|_| {}).expect("a kernel");
        for path in PATHS.iter().filter(|(name, _)| LEAKS.contains(name)) {
            let round = Round { paths: std::slice::from_ref(path), end: 120_000_000, ..PLAIN };
            let found = broken(&boot_kernel(&bench(round), platform, &kernel), round);
            println!("{platform:?}: {}", found.as_deref().unwrap_or("nothing"));
            assert!(found.is_some(), "{platform:?}: `{}` shows nothing", path.0);
        }
    }
}
