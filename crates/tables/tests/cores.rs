//! The tables of each core of a system, and those that cores share.

use fusee_adl::{resolve::resolve, syntax::load_bytes};
use fusee_kernel::cores::{CoreTables, GlobalProtocol, MailboxConfig, PostLimit, RequestSlot};
use fusee_kernel::{
    Capability, NotificationIndex, Protocol, Release, SeatIndex, Tables, ThreadIndex,
};
use fusee_model::derived::Derived;
use fusee_model::{OnFault, System};
use fusee_tables::{Capabilities, Cores, Machines, Needs, TablesError};

/// Two cores share `map`; on core 0 one of its users asks inside a local gate, which `guard` uses,
/// too. `PROTOCOL` is to be put in.
const SYSTEM: &str = r#"
import <std_connector.camkes>;
procedure Map { void put(); }
component User { control; uses Map map; emits Tick tick; }
component Waiter { control; consumes Tick tick; }
component Both { control; uses Map way; }
component Way { provides Map way; uses Map map; }
component Store { provides Map map; }
assembly {
    composition {
        component User left; component User right; component Waiter waiter;
        component Both inner; component Both guard;
        component Way way; component Store store;
        connection seL4RPCCall maps(from left.map, from right.map, from way.map, to store.map);
        connection seL4RPCCall ways(from inner.way, from guard.way, to way.way);
        connection seL4Notification beats(from left.tick, to waiter.tick);
    }
    configuration {
        left.period = "10 ms"; left.wcet = "1 ms"; left.priority = 20; left.core = 0;
        left.calls = ["map.put", "emit tick"];
        right.period = "10 ms"; right.wcet = "1 ms"; right.priority = 30; right.core = 1;
        right.calls = ["map.put"];
        inner.period = "10 ms"; inner.wcet = "1 ms"; inner.priority = 10; inner.core = 0;
        guard.period = "10 ms"; guard.wcet = "1 ms"; guard.priority = 200; guard.core = 0;
        waiter.arrival = "event tick"; waiter.period = "10 ms"; waiter.wcet = "1 ms";
        waiter.priority = 5; waiter.core = 0;
        way.way_wcet = "1 ms"; way.way_priority_protocol = "inherited";
        store.map_wcet = "1 ms"; store.map_priority_protocol = "PROTOCOL";
    }
}
"#;

/// Returns the system, with some task on another core.
fn system(protocol: &str, moved: Option<(&str, u32)>) -> System {
    let mut system = described(&SYSTEM.replace("PROTOCOL", protocol));
    if let Some((name, core)) = moved {
        let task = task(&system, name);
        system.tasks[task].core = core;
    }
    system
}

fn described(text: &str) -> System {
    let loaded = load_bytes(text.as_bytes());
    assert!(loaded.diagnostics.is_empty(), "{:#?}", loaded.diagnostics);
    let resolution = resolve(&loaded.tree, "test", &fusee_adl::Options::default());
    resolution.system.unwrap_or_else(|| panic!("{:#?}", resolution.diagnostics))
}

fn cores(system: &System) -> Result<Cores, TablesError> {
    let release = |_: &_| Release::Sporadic { separation: 0, jitter: 0 };
    let releases: Vec<Release> = system.tasks.iter().map(release).collect();
    Cores::of(system, &Derived::of(system), Capabilities::of(system), &releases)
}

/// Looks at the kernels' tables, which are all accepted.
fn with<T>(cores: &Cores, look: impl FnOnce(&[(Tables<'_>, CoreTables<'_>)]) -> T) -> T {
    let (components, globals) = (cores.components(), cores.configs());
    let tables = cores.tables(&components, &globals);
    for (core, shared) in &tables {
        assert_eq!((core.check(), shared.check(core)), (Ok(()), Ok(())));
    }
    look(&tables)
}

fn task(system: &System, name: &str) -> usize {
    system.tasks.iter().position(|task| task.name == name).expect("the task")
}

#[test]
fn requests_stand_above_what_their_protocol_says() {
    for (word, protocol) in [
        ("msrp", GlobalProtocol::Msrp),
        ("mrsp", GlobalProtocol::Mrsp),
        ("mpcp", GlobalProtocol::Mpcp),
    ] {
        let system = system(word, None);
        let cores = cores(&system).expect("tables");
        assert_eq!((cores.cores.len(), cores.globals.len()), (2, 1));
        assert_eq!(cores.globals[0].protocol, protocol);
        with(&cores, |tables| {
            for (number, (core, shared)) in tables.iter().enumerate() {
                let level = |name: &str| {
                    let of = |&task: &fusee_model::TaskId| system.task(task).name == name;
                    let thread = cores.cores[number].tasks.iter().position(of);
                    core.threads[thread.expect("on this core")].priority
                };
                let stand_in = core.gates[shared.first_gate.at()];
                let Protocol::Fixed { ceiling } = stand_in.protocol else { panic!("{stand_in:?}") };
                let highest = if number == 0 { level("guard") } else { level("right") };
                match protocol {
                    // Who may wait for the local gate on the way counts.
                    GlobalProtocol::Mrsp => assert_eq!(ceiling, highest, "core {number}"),
                    _ => assert!(ceiling > highest, "core {number} under {word}"),
                }
                assert_eq!(cores.cores[number].levels[usize::from(highest)], [200, 30][number]);
            }
        });
    }
}

#[test]
fn seats_and_slots_lead_to_who_asks() {
    let system = system("mrsp", None);
    let cores = cores(&system).expect("tables");
    let global = &cores.globals[0];
    assert_eq!(global.seats.len(), 4);
    for (seat, &user) in global.seats.iter().zip(&global.tasks) {
        let own = &cores.cores[usize::from(seat.core)];
        assert_eq!(own.tasks[seat.thread.at()], user);
        assert_eq!(seat.rank, system.task(user).priority.value);
    }
    let (left, waiter) = (task(&system, "left"), task(&system, "waiter"));
    let thread = |task: usize| cores.cores[0].tasks.iter().position(|one| one.index() == task);
    let seats = &cores.cores[0].seats;
    let seat = seats[thread(left).expect("its thread")];
    let mine =
        RequestSlot { core: 0, thread: ThreadIndex(thread(left).unwrap_or(9) as u16), rank: 20 };
    assert_eq!(global.seats[seat.at()], mine);
    assert_eq!(seats[thread(waiter).expect("its thread")], SeatIndex::NONE);
    with(&cores, |tables| {
        for (core, shared) in tables {
            let slots = core.components.iter().flat_map(|component| component.capabilities);
            let to = |gate: usize| Capability::Gate(fusee_kernel::GateIndex(gate as u16));
            let (old, new) = (to(global.gate.index()), to(shared.first_gate.at()));
            assert_eq!(slots.clone().filter(|&&slot| slot == old).count(), 0);
            assert_eq!(slots.filter(|&&slot| slot == new).count(), 3);
        }
    });
}

#[test]
fn what_belongs_to_one_core_is_refused_on_two() {
    let refused = |protocol: &str, moved| match cores(&system(protocol, moved)) {
        Err(TablesError::Shared { name, first, second, .. }) => (name, first, second),
        other => panic!("{other:?}"),
    };
    assert_eq!(refused("inherited", None), ("store.map".to_owned(), 0, 1));
    assert_eq!(refused("msrp", Some(("inner", 1))), ("way.way".to_owned(), 0, 1));
}

#[test]
fn events_that_other_cores_signal_have_mailboxes() {
    let mailboxes = |moved| {
        let cores = cores(&system("msrp", moved)).expect("tables");
        with(&cores, |_| cores.mailboxes.clone())
    };
    assert_eq!(mailboxes(None), []);
    let (core, notification) = (1, NotificationIndex(0));
    // It releases a task, so each signal counts.
    assert_eq!(
        mailboxes(Some(("waiter", 1))),
        [MailboxConfig { core, notification, counts: true }]
    );
}

/// A thread may signal as often as its list says, never where that leaves the event out, and once a
/// job where there is no list; no other thread of its core may.
#[test]
fn each_thread_may_signal_other_cores_as_often_as_is_described() {
    let (period, calls) = (10_000_000, "left.calls = [\"map.put\", \"emit tick\"];");
    let cases = [
        (calls, PostLimit::rate(1, period, 2 * period)),
        (
            "left.calls = [\"emit tick\", \"map.put\", \"emit tick\"];",
            PostLimit::rate(2, period, 2 * period),
        ),
        (
            "left.calls = [\"emit tick\"]; left.deadline = \"3 ms\";",
            PostLimit::rate(1, period, 13_000_000),
        ),
        ("left.calls = [\"map.put\"];", PostLimit::NEVER),
        ("", PostLimit::rate(1, period, 2 * period)),
    ];
    for (given, limit) in cases {
        let text = SYSTEM.replace("PROTOCOL", "msrp").replace(calls, given);
        let system = described(
            &text.replace("priority = 5; waiter.core = 0", "priority = 5; waiter.core = 1"),
        );
        let cores = cores(&system).expect("tables");
        with(&cores, |_| {});
        let own = &cores.cores[0];
        assert_eq!(own.limits.len(), own.tasks.len());
        for (task, found) in own.tasks.iter().zip(&own.limits) {
            let expected = if system.task(*task).name == "left" { limit } else { PostLimit::NEVER };
            assert_eq!(*found, expected, "{given}: {}", system.task(*task).name);
        }
    }
}

#[test]
fn one_core_has_what_it_always_had() {
    let system = system("inherited", Some(("right", 0)));
    let cores = cores(&system).expect("tables");
    let release = |_: &_| Release::Sporadic { separation: 0, jitter: 0 };
    let releases: Vec<Release> = system.tasks.iter().map(release).collect();
    let derived = Derived::of(&system);
    let objects =
        fusee_tables::Objects::of(&system, &derived, Capabilities::of(&system), &releases);
    assert_eq!(Ok(&cores.cores[0].objects), objects.as_ref());
    assert!(cores.globals.is_empty() && cores.cores.len() == 1);
}

/// Also where one core alone uses a gate between cores.
#[test]
fn whoever_may_execute_a_section_is_told_of_its_component_s_end() {
    for (moved, expected) in [(None, 0b11), (Some(("right", 0)), 0b1), (Some(("right", 3)), 0b1001)]
    {
        let mut system = system("mrsp", moved);
        let store = system.components.iter().position(|component| component.name == "store");
        let store = store.expect("a component");
        system.components[store].on_fault = OnFault::Restart;
        let cores = cores(&system).expect("tables");
        let told: Vec<_> =
            cores.restarts.iter().map(|one| (one.component.at(), one.cores)).collect();
        assert_eq!(told, [(store, expected)], "{moved:?}");
        with(&cores, |tables| {
            for (one, shared) in tables {
                assert_eq!(shared.check(one), Ok(()), "{moved:?}");
            }
        });
    }
}

#[test]
fn more_cores_than_a_byte_can_name_are_refused() {
    let mut system = system("msrp", None);
    system.tasks[0].core = u32::MAX;
    assert_eq!(cores(&system), Err(TablesError::TooManyCores(u32::MAX)));
}

/// However long one core's start takes by what it has itself, time 0 is the same on all.
#[test]
fn all_cores_start_at_one_instant() {
    for moved in [None, Some(("waiter", 1))] {
        let system = system("msrp", moved);
        let machines = Machines::of(&system, &Needs::default()).expect("tables");
        let starts = machines.cores.iter().map(|core| core.machine.startup);
        // The event that releases `waiter` may come in the start, and again after its period.
        assert!(starts.eq(machines.cores.iter().map(|_| 11_000_000)), "{moved:?}");
        let first = |core: &fusee_tables::CoreMachine| {
            let offset = |thread: &fusee_kernel::ThreadConfig| match thread.release {
                Release::Periodic { offset, .. } => Some(offset),
                _ => None,
            };
            core.machine.objects.threads.iter().filter_map(offset).min()
        };
        assert!(machines.cores.iter().filter_map(first).all(|first| first == 11_000_000));
    }
}
