//! The refusals at gates between cores, which change nothing.

use fusee_kernel::cores::{
    AnyStore, CoreKernel, CoreTableError, CoreTables, Executes, GlobalConfig, GlobalProtocol, Host,
    HostCore, NO_CORE,
};
use fusee_kernel::cores::{OneCore, RequestSlot, RestartConfig, StartError};
use fusee_kernel::*;

const fn thread(component: u16, priority: u8) -> ThreadConfig {
    let release = Release::Sporadic { separation: 0, jitter: 0 };
    let component = ComponentIndex(component);
    ThreadConfig { component, priority, core: 0, release, deadline: NEVER, budget: None }
}

const fn gate(component: u16, protocol: Protocol) -> GateConfig {
    let component = ComponentIndex(component);
    GateConfig { component, protocol, stacks: 1, kind: GateKind::Interface }
}

const fn to(gate: u16) -> Capability {
    Capability::Gate(GateIndex(gate))
}

const fn component(on_fault: OnFault, capabilities: &[Capability]) -> ComponentConfig<'_> {
    ComponentConfig { on_fault, capabilities }
}

const TURN: NotificationConfig =
    NotificationConfig { kind: NotificationKind::Merging, releases: ThreadIndex::NONE, initial: 0 };

/// The objects that may be named behind the first global gate: the second, an exclusive gate,
/// propagated ones, a notification, a mutex.
const BEHIND: &[Capability] = &[
    to(3),
    to(0),
    to(1),
    Capability::Wait(NotificationIndex(2)),
    Capability::Signal(NotificationIndex(2), 1),
    Capability::Mutex(GateIndex(4)),
    to(5),
];

/// Gates 2 and 3 stand for the global ones.
const TABLES: Tables<'static> = Tables {
    threads: &[thread(0, 1), thread(0, 3)],
    gates: &[
        gate(1, Protocol::Fixed { ceiling: 3 }),
        gate(1, Protocol::Propagated),
        gate(2, Protocol::Fixed { ceiling: 3 }),
        gate(1, Protocol::Fixed { ceiling: 3 }),
        GateConfig { kind: GateKind::Mutex, ..gate(2, Protocol::Inherited) },
        gate(3, Protocol::Propagated),
    ],
    notifications: &[TURN, TURN, TURN],
    components: &[
        component(OnFault::Continue, &[to(2)]),
        component(OnFault::Continue, &[]),
        component(OnFault::Continue, BEHIND),
        component(OnFault::Restart, &[]),
    ],
    interrupts: &[],
    depth: 1,
    chain: 4,
    backlog: 0,
    time_slice: NEVER,
    cores: 1,
    levels: 5,
};

const fn seat(thread: u16, rank: u8) -> RequestSlot {
    RequestSlot { core: 0, thread: ThreadIndex(thread), rank }
}

const fn global(seats: &[RequestSlot]) -> GlobalConfig<'_> {
    GlobalConfig::of(GlobalProtocol::Mrsp, seats, 1)
}

const SHARED: CoreTables<'static> = CoreTables {
    core: 0,
    first_gate: GateIndex(2),
    first_turn: NotificationIndex(0),
    globals: &[global(&[seat(0, 1), seat(1, 3)]), global(&[])],
    seats: &[SeatIndex(0), SeatIndex(1), SeatIndex::NONE, SeatIndex::NONE],
    mailboxes: &[],
    limits: &[],
    restarts: &[],
    restart_of: &[],
};

/// Returns the number of gates that the first thread has passed.
fn depth(host: &Host) -> u8 {
    each_store!(&host.cores[0].store, store => store.threads[0].depth())
}

/// One core, whose thread 0 has asked at the first gate.
fn inside(tables: &[OneCore<'_>]) -> Host {
    let mut host = Host::under::<FixedPriority>(tables).expect("the tables are right");
    for event in [Event::Release(ThreadIndex(0), 0), Event::Invoke(0)] {
        host.handle(tables, 0, (0, event), ()).expect("nothing is refused");
    }
    host.section(tables, 0, 0, ()).expect("no mailbox");
    let outcome = host.outcome(tables, 0);
    assert_eq!(outcome.executes, Executes::Activation(GlobalIndex(0)));
    assert_eq!(outcome.delivery, Delivery::Enter(GateIndex(2)));
    host
}

#[test]
fn what_is_not_allowed_inside_is_refused() {
    let tables = [(TABLES, SHARED)];
    let refused = [
        (Event::Invoke(0), Error::InGlobal),
        (Event::Invoke(1), Error::InGlobal),
        // Its component is restarted after a fault.
        (Event::Invoke(6), Error::InGlobal),
        (Event::Wait(3), Error::InGlobal),
        (Event::Poll(3), Error::InGlobal),
        (Event::Signal(4), Error::InGlobal),
        (Event::Lock(5), Error::InGlobal),
        (Event::Unlock(5), Error::InGlobal),
        (Event::Yield, Error::InGlobal),
        (Event::Complete, Error::InGlobal),
        (Event::Abort, Error::NotStale),
        (Event::Invoke(3), Error::NoCapability),
        (Event::Invoke(9), Error::NoCapability),
    ];
    let mut host = inside(&tables);
    let before = host.clone();
    for (event, error) in refused {
        assert_eq!(host.handle(&tables, 0, (0, event), ()), Err(error), "{event:?}");
        assert_eq!(host, before, "{event:?}");
    }
    let HostCore { store: AnyStore::FixedPriority(store), home, debts, .. } = &mut host.cores[0]
    else {
        panic!("it goes by priorities");
    };
    let (one, shared) = &tables[0];
    let mut kernel = Kernel::resume(*one, store.memory(), ());
    let mut between = CoreKernel::over(&mut kernel, shared, (home, debts));
    let other = between.reprioritise(0, ThreadIndex(0), 2);
    assert_eq!(other, Err(Error::InGlobal));
    assert_eq!(host, before);
}

#[test]
fn a_propagated_gate_below_is_passed_as_deep_as_declared() {
    let tables = [(TABLES, SHARED)];
    let mut host = inside(&tables);
    host.handle(&tables, 0, (0, Event::Invoke(2)), ()).expect("it is allowed");
    host.section(&tables, 0, 0, ()).expect("no mailbox");
    assert_eq!(host.outcome(&tables, 0).delivery, Delivery::Enter(GateIndex(2)));
    assert_eq!(host.cores[0].home.inside.component, ComponentIndex(1));
    for delivery in [Delivery::Failed(Failure::Fault), Delivery::Failed(Failure::Fault)] {
        host.handle(&tables, 0, (0, Event::Fault), ()).expect("nothing is refused");
        host.section(&tables, 0, 0, ()).expect("no mailbox");
        assert_eq!(host.outcome(&tables, 0).delivery, delivery);
    }
    assert_eq!(depth(&host), 0, "the thread is at home");
    let gate = host.gates[0].gate;
    assert!(gate.first.is_none() && gate.owner.is_none() && gate.executing == NO_CORE);
}

#[test]
fn a_ceiling_that_is_too_low_is_found_out() {
    let mut gates = [TABLES.gates[0]; 6];
    gates.copy_from_slice(TABLES.gates);
    gates[2].protocol = Protocol::Fixed { ceiling: 1 };
    let tables = [(Tables { gates: &gates, ..TABLES }, SHARED)];
    let mut host = inside(&tables);
    host.handle(&tables, 0, (0, Event::Release(ThreadIndex(1), 0)), ()).expect("a job");
    host.section(&tables, 0, 0, ()).expect("no mailbox");
    assert_eq!(host.outcome(&tables, 0).executes, Executes::Thread);
    let before = host.clone();
    assert_eq!(host.handle(&tables, 0, (0, Event::Invoke(0)), ()), Err(Error::Asked));
    assert_eq!(host, before);
}

#[test]
fn tables_that_do_not_fit_are_refused() {
    let first = CoreTableError::Global(GlobalIndex(0));
    let ends = CoreTableError::Restart(RestartIndex(0));
    let restart = |component, cores| RestartConfig { component: ComponentIndex(component), cores };
    let of = |component: usize| {
        core::array::from_fn::<_, 4, _>(|at| {
            RestartIndex(if at == component { 0 } else { u16::MAX })
        })
    };
    let (of, none) = ([of(0), of(1), of(2), of(3)], of(9));
    let wrong = [
        (CoreTables { seats: &[SeatIndex(0)], ..SHARED }, CoreTableError::Count),
        (CoreTables { first_gate: GateIndex(1), ..SHARED }, first),
        (CoreTables { first_gate: GateIndex(4), ..SHARED }, first),
        (CoreTables { first_gate: GateIndex(60), ..SHARED }, first),
        (CoreTables { first_turn: NotificationIndex(3), ..SHARED }, first),
        // Seats that are another's.
        (CoreTables { core: 1, ..SHARED }, first),
        (
            CoreTables {
                seats: &[SeatIndex(1), SeatIndex(0), SeatIndex::NONE, SeatIndex::NONE],
                ..SHARED
            },
            first,
        ),
        // A component that goes on, that is none; a home that is not told; one that is not found.
        (CoreTables { restarts: &[restart(1, 3)], restart_of: &of[1], ..SHARED }, ends),
        (CoreTables { restarts: &[restart(9, 3)], restart_of: &none, ..SHARED }, ends),
        (CoreTables { restarts: &[restart(0, 6)], restart_of: &of[0], ..SHARED }, ends),
        (CoreTables { restarts: &[restart(3, 3)], restart_of: &of[2], ..SHARED }, ends),
        (CoreTables { restarts: &[restart(3, 3)], ..SHARED }, ends),
        (CoreTables { restart_of: &of[3], ..SHARED }, ends),
    ];
    for (shared, error) in wrong {
        assert_eq!(shared.check(&TABLES), Err(error), "{shared:?}");
        assert_eq!(
            Host::under::<FixedPriority>(&[(TABLES, shared)]).err(),
            Some((0, StartError::Globals(error)))
        );
    }
    let mut components = [TABLES.components[0]; 4];
    components.copy_from_slice(TABLES.components);
    components[2].on_fault = OnFault::Dead;
    let tables = Tables { components: &components, ..TABLES };
    assert_eq!(SHARED.check(&tables), Err(CoreTableError::OnFault(GlobalIndex(0))));
    // A user's core is not told.
    let (told, untold) = ([restart(2, 1)], [restart(2, 2)]);
    let with = |restarts| CoreTables { restarts, restart_of: &of[2], ..SHARED };
    let wrong = with(&untold).check(&tables);
    assert_eq!(wrong, Err(CoreTableError::OnFault(GlobalIndex(0))));
    assert_eq!(with(&told).check(&tables), Ok(()));
    assert_eq!(SHARED.check(&TABLES), Ok(()));
}
