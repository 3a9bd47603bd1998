//! Temporal capabilities by example: the article's figures, exact.

use fusee_kernel::tcaps::{
    AccountConfig, Delegation, Dispatch, Dispatcher, EndPointConfig, Error, Funding, Principal,
    Priority, Quality, SchedulerConfig, SchedulerEvent, Standing, Store, TableError, Tables,
    Transfer, Waited,
};
use fusee_kernel::{AccountIndex, NEVER, SchedulerIndex, ThreadIndex, Time};

const NO_ONE: SchedulerIndex = SchedulerIndex::NONE;

fn chronos() -> AccountConfig {
    let funding = Funding::Kernel { level: 0, amount: NEVER };
    AccountConfig { scheduler: SchedulerIndex(0), priority: 0, funding }
}

fn delegated(scheduler: u16, priority: Priority) -> AccountConfig {
    let funding = Funding::Delegated { limit: 1_000 };
    AccountConfig { scheduler: SchedulerIndex(scheduler), priority, funding }
}

fn thread(scheduler: u16, account: u16) -> EndPointConfig {
    EndPointConfig { scheduler: SchedulerIndex(scheduler), account: AccountIndex(account) }
}

/// Chronos and so many children, each with an account, whose principals are 1, 2, 3...
struct Family {
    accounts: Vec<AccountConfig>,
    schedulers: Vec<SchedulerConfig>,
    end_points: Vec<EndPointConfig>,
}

impl Family {
    fn of(children: u16) -> Self {
        let mut family = Family {
            accounts: vec![chronos()],
            schedulers: Vec::new(),
            end_points: vec![EndPointConfig { scheduler: NO_ONE, account: AccountIndex(0) }],
        };
        family.scheduler(0, NO_ONE);
        for child in 1..=children {
            family.accounts.push(delegated(child, 1));
            family.end_points.push(thread(0, child));
            family.scheduler(child, SchedulerIndex(0));
        }
        family
    }

    fn scheduler(&mut self, number: u16, parent: SchedulerIndex) {
        let (thread, principal) = (ThreadIndex(number), Principal(number));
        self.schedulers.push(SchedulerConfig { thread, principal, parent });
    }

    fn tables(&self) -> Tables<'_> {
        let Family { accounts, schedulers, end_points } = self;
        Tables { accounts, schedulers, end_points, interrupts: &[] }
    }
}

fn gives(from: u16, to: u16, amount: Time, priority: Priority) -> Delegation {
    Delegation { from: AccountIndex(from), to: ThreadIndex(to), amount, priority }
}

fn dispatch(thread: u16, account: u16, token: u32) -> Dispatch {
    let (thread, account) = (ThreadIndex(thread), AccountIndex(account));
    Dispatch { thread, account, priority: None, timeout: NEVER, token }
}

/// Chronos hears of everything that there is to tell, and dispatches a child.
fn switch_to(dispatcher: &mut Dispatcher<'_>, child: u16, token: u32) {
    while dispatcher.memory().schedulers[0].events.first().is_some() {
        assert!(matches!(dispatcher.wait(0), Ok(Waited::Event(_))));
    }
    let to = Dispatch { timeout: 1, ..dispatch(child, child, token) };
    // Chronos pays: the child's own budget is for what the figure shows.
    let to = Dispatch { account: AccountIndex(0), ..to };
    dispatcher.dispatch(0, to).expect("the child is ready");
    assert_eq!(dispatcher.running(), ThreadIndex(child));
}

/// The running thread has nothing to do, and Chronos has control.
fn sleep(dispatcher: &mut Dispatcher<'_>) {
    while dispatcher.wait(0) != Ok(Waited::Blocked) {}
    assert_eq!(dispatcher.running(), ThreadIndex(0));
}

/// Returns which account may preempt which: rows preempt columns.
fn matrix(dispatcher: &Dispatcher<'_>, accounts: [u16; 5]) -> [String; 5] {
    accounts.map(|row| {
        let preempts = |column: u16| {
            let (row, column) = (AccountIndex(row), AccountIndex(column));
            if dispatcher.may_preempt(0, row, column) { '1' } else { '0' }
        };
        accounts.map(preempts).iter().collect()
    })
}

fn holds(dispatcher: &Dispatcher<'_>, account: u16) -> (Time, Vec<(u16, Priority)>) {
    let state = dispatcher.memory().accounts[usize::from(account)];
    let entries = state.quality.entries().iter();
    let entries = entries.map(|entry| (entry.principal.0, entry.priority)).collect();
    (state.funds.budget, entries)
}

/// The parent p is Chronos; h, m and l are its children; t1m is another account of m's, for a
/// thread of m's.
#[test]
fn figure_two_is_exact_in_all_three_steps() {
    let (p, h, m, l, t1m) = (0, 1, 2, 3, 4);
    let mut family = Family::of(3);
    family.accounts.push(delegated(m, 1));
    family.end_points.push(thread(m, t1m));
    let tables = family.tables();
    let mut store = Store::start(&tables).expect("right tables");
    let mut dispatcher = store.dispatcher(&tables);
    let all = [p, h, m, t1m, l];

    dispatcher.delegate(0, gives(p, l, 30, 3)).expect("to l");
    dispatcher.delegate(0, gives(p, m, 20, 2)).expect("to m");
    dispatcher.delegate(0, gives(p, h, 10, 1)).expect("to h");
    assert_eq!(holds(&dispatcher, l), (30, vec![(p, 3), (l, 1)]));
    assert_eq!(holds(&dispatcher, m), (20, vec![(p, 2), (m, 1)]));
    assert_eq!(holds(&dispatcher, h), (10, vec![(p, 1), (h, 1)]));
    assert_eq!(holds(&dispatcher, t1m), (0, vec![(m, 1)]));
    assert_eq!(matrix(&dispatcher, all), ["11111", "01111", "00111", "00000", "00011"]);

    switch_to(&mut dispatcher, h, 1);
    dispatcher.delegate(0, gives(h, t1m, 4, 0)).expect("to t1m");
    assert_eq!(holds(&dispatcher, h), (6, vec![(p, 1), (h, 1)]));
    assert_eq!(holds(&dispatcher, t1m), (4, vec![(p, 1), (h, 0), (m, 1)]));
    assert_eq!(matrix(&dispatcher, all), ["11111", "01101", "00101", "01111", "00001"]);

    // All of the receiver's time is degraded, whoever gave it.
    sleep(&mut dispatcher);
    switch_to(&mut dispatcher, l, 2);
    dispatcher.delegate(0, gives(l, t1m, 6, 2)).expect("to t1m");
    assert_eq!(holds(&dispatcher, l), (24, vec![(p, 3), (l, 1)]));
    assert_eq!(holds(&dispatcher, t1m), (10, vec![(p, 3), (h, 0), (m, 1), (l, 2)]));
    assert_eq!(matrix(&dispatcher, all), ["11111", "01101", "00111", "00010", "00011"]);
}

/// Figure 4 of the article: two subsystems have 3 and 5 of every 8, and none preempts.
#[test]
fn the_separation_kernel_gives_each_its_share_of_every_period() {
    let family = Family::of(2);
    let tables = family.tables();
    let mut store = Store::start(&tables).expect("right tables");
    let mut dispatcher = store.dispatcher(&tables);
    let (mut ran, mut now) = (Vec::new(), 0);
    while ran.len() < 80 {
        if dispatcher.running() == ThreadIndex(0) {
            dispatcher.delegate(now, gives(0, 1, 3, 2)).expect("to the first");
            dispatcher.delegate_and_yield(now, gives(0, 2, 5, 1)).expect("to the second");
        }
        ran.push(dispatcher.running().0);
        now += 1;
        if dispatcher.next_timer() == now {
            dispatcher.timer(now);
        }
    }
    for period in ran.chunks(8) {
        assert_eq!(period, [2, 2, 2, 2, 2, 1, 1, 1]);
    }
}

/// The root's own entry and that of the receiver take two places of sixteen.
#[test]
fn the_fifteenth_foreign_delegator_is_refused_and_nothing_changes() {
    let mut family = Family::of(16);
    family.end_points.push(thread(16, 17));
    family.accounts.push(delegated(16, 1));
    let tables = family.tables();
    let mut store = Store::start(&tables).expect("right tables");
    for child in 1..=15 {
        let mut dispatcher = store.dispatcher(&tables);
        dispatcher.delegate(0, gives(0, child, 5, 1)).expect("the child gets time");
        switch_to(&mut dispatcher, child, u32::from(child));
        if child < 15 {
            dispatcher.delegate(0, gives(child, 17, 1, 1)).expect("there is a place");
            sleep(&mut dispatcher);
        }
    }
    let before = store.clone();
    let refused = store.dispatcher(&tables).delegate(0, gives(15, 17, 1, 1));
    assert_eq!(refused, Err(Error::Entries));
    assert_eq!(store, before);
    assert_eq!(before.accounts[17].quality.entries().len(), 16);
}

/// Time that comes back keeps the taint of where it was.
#[test]
fn time_that_comes_back_is_no_better_than_it_went() {
    let family = Family::of(2);
    let tables = family.tables();
    let mut store = Store::start(&tables).expect("right tables");
    let mut dispatcher = store.dispatcher(&tables);
    dispatcher.delegate(0, gives(0, 1, 5, 1)).expect("to the first");
    dispatcher.delegate(0, gives(0, 2, 5, 4)).expect("to the second");
    switch_to(&mut dispatcher, 2, 1);
    dispatcher.delegate(0, gives(2, 1, 1, 3)).expect("from the second to the first");
    assert_eq!(holds(&dispatcher, 1), (6, vec![(0, 4), (1, 1), (2, 3)]));
    sleep(&mut dispatcher);
    switch_to(&mut dispatcher, 1, 2);
    dispatcher.delegate(0, gives(1, 2, 1, 0)).expect("and back");
    assert_eq!(holds(&dispatcher, 2), (5, vec![(0, 4), (1, 0), (2, 1)]), "its own entry stays");
}

/// Merging is a union by the worse: in any order, and once or twice.
#[test]
fn merging_is_commutative_associative_and_idempotent() {
    let mut state = 1_u64;
    let mut draw = |n: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let mut quality = || {
        (0..draw(5)).fold(Quality::NONE, |quality, _| {
            let one = Quality::of(Principal(draw(12) as u16), draw(4));
            quality.worse(&one).expect("few entries")
        })
    };
    for _ in 0..20_000 {
        let (a, b, c) = (quality(), quality(), quality());
        let merge = |a: &Quality, b: &Quality| a.worse(b).expect("few entries");
        assert_eq!(merge(&a, &b), merge(&b, &a));
        assert_eq!(merge(&merge(&a, &b), &c), merge(&a, &merge(&b, &c)));
        assert_eq!(merge(&a, &a), a);
        assert!(!a.entries().is_empty() || a.agrees(&b), "nobody disagrees");
    }
}

/// Two of three disagree with the third about which is better than which, so nothing is sorted by
/// it.
#[test]
fn preemption_is_not_transitive() {
    let of = |entries: &[(u16, Priority)]| {
        entries.iter().fold(Quality::NONE, |quality, (who, what)| {
            quality.worse(&Quality::of(Principal(*who), *what)).expect("few entries")
        })
    };
    let (a, b, c) = (of(&[(0, 1), (1, 5)]), of(&[(0, 1)]), of(&[(0, 1), (1, 2)]));
    assert!(a.agrees(&b) && b.agrees(&c) && !a.agrees(&c));
}

/// A cycle at a bad priority degrades all: one receiving account for each delegator.
#[test]
fn receiving_worsens_the_receiver() {
    let mut family = Family::of(2);
    family.accounts.push(delegated(1, 1));
    family.end_points.push(thread(1, 3));
    let tables = family.tables();
    let mut store = Store::start(&tables).expect("right tables");
    let mut dispatcher = store.dispatcher(&tables);
    dispatcher.delegate(0, gives(0, 3, 100, 1)).expect("time at 1");
    dispatcher.delegate(0, gives(0, 2, 10, 2)).expect("time at 2");
    assert!(dispatcher.may_preempt(0, AccountIndex(3), AccountIndex(2)));
    dispatcher.delegate(0, gives(0, 3, 1, 7)).expect("one cycle at 7");
    assert!(!dispatcher.may_preempt(0, AccountIndex(3), AccountIndex(2)));
}

/// A thread that waits when something was sent goes on; one that something is sent to while it
/// waits is ready.
#[test]
fn a_send_before_a_wait_and_after_it_leave_the_same() {
    let family = Family::of(1);
    let tables = family.tables();
    let mut start = Store::start(&tables).expect("right tables");
    let mut dispatcher = start.dispatcher(&tables);
    dispatcher.delegate_and_yield(0, gives(0, 1, 5, 0)).expect("to the child");
    let (mut before, mut after) = (start.clone(), start);
    before.dispatcher(&tables).send(0, ThreadIndex(1)).expect("to itself");
    assert_eq!(before.dispatcher(&tables).wait(0), Ok(Waited::Pending));
    assert_eq!(after.dispatcher(&tables).wait(0), Ok(Waited::Blocked));
    after.dispatcher(&tables).send(0, ThreadIndex(1)).expect("by Chronos");
    for store in [before, after] {
        let child = store.end_points[1];
        let ready = matches!(child.standing, Standing::Activated | Standing::Stopped);
        assert!(ready && !child.pending, "{child:?}");
    }
}

/// A time-out ends the thread that was dispatched, and the one that it has dispatched in turn.
#[test]
fn a_timeout_takes_control_back_through_all_schedulers_below() {
    let mut family = Family::of(1);
    family.accounts.push(delegated(1, 1));
    family.end_points.push(thread(1, 2));
    let tables = family.tables();
    let mut store = Store::start(&tables).expect("right tables");
    let mut dispatcher = store.dispatcher(&tables);
    dispatcher.delegate(0, gives(0, 1, 20, 1)).expect("to the child");
    assert!(matches!(dispatcher.wait(0), Ok(Waited::Event(_))));
    let child = Dispatch { timeout: 7, ..dispatch(1, 0, 1) };
    dispatcher.dispatch(0, child).expect("the child is ready");
    dispatcher.delegate_and_yield(2, gives(1, 2, 10, 1)).expect("to its thread");
    assert_eq!((dispatcher.running(), dispatcher.next_timer()), (ThreadIndex(2), 7));
    dispatcher.timer(7);
    assert_eq!(dispatcher.running(), ThreadIndex(0));
    let standing = [1, 2].map(|thread| dispatcher.memory().end_points[thread].standing);
    assert_eq!(standing, [Standing::Stopped; 2]);
    let event = SchedulerEvent { thread: ThreadIndex(1), cycles: 2, blocked: false };
    assert_eq!(dispatcher.wait(7), Ok(Waited::Event(event)));
    assert_eq!((holds(&dispatcher, 1).0, holds(&dispatcher, 2).0), (10, 5));
    let late = Dispatch { timeout: 7, ..dispatch(1, 0, 2) };
    assert_eq!(dispatcher.dispatch(7, late), Err(Error::Past));
    assert_eq!(dispatcher.dispatch(7, dispatch(1, 0, 1)), Err(Error::Stale));
    assert_eq!(dispatcher.dispatch(7, dispatch(1, 0, 2)), Ok(()));
}

/// Whatever a scheduler names, it gets an error for it, and nothing changes.
#[test]
fn what_does_not_exist_is_refused() {
    let family = Family::of(1);
    let tables = family.tables();
    let mut store = Store::start(&tables).expect("right tables");
    let before = store.clone();
    let mut dispatcher = store.dispatcher(&tables);
    for far in [2, 32_766, u16::MAX] {
        let refused = Err(Error::NoSuchObject);
        assert_eq!(dispatcher.send(0, ThreadIndex(far)), refused);
        assert_eq!(dispatcher.interrupt(0, far), refused);
        assert_eq!(dispatcher.refill(0, AccountIndex(far)), refused);
        assert_eq!(dispatcher.delegate(0, gives(far, 1, 1, 1)), refused);
        assert_eq!(dispatcher.delegate(0, gives(0, far, 1, 1)), refused);
        assert_eq!(dispatcher.delegate_and_yield(0, gives(0, far, 1, 1)), refused);
        assert_eq!(dispatcher.dispatch(0, dispatch(far, 0, 1)), refused);
        assert_eq!(dispatcher.dispatch(0, dispatch(1, far, 1)), refused);
        let (from, to) = (AccountIndex(0), AccountIndex(far));
        let transfer = Transfer { from, to, amount: 1, priority: 1 };
        assert_eq!(dispatcher.transfer(0, transfer), refused);
    }
    // What is infinite can give more than can be counted.
    for amount in [0, 1_001, NEVER - 1, NEVER] {
        let refused = dispatcher.delegate(0, gives(0, 1, amount, 1));
        assert_eq!(refused, Err(if amount == 0 { Error::Budget } else { Error::Limit }));
    }
    assert_eq!(store, before);
}

#[test]
fn wrong_tables_are_refused() {
    let start = |family: &Family| Store::start(&family.tables()).map(|_| ());
    let mut family = Family::of(1);
    assert_eq!(start(&family), Ok(()));
    family.accounts[1].funding = Funding::Delegated { limit: 0 };
    assert_eq!(start(&family), Err(TableError::Account(AccountIndex(1))));
    family = Family::of(1);
    family.end_points[1].account = AccountIndex(0);
    assert_eq!(start(&family), Err(TableError::EndPoint(ThreadIndex(0))));
    family = Family::of(1);
    family.schedulers[1].principal = Principal(0);
    assert_eq!(start(&family), Err(TableError::Scheduler(SchedulerIndex(1))));
    family = Family::of(1);
    family.schedulers[1].parent = SchedulerIndex(1);
    assert_eq!(start(&family), Err(TableError::Scheduler(SchedulerIndex(1))));
    let family = Family::of(1);
    let tables = Tables { interrupts: &[ThreadIndex(9)], ..family.tables() };
    assert_eq!(Store::start(&tables).map(|_| ()), Err(TableError::Interrupt(0)));
    let mut store = Store::start(&family.tables()).expect("right tables");
    store.funded.pop();
    let started = Dispatcher::start(family.tables(), store.memory()).map(|_| ());
    assert_eq!(started, Err(TableError::Memory));
}
