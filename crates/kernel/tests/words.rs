//! Mutex words and budgets: waiting threads lend to adopted holders.

use fusee_kernel::{
    Budget, Capability, ComponentConfig, ComponentIndex, Event, GateConfig, GateIndex, GateKind,
    Kernel, MutexWord, MutexWords, NEVER, OnFault, Overrun, Protocol, Release, Status, Store,
    TableError, Tables, ThreadConfig, ThreadIndex,
};

const LOW: ThreadIndex = ThreadIndex(0);
const HIGH: ThreadIndex = ThreadIndex(1);
const MUTEX: GateIndex = GateIndex(0);

const fn thread(priority: u8, budget: Option<Budget>) -> ThreadConfig {
    ThreadConfig {
        component: ComponentIndex(0),
        priority,
        core: 0,
        release: Release::Sporadic { separation: 0, jitter: 0 },
        deadline: NEVER,
        budget,
    }
}

const fn mutex(protocol: Protocol) -> GateConfig {
    GateConfig { component: ComponentIndex(0), protocol, stacks: 1, kind: GateKind::Mutex }
}

const TABLES: Tables<'static> = Tables {
    threads: &[
        thread(1, Some(Budget { amount: 5, overrun: Overrun::Suspend })),
        thread(2, Some(Budget { amount: 10, overrun: Overrun::Suspend })),
    ],
    gates: &[mutex(Protocol::Inherited)],
    notifications: &[],
    components: &[ComponentConfig {
        on_fault: OnFault::Continue,
        capabilities: &[Capability::Mutex(MUTEX)],
    }],
    interrupts: &[],
    depth: 1,
    chain: 2,
    backlog: 0,
    time_slice: NEVER,
    cores: 1,
    levels: 4,
};

/// At home, where a thread holds nothing but mutexes, it borrows as it does in a gate.
#[test]
fn who_waits_lends_to_an_owner_whose_budget_has_ended() {
    let mut store = Store::<MutexWords>::start(&TABLES).expect("right tables");
    let mut kernel = Kernel::resume(TABLES, store.memory(), ());
    kernel.handle(0, Event::Release(LOW, 0)).expect("sporadic");
    // The library's store.
    kernel.set_word(MUTEX, MutexWord::of(LOW));
    kernel.handle(5, Event::Timer).expect("the end of a budget");
    assert_eq!(kernel.thread(LOW).status, Status::Suspended);
    kernel.handle(6, Event::Release(HIGH, 6)).expect("sporadic");
    let outcome = kernel.handle(7, Event::Lock(0)).expect("it waits");
    assert_eq!((outcome.thread, kernel.memory().core.payer()), (LOW, HIGH));
    assert_eq!(kernel.word(MUTEX), MutexWord::of(LOW) | MutexWord::CONTENDED);
    // Of ten ticks one was used before, and three are lent.
    let outcome = kernel.handle(10, Event::Unlock(0)).expect("it holds the mutex");
    assert_eq!((outcome.thread, kernel.memory().core.payer()), (HIGH, HIGH));
    assert_eq!((outcome.timer, kernel.word(MUTEX)), (16, MutexWord::of(HIGH)));
    assert_eq!(kernel.thread(LOW).status, Status::Suspended);
}

/// A ceiling would have to be there before the kernel knows of the owner.
#[test]
fn mutexes_with_ceilings_have_no_word() {
    let gates = [mutex(Protocol::Fixed { ceiling: 2 })];
    let tables = Tables { gates: &gates, ..TABLES };
    let refused = Store::<MutexWords>::start(&tables).map(|_| ());
    assert_eq!(refused, Err(TableError::Gate(MUTEX)));
}
