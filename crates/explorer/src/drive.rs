//! Random systems under random events, with the same checks.
//!
//! What the exhaustive search cannot reach, larger systems and late timers, is tried at random.
//! Every choice comes from one function, so that a seeded generator, a property test that shrinks,
//! and a fuzzer that learns from bytes drive the same code.

use fusee_kernel::{
    Budget, Capability, ComponentConfig, ComponentIndex, Error, Event, FixedPriority, GateConfig,
    GateIndex, GateKind, Kernel, NEVER, NotificationConfig, NotificationIndex, NotificationKind,
    OnFault, Outcome, Overrun, Protocol, ProtocolKind, Release, Status, Tables, ThreadConfig,
    ThreadIndex, Time,
};

use crate::longest::{Longest, longest};
use crate::{Ledger, Step, Store, Tape, Transition, check};

/// The counts of events during a drive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Steps that the kernel took.
    pub steps: u64,
    /// Steps that it refused.
    pub refused: u64,
    /// Steps after which a thread waited at a gate that had not before.
    pub waits: u64,
}

/// Builds a system and puts it through `steps` events, all of them chosen by `choose(n)`, which
/// answers a number below n. An error says which rule broke, at which step.
pub fn drive(choose: &mut dyn FnMut(u32) -> u32, steps: u32) -> Result<Tally, String> {
    let parts = Parts::draw(choose);
    let components = parts.components();
    let tables = parts.tables(&components);
    let mut store =
        Store::start(&tables).map_err(|error| format!("the tables are wrong: {error:?}"))?;
    let mut ledger = Ledger::start(&tables);
    let mut tally = Tally::default();
    let mut now: Time = 0;
    for number in 0..steps {
        now += [0, 0, 1, 3][choose(4) as usize];
        let before = store.clone();
        let step = draw_step(&tables, &mut store, now, choose);
        let mut tape = Tape::default();
        let taken = step.take(&tables, &mut store, &mut now, &mut tape);
        let after = After { step, taken, records: &tape.records, now };
        // Where the gates are in order and the tables declare what follows from them, no call is
        // too deep.
        let legal = !parts.ordered || !ledger.is_only_too_deep(&tables, step);
        let checked = follow(&tables, (&before, &mut store), &mut ledger, &after).and_then(|()| {
            legal.then_some(()).ok_or_else(|| "refusals: a legal call is too deep".to_owned())
        });
        checked.map_err(|why| {
            format!("step {number}, {step} at {now}: {why}\n{parts:#?}\n{before:#?}")
        })?;
        match taken {
            Err(_) => tally.refused += 1,
            Ok(_) => {
                tally.steps += 1;
                tally.waits += waits(&store).saturating_sub(waits(&before));
            }
        }
    }
    Ok(tally)
}

/// The state after a step.
struct After<'r> {
    step: Step,
    taken: Result<Option<Outcome>, Error>,
    records: &'r [fusee_kernel::Record],
    now: Time,
}

/// Checks a step by all rules.
fn follow(
    tables: &Tables<'_>,
    (before, store): (&Store, &mut Store),
    ledger: &mut Ledger,
    after: &After<'_>,
) -> Result<(), String> {
    let &After { step, taken, records, now } = after;
    ledger.refuses(tables, step, taken.err()).map_err(|breach| breach.to_string())?;
    let Ok(Some(outcome)) = taken else {
        let same = store == before;
        return if same { Ok(()) } else { Err("refused, yet the state changed".to_owned()) };
    };
    let transition = Transition { tables, before, after: store, now, step, outcome, records };
    let checked = ledger.follow(&transition).and_then(|()| {
        check::state(tables, store, &|thread, depth| {
            ledger.demand::<FixedPriority>(tables, thread, depth)
        })
    });
    checked.map_err(|breach| breach.to_string())?;
    own_check(tables, store)
}

/// The check that a booted kernel makes of itself finds the state whole as well.
fn own_check(tables: &Tables<'_>, store: &mut Store) -> Result<(), String> {
    Kernel::resume(*tables, store.memory(), ())
        .check()
        .map_err(|broken| format!("the kernel's own check: {broken:?}"))
}

fn waits(store: &Store) -> u64 {
    store.threads.iter().filter(|thread| thread.status == Status::AtGate).count() as u64
}

fn draw_step(
    tables: &Tables<'_>,
    store: &mut Store,
    now: Time,
    choose: &mut dyn FnMut(u32) -> u32,
) -> Step {
    let unrestored = store.running().is_some_and(|running| store.is_unrestored(tables, running));
    let stale =
        unrestored || store.running().is_some_and(|running| store.is_stale(tables, running));
    let threads = tables.threads.len() as u32;
    let kernel = Kernel::resume(*tables, store.memory(), ());
    let slot = |choose: &mut dyn FnMut(u32) -> u32| choose(5) as u16;
    Step::Event(match choose(20) {
        0..7 if !stale => {
            let slot = slot(choose);
            let is_mutex = matches!(kernel.capability(slot), Ok(Capability::Mutex(_)));
            if is_mutex { Event::Lock(slot) } else { Event::Invoke(slot) }
        }
        8 if !stale && choose(2) == 0 => Event::Unlock(slot(choose)),
        7..9 if !stale => Event::Return,
        9 if !stale => {
            [Event::Complete, Event::Fault, Event::Yield, Event::Return][choose(4) as usize]
        }
        10 if !stale => [Event::Signal, Event::Poll, Event::Wait][choose(3) as usize](slot(choose)),
        11 => Event::Interrupt(choose(3) as u16),
        12 | 13 => {
            let (thread, priority) = (ThreadIndex(choose(threads + 1) as u16), choose(9) as u8);
            return Step::Reprioritise(thread, priority);
        }
        14 | 15 => {
            let thread = ThreadIndex(choose(threads + 1) as u16);
            Event::Release(thread, now.saturating_sub([0, 0, 0, 2][choose(4) as usize]))
        }
        16.. => Event::Timer,
        _ if unrestored => Event::Restored,
        _ => Event::Abort,
    })
}

/// A system's tables without what borrows.
#[derive(Debug)]
struct Parts {
    threads: Vec<ThreadConfig>,
    gates: Vec<GateConfig>,
    notifications: Vec<NotificationConfig>,
    capabilities: Vec<(OnFault, Vec<Capability>)>,
    interrupts: Vec<NotificationIndex>,
    /// `true` if its gates are in order: then no call may be refused for its depth.
    ordered: bool,
    longest: Longest,
    backlog: u16,
    time_slice: Time,
}

impl Parts {
    fn draw(choose: &mut dyn FnMut(u32) -> u32) -> Parts {
        let gates: Vec<GateConfig> =
            (0..choose(6)).map(|gate| draw_gate(gate as u16, choose)).collect();
        let threads: Vec<ThreadConfig> = {
            let limited = choose(2) == 0;
            (0..2 + choose(5)).map(|_| draw_thread(gates.len(), limited, choose)).collect()
        };
        let sporadic =
            threads.iter().position(|thread| matches!(thread.release, Release::Sporadic { .. }));
        let bound = ThreadIndex(sporadic.map_or(u16::MAX, |thread| thread as u16));
        let notifications = vec![
            NotificationConfig {
                kind: NotificationKind::Merging,
                releases: ThreadIndex::NONE,
                initial: 0,
            },
            NotificationConfig {
                kind: NotificationKind::Counting { limit: 2 },
                releases: ThreadIndex::NONE,
                initial: 0,
            },
            NotificationConfig { kind: NotificationKind::Merging, releases: bound, initial: 0 },
        ];
        // Half of the systems have their gates in order, as a build demands; in the others
        // deadlocks are refused.
        let ordered = choose(2) == 0;
        let count = gates.len() as u32;
        // Two homes follow the gates' components.
        let capabilities: Vec<(OnFault, Vec<Capability>)> = (0..count + 2)
            .map(|component| {
                let first = if component >= count || !ordered { 0 } else { component + 1 };
                (
                    draw_fault(choose),
                    (0..4).map(|_| draw_capability(first, &gates, choose)).collect(),
                )
            })
            .collect();
        let named: Vec<Vec<Capability>> =
            capabilities.iter().map(|(_, named)| named.clone()).collect();
        let longest = if ordered {
            longest(&gates, &named)
        } else {
            // Nobody waits at a gate twice, and one thread may be less deep than a chain of holders
            // is long.
            Longest { depth: choose(count + 1) as u8, chain: count as u16 }
        };
        Parts {
            ordered,
            longest,
            threads,
            gates,
            notifications,
            capabilities,
            interrupts: vec![NotificationIndex(0), NotificationIndex(2)],
            backlog: choose(3) as u16,
            time_slice: [NEVER, NEVER, 1, 4][choose(4) as usize],
        }
    }

    fn components(&self) -> Vec<ComponentConfig<'_>> {
        self.capabilities
            .iter()
            .map(|(on_fault, capabilities)| ComponentConfig { on_fault: *on_fault, capabilities })
            .collect()
    }

    fn tables<'t>(&'t self, components: &'t [ComponentConfig<'t>]) -> Tables<'t> {
        Tables {
            threads: &self.threads,
            gates: &self.gates,
            notifications: &self.notifications,
            components,
            interrupts: &self.interrupts,
            depth: self.longest.depth,
            chain: self.longest.chain,
            backlog: self.backlog,
            time_slice: self.time_slice,
            cores: 1,
            levels: 8,
        }
    }
}

/// The protocols under fixed priorities.
const KINDS: [ProtocolKind; 4] =
    [ProtocolKind::Propagated, ProtocolKind::Fixed, ProtocolKind::Inherited, ProtocolKind::Fifo];

fn draw_gate(component: u16, choose: &mut dyn FnMut(u32) -> u32) -> GateConfig {
    let kind = KINDS[choose(KINDS.len() as u32) as usize];
    let ceiling = if kind == ProtocolKind::Fixed { choose(8) as u8 } else { 0 };
    let protocol = Protocol::of(kind, ceiling);
    let stacks = if protocol.is_exclusive() { 1 } else { 1 + choose(6) as u16 };
    let is_mutex = protocol.is_exclusive() && choose(4) == 0;
    let kind = if is_mutex { GateKind::Mutex } else { GateKind::Interface };
    GateConfig { component: ComponentIndex(component), protocol, stacks, kind }
}

fn draw_thread(gates: usize, limited: bool, choose: &mut dyn FnMut(u32) -> u32) -> ThreadConfig {
    let release = match choose(4) {
        0 => {
            Release::Periodic { period: 1 + Time::from(choose(16)), offset: Time::from(choose(8)) }
        }
        1 => Release::Once { offset: Time::from(choose(8)) },
        _ => Release::Sporadic { separation: [0, 0, 0, 3][choose(4) as usize], jitter: 0 },
    };
    let overrun = match if limited { choose(6) } else { 5 } {
        0 | 1 => Some(Overrun::Suspend),
        2 => Some(Overrun::Continue),
        3 => Some(Overrun::Notify(NotificationIndex(choose(3) as u16))),
        _ => None,
    };
    ThreadConfig {
        component: ComponentIndex(gates as u16 + choose(2) as u16),
        priority: choose(8) as u8,
        core: 0,
        release,
        deadline: [NEVER, 5][choose(2) as usize],
        budget: overrun.map(|overrun| Budget { amount: 1 + Time::from(choose(5)), overrun }),
    }
}

fn draw_fault(choose: &mut dyn FnMut(u32) -> u32) -> OnFault {
    match choose(8) {
        0 => OnFault::Dead,
        1 | 2 => OnFault::Restart,
        _ => OnFault::Continue,
    }
}

fn draw_capability(
    first: u32,
    gates: &[GateConfig],
    choose: &mut dyn FnMut(u32) -> u32,
) -> Capability {
    let count = gates.len() as u32;
    let notification = NotificationIndex(choose(3) as u16);
    match choose(10) {
        0 => Capability::Signal(notification, 1 << choose(3)),
        1 => Capability::Wait(notification),
        _ if first < count => {
            let gate = first + choose(count - first);
            match gates[gate as usize].kind {
                GateKind::Interface => Capability::Gate(GateIndex(gate as u16)),
                GateKind::Mutex => Capability::Mutex(GateIndex(gate as u16)),
            }
        }
        _ => Capability::Empty,
    }
}
