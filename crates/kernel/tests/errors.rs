//! Each operation's refusals: the error, and that nothing has changed.

use fusee_kernel::*;

const SPORADIC: Release = Release::Sporadic { separation: 0, jitter: 0 };

const fn thread(priority: u8) -> ThreadConfig {
    ThreadConfig {
        component: ComponentIndex(0),
        priority,
        core: 0,
        release: SPORADIC,
        deadline: NEVER,
        budget: None,
    }
}

const fn gate(component: u16, protocol: Protocol, stacks: u16) -> GateConfig {
    GateConfig { component: ComponentIndex(component), protocol, stacks, kind: GateKind::Interface }
}

/// Returns the gates of [`TABLES`], the third of them with another protocol.
const fn third_gate(protocol: Protocol) -> [GateConfig; 4] {
    let gates = TABLES.gates;
    [gates[0], gates[1], gate(3, protocol, 1), gates[3]]
}

const fn to(gate: u16) -> Capability {
    Capability::Gate(GateIndex(gate))
}

const fn notification(kind: NotificationKind, releases: ThreadIndex) -> NotificationConfig {
    NotificationConfig { kind, releases, initial: 0 }
}

const COUNT: Capability = Capability::Signal(NotificationIndex(0), 1);
const PERIODIC: Release = Release::Periodic { period: 10, offset: 100 };

/// Gates 0 and 1 call each other, gate 2 has one stack for many, gate 3's component dies of a
/// fault.
const TABLES: Tables<'static> = Tables {
    threads: &[thread(1), thread(2), ThreadConfig { release: PERIODIC, ..thread(3) }],
    gates: &[
        gate(1, Protocol::Inherited, 1),
        gate(2, Protocol::Inherited, 1),
        gate(3, Protocol::Propagated, 1),
        gate(4, Protocol::Fixed { ceiling: 7 }, 1),
    ],
    notifications: &[
        notification(NotificationKind::Counting { limit: 1 }, ThreadIndex::NONE),
        notification(NotificationKind::Merging, ThreadIndex(1)),
    ],
    components: &[
        ComponentConfig {
            on_fault: OnFault::Continue,
            capabilities: &[to(0), to(1), to(2), to(3), COUNT],
        },
        ComponentConfig { on_fault: OnFault::Continue, capabilities: &[to(1), to(0)] },
        ComponentConfig { on_fault: OnFault::Continue, capabilities: &[to(0)] },
        ComponentConfig { on_fault: OnFault::Continue, capabilities: &[to(2)] },
        ComponentConfig { on_fault: OnFault::Dead, capabilities: &[] },
    ],
    interrupts: &[NotificationIndex(0)],
    depth: 2,
    chain: 2,
    backlog: 1,
    time_slice: NEVER,
    cores: 1,
    levels: 8,
};

const LOW: ThreadIndex = ThreadIndex(0);
const HIGH: ThreadIndex = ThreadIndex(1);

/// Takes `events` at time 1, 2, ..., all of which must succeed, then one more that must be refused.
fn refused(events: &[Event], last: Event) -> Error {
    let mut store = Store::<FixedPriority>::new(TABLES.sizes());
    Kernel::start(TABLES, store.memory(), ()).expect("the tables are right");
    let mut kernel = Kernel::resume(TABLES, store.memory(), ());
    for (time, &event) in events.iter().enumerate() {
        kernel
            .handle(time as Time + 1, event)
            .unwrap_or_else(|error| panic!("{event:?}: {error:?}"));
    }
    let before = store.clone();
    let error = Kernel::resume(TABLES, store.memory(), ())
        .handle(50, last)
        .expect_err("it must be refused");
    assert!(store == before, "{last:?} was refused and changed something");
    error
}

const START_LOW: Event = Event::Release(LOW, 0);
const START_HIGH: Event = Event::Release(HIGH, 0);

#[test]
fn nobody_calls_on_an_idle_core() {
    for call in
        [Event::Invoke(0), Event::Return, Event::Yield, Event::Complete, Event::Fault, Event::Abort]
    {
        assert_eq!(refused(&[], call), Error::Idle);
    }
    assert_eq!(refused(&[], Event::Wait(0)), Error::Idle);
}

#[test]
fn a_slot_must_hold_the_right_kind_of_capability() {
    for call in [
        Event::Invoke(4),
        Event::Invoke(5),
        Event::Invoke(u16::MAX),
        Event::Signal(0),
        Event::Wait(4),
    ] {
        assert_eq!(refused(&[START_LOW], call), Error::NoCapability);
    }
}

#[test]
fn indices_must_exist() {
    assert_eq!(refused(&[], Event::Interrupt(1)), Error::NoSuchObject);
    assert_eq!(refused(&[], Event::Release(ThreadIndex(3), 0)), Error::NoSuchObject);
    assert_eq!(refused(&[], Event::Release(ThreadIndex::NONE, 0)), Error::NoSuchObject);
    let mut store = Store::<FixedPriority>::new(TABLES.sizes());
    let mut kernel = Kernel::start(TABLES, store.memory(), ()).unwrap();
    kernel.release(0, LOW, 0).unwrap();
    assert_eq!(kernel.invoke(1, GateIndex(4)), Err(Error::NoSuchObject));
    assert_eq!(kernel.signal(1, NotificationIndex(2), 1), Err(Error::NoSuchObject));
    assert_eq!(kernel.wait(1, NotificationIndex::NONE), Err(Error::NoSuchObject));
    assert_eq!(kernel.wait(1, NotificationIndex(1)), Err(Error::Bound));
    assert_eq!(kernel.reprioritise(1, ThreadIndex(9), 1), Err(Error::NoSuchObject));
    assert_eq!(kernel.reprioritise(1, LOW, 8), Err(Error::Priority));
}

#[test]
fn a_held_gate_is_not_entered_again() {
    assert_eq!(refused(&[START_LOW, Event::Invoke(0)], Event::Invoke(1)), Error::Reentry);
}

#[test]
fn a_circle_of_waiters_is_refused() {
    let events = [START_LOW, Event::Invoke(0), START_HIGH, Event::Invoke(1), Event::Invoke(0)];
    assert_eq!(refused(&events, Event::Invoke(0)), Error::Deadlock);
}

#[test]
fn the_invocation_stack_ends() {
    let events = [START_LOW, Event::Invoke(0), Event::Invoke(0)];
    assert_eq!(refused(&events, Event::Invoke(0)), Error::Depth);
}

#[test]
fn a_gate_may_run_out_of_stacks() {
    assert_eq!(refused(&[START_LOW, Event::Invoke(2)], Event::Invoke(0)), Error::NoStack);
}

#[test]
fn a_dead_component_is_not_entered() {
    assert_eq!(
        refused(&[START_LOW, Event::Invoke(3), Event::Fault], Event::Invoke(3)),
        Error::Dead
    );
}

#[test]
fn return_and_completion_have_their_places() {
    assert_eq!(refused(&[START_LOW], Event::Return), Error::NotInGate);
    assert_eq!(refused(&[START_LOW, Event::Invoke(0)], Event::Complete), Error::InGate);
    assert_eq!(refused(&[START_LOW], Event::Abort), Error::NotStale);
}

#[test]
fn counts_and_releases_have_limits() {
    assert_eq!(refused(&[START_LOW, Event::Signal(4)], Event::Signal(4)), Error::CountFull);
    assert_eq!(refused(&[Event::Interrupt(0)], Event::Interrupt(0)), Error::CountFull);
    assert_eq!(refused(&[], Event::Release(ThreadIndex(2), 0)), Error::NotSporadic);
}

#[test]
fn wrong_tables_do_not_start() {
    let start = |tables: Tables<'static>| {
        let mut store = Store::<FixedPriority>::new(tables.sizes());
        Kernel::start(tables, store.memory(), ()).map(|_| ()).expect_err("the tables are wrong")
    };
    let gate_of = |gate| Tables { gates: gate, ..TABLES };
    assert_eq!(start(Tables { cores: 0, ..TABLES }), TableError::Count);
    assert_eq!(start(Tables { time_slice: 0, ..TABLES }), TableError::Count);
    assert_eq!(start(Tables { backlog: 32_768, ..TABLES }), TableError::Count);
    const SILENT: ComponentConfig<'_> = ComponentConfig {
        on_fault: OnFault::Continue,
        capabilities: &[Capability::Signal(NotificationIndex(0), 0)],
    };
    let silent = Tables { components: &[SILENT; 5], ..TABLES };
    assert_eq!(start(silent), TableError::Component(ComponentIndex(0)));
    assert_eq!(start(Tables { levels: 3, ..TABLES }), TableError::Thread(ThreadIndex(2)));
    assert_eq!(start(Tables { components: &[], ..TABLES }), TableError::Thread(LOW));
    assert_eq!(
        start(gate_of(const { &[gate(1, Protocol::Fifo, 2)] })),
        TableError::Gate(GateIndex(0))
    );
    assert_eq!(
        start(gate_of(const { &[gate(1, Protocol::Fixed { ceiling: 8 }, 1)] })),
        TableError::Gate(GateIndex(0))
    );
    assert_eq!(
        start(gate_of(const { &[gate(5, Protocol::Fifo, 1)] })),
        TableError::Gate(GateIndex(0))
    );
    // What only earliest deadline has.
    let third = TableError::Gate(GateIndex(2));
    assert_eq!(start(gate_of(const { &third_gate(Protocol::Srp { ceiling: 1 }) })), third);
    assert_eq!(start(gate_of(const { &third_gate(Protocol::NonPreemptive) })), third);
    assert_eq!(start(gate_of(&[])), TableError::Component(ComponentIndex(0)));
    assert_eq!(
        start(Tables { notifications: &[], ..TABLES }),
        TableError::Component(ComponentIndex(0))
    );
    assert_eq!(
        start(Tables { interrupts: &[NotificationIndex(9)], ..TABLES }),
        TableError::Interrupt(0)
    );
    let mut store = Store::<FixedPriority>::new(TABLES.sizes());
    store.gates.pop();
    assert_eq!(Kernel::start(TABLES, store.memory(), ()).map(|_| ()), Err(TableError::Memory));
}
