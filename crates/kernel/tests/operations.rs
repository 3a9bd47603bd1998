//! The operations by example, on memory made of vectors.

use fusee_kernel::*;

const SPORADIC: Release = Release::Sporadic { separation: 0, jitter: 0 };

fn thread(priority: u8) -> ThreadConfig {
    ThreadConfig {
        component: ComponentIndex(0),
        priority,
        core: 0,
        release: SPORADIC,
        deadline: NEVER,
        budget: None,
    }
}

fn gate(protocol: Protocol) -> GateConfig {
    GateConfig {
        component: ComponentIndex(1),
        protocol,
        stacks: if protocol.is_exclusive() { 1 } else { 3 },
        kind: GateKind::Interface,
    }
}

const COMPONENTS: [ComponentConfig<'_>; 2] =
    [ComponentConfig { on_fault: OnFault::Continue, capabilities: &[] }; 2];

fn tables<'t>(threads: &'t [ThreadConfig], gates: &'t [GateConfig]) -> Tables<'t> {
    Tables {
        threads,
        gates,
        notifications: &[],
        components: &COMPONENTS,
        interrupts: &[],
        depth: 3,
        chain: 3,
        backlog: 2,
        time_slice: NEVER,
        cores: 1,
        levels: 256,
    }
}

#[test]
fn a_chain_of_holders_is_followed_to_its_end_though_each_nests_less() {
    let (threads, gates) = ([1, 2, 3, 4, 5].map(thread), [gate(Protocol::Inherited); 4]);
    let tables = Tables { depth: 2, chain: 4, ..tables(&threads, &gates) };
    let mut store = Store::<FixedPriority>::new(tables.sizes());
    let mut kernel = Kernel::start(tables, store.memory(), ()).unwrap();
    let lowest = ThreadIndex(0);
    kernel.release(0, lowest, 0).unwrap();
    kernel.invoke(1, GateIndex(3)).unwrap();
    // Each holds one gate and waits at the next, so that the lowest runs again.
    for (thread, gate) in [(1, 2), (2, 1), (3, 0)] {
        let now = 10 * u64::from(thread);
        assert_eq!(
            kernel.release(now, ThreadIndex(thread), now).unwrap().thread,
            ThreadIndex(thread)
        );
        kernel.invoke(now + 1, GateIndex(gate)).unwrap();
        assert_eq!(kernel.invoke(now + 2, GateIndex(gate + 1)).unwrap().thread, lowest);
    }
    kernel.release(40, ThreadIndex(4), 40).unwrap();
    assert_eq!(kernel.invoke(41, GateIndex(0)).unwrap().thread, lowest, "four gates further");
    assert_eq!(kernel.thread(lowest).effective, 5);
    // One who is inside the last gate and asks for the first is found at the end of the chain.
    assert_eq!(kernel.invoke(42, GateIndex(0)), Err(Error::Deadlock));
}

#[test]
fn who_gets_a_gate_inside_another_goes_before_its_equals() {
    let (threads, gates) =
        ([1, 2, 3].map(thread), [gate(Protocol::Fixed { ceiling: 3 }), gate(Protocol::Inherited)]);
    let mut store = Store::<FixedPriority>::new(tables(&threads, &gates).sizes());
    let mut kernel = Kernel::start(tables(&threads, &gates), store.memory(), ()).unwrap();
    let [low, middle, high] = [ThreadIndex(0), ThreadIndex(1), ThreadIndex(2)];
    let [fixed, inherited] = [GateIndex(0), GateIndex(1)];
    kernel.release(0, low, 0).unwrap();
    kernel.invoke(1, inherited).unwrap();
    kernel.release(2, middle, 2).unwrap();
    kernel.invoke(3, fixed).unwrap();
    assert_eq!(kernel.invoke(4, inherited).unwrap().thread, low);
    assert_eq!(
        kernel.release(5, high, 5).unwrap().thread,
        low,
        "which is as urgent as the fixed gate makes its holder"
    );
    let outcome = kernel.return_(6).unwrap();
    assert_eq!((outcome.thread, outcome.delivery), (middle, Delivery::Enter(inherited)));
    kernel.return_(7).unwrap();
    assert_eq!(kernel.return_(8).unwrap().thread, high, "never found the gate held");
    assert_eq!(kernel.invoke(9, fixed).unwrap().thread, high);
}

#[test]
fn a_waiter_boosts_the_holder_through_two_gates_and_gets_the_gate_at_once() {
    let (threads, gates) = ([thread(1), thread(2), thread(3)], [gate(Protocol::Inherited); 2]);
    let mut store = Store::<FixedPriority>::new(tables(&threads, &gates).sizes());
    let mut kernel = Kernel::start(tables(&threads, &gates), store.memory(), ()).unwrap();
    let [low, middle, high] = [ThreadIndex(0), ThreadIndex(1), ThreadIndex(2)];
    let [outer, inner] = [GateIndex(0), GateIndex(1)];

    assert_eq!(kernel.release(0, low, 0).unwrap().delivery, Delivery::Start);
    assert_eq!(kernel.invoke(1, inner).unwrap().delivery, Delivery::Enter(inner));
    assert_eq!(kernel.release(2, middle, 2).unwrap().thread, middle);
    kernel.invoke(3, outer).unwrap();
    assert_eq!(kernel.invoke(4, inner).unwrap().thread, low);
    assert_eq!(kernel.thread(low).effective, 2);
    kernel.release(5, high, 5).unwrap();
    assert_eq!(
        kernel.invoke(6, outer).unwrap().thread,
        low,
        "high waits for middle, which waits for low"
    );
    assert_eq!(kernel.thread(low).effective, 3);
    assert_eq!(kernel.thread(middle).effective, 3);

    let outcome = kernel.return_(7).unwrap();
    assert_eq!((outcome.thread, outcome.delivery), (middle, Delivery::Enter(inner)));
    assert_eq!(kernel.thread(low).effective, 1);
    assert_eq!(kernel.return_(8).unwrap().thread, middle);
    let outcome = kernel.return_(9).unwrap();
    assert_eq!((outcome.thread, outcome.delivery), (high, Delivery::Enter(outer)));
    assert_eq!(kernel.thread(middle).effective, 2);
}

/// Records of one kind, as (time, thread, object, value).
struct Log(Vec<Record>);

impl Sink for Log {
    fn record(&mut self, record: Record) {
        self.0.push(record);
    }
}

impl Log {
    fn of(&self, kind: Kind) -> Vec<(Time, u16, u64)> {
        let some = self.0.iter().filter(|record| record.kind == kind);
        some.map(|record| (record.time, record.thread.0, record.value)).collect()
    }
}

fn run(
    threads: &[ThreadConfig],
    gates: &[GateConfig],
    story: impl FnOnce(&mut Kernel<'_, FixedPriority, Log>),
) -> Log {
    told(tables(threads, gates), story)
}

fn told(tables: Tables<'_>, story: impl FnOnce(&mut Kernel<'_, FixedPriority, Log>)) -> Log {
    let mut store = Store::<FixedPriority>::new(tables.sizes());
    let mut kernel =
        Kernel::start(tables, store.memory(), Log(Vec::new())).expect("the tables are right");
    story(&mut kernel);
    std::mem::replace(kernel.sink(), Log(Vec::new()))
}

const T0: ThreadIndex = ThreadIndex(0);
const T1: ThreadIndex = ThreadIndex(1);
const T2: ThreadIndex = ThreadIndex(2);
const G0: GateIndex = GateIndex(0);

#[test]
fn a_ceiling_counts_from_entry_to_exit() {
    let gates = [gate(Protocol::Fixed { ceiling: 9 })];
    run(&[thread(1), thread(8)], &gates, |kernel| {
        kernel.release(0, T0, 0).unwrap();
        kernel.invoke(1, G0).unwrap();
        assert_eq!(
            kernel.release(2, T1, 2).unwrap().thread,
            T0,
            "8 does not preempt the ceiling of 9"
        );
        let outcome = kernel.return_(3).unwrap();
        assert_eq!((outcome.thread, outcome.delivery), (T1, Delivery::Start));
        let outcome = kernel.complete(4).unwrap();
        assert_eq!(
            (outcome.thread, outcome.delivery),
            (T0, Delivery::Return),
            "what it returned to is not lost"
        );
    });
}

#[test]
fn fifo_keeps_the_order_of_arrival_and_boosts_nobody() {
    run(&[thread(1), thread(2), thread(3)], &[gate(Protocol::Fifo)], |kernel| {
        kernel.release(0, T0, 0).unwrap();
        kernel.invoke(0, G0).unwrap();
        for (time, waiter) in [(1, T1), (2, T2)] {
            kernel.release(time, waiter, time).unwrap();
            assert_eq!(kernel.invoke(time, G0).unwrap().thread, T0);
        }
        assert_eq!(kernel.thread(T0).effective, 1);
        assert_eq!(kernel.return_(3).unwrap().thread, T1, "it came before the higher T2");
    });
}

#[test]
fn a_preempted_thread_goes_first_and_a_released_one_last_among_equals() {
    run(&[thread(1), thread(1), thread(2)], &[], |kernel| {
        kernel.release(0, T0, 0).unwrap();
        kernel.release(1, T1, 1).unwrap();
        assert_eq!(kernel.release(2, T2, 2).unwrap().thread, T2);
        assert_eq!(kernel.complete(3).unwrap().thread, T0);
        assert_eq!(kernel.yield_(4).unwrap().thread, T1);
        assert_eq!(kernel.yield_(5).unwrap().thread, T0);
        assert_eq!(kernel.complete(6).unwrap().thread, T1);
        assert_eq!(kernel.complete(7).unwrap().thread, ThreadIndex::NONE);
    });
}

#[test]
fn periodic_jobs_queue_are_lost_and_miss_their_deadlines() {
    let periodic = ThreadConfig {
        release: Release::Periodic { period: 10, offset: 5 },
        deadline: 8,
        ..thread(1)
    };
    let log = run(&[periodic], &[], |kernel| {
        assert_eq!(kernel.next_timer(), 5);
        assert_eq!(kernel.timer(4).thread, ThreadIndex::NONE, "too early changes nothing");
        for time in [5, 15, 25, 35] {
            assert_eq!(kernel.timer(time).timer, time + 10);
        }
        assert_eq!(kernel.complete(36).unwrap().delivery, Delivery::Start);
        assert_eq!(kernel.complete(37).unwrap().delivery, Delivery::Start);
        assert_eq!(kernel.complete(38).unwrap().thread, ThreadIndex::NONE);
    });
    assert_eq!(
        log.of(Kind::Release).iter().map(|&(_, _, nominal)| nominal).collect::<Vec<_>>(),
        [5, 15, 25, 35]
    );
    assert_eq!(log.of(Kind::Queue), [(15, 0, 1), (25, 0, 2)]);
    assert_eq!(log.of(Kind::Lose), [(35, 0, 0)]);
    assert_eq!(log.of(Kind::Miss), [(15, 0, 13), (37, 0, 23), (38, 0, 33)]);
    assert_eq!(log.of(Kind::Complete), [(36, 0, 31), (37, 0, 22), (38, 0, 13)]);
}

#[test]
fn early_sporadic_arrivals_are_deferred_to_the_earliest_legal_instant() {
    let sporadic =
        ThreadConfig { release: Release::Sporadic { separation: 10, jitter: 0 }, ..thread(1) };
    let log = run(&[sporadic], &[], |kernel| {
        kernel.release(3, T0, 3).unwrap();
        kernel.complete(4).unwrap();
        assert_eq!(kernel.release(5, T0, 5).unwrap().timer, 13);
        kernel.release(6, T0, 6).unwrap();
        kernel.release(7, T0, 7).unwrap();
        assert_eq!(kernel.timer(13).delivery, Delivery::Start);
        assert_eq!(kernel.complete(14).unwrap().timer, 23);
        assert_eq!(kernel.timer(23).timer, NEVER);
    });
    assert_eq!(log.of(Kind::Release), [(3, 0, 3), (13, 0, 13), (23, 0, 23)]);
    assert_eq!(log.of(Kind::Defer), [(5, 0, 13), (6, 0, 13)]);
    assert_eq!(log.of(Kind::Lose).len(), 1);
}

#[test]
fn simultaneous_releases_take_one_timer_event_each() {
    let at = |priority| ThreadConfig {
        release: Release::Periodic { period: 10, offset: 0 },
        ..thread(priority)
    };
    run(&[at(1), at(2), at(3)], &[], |kernel| {
        let outcomes: Vec<_> = (0..3)
            .map(|_| kernel.timer(0))
            .map(|outcome| (outcome.thread, outcome.timer))
            .collect();
        assert_eq!(outcomes, [(T0, 0), (T1, 0), (T2, 10)]);
    });
}

fn limited(priority: u8, amount: Time, overrun: Overrun) -> ThreadConfig {
    ThreadConfig { budget: Some(Budget { amount, overrun }), ..thread(priority) }
}

#[test]
fn a_spent_budget_suspends_until_the_next_release() {
    let log = run(&[limited(2, 5, Overrun::Suspend), thread(1)], &[], |kernel| {
        kernel.release(0, T1, 0).unwrap();
        assert_eq!(kernel.release(10, T0, 10).unwrap().timer, 15);
        assert_eq!(kernel.timer(15).thread, T1);
        assert_eq!(kernel.thread(T0).status, Status::Suspended);
        let outcome = kernel.release(20, T0, 20).unwrap();
        assert_eq!((outcome.thread, outcome.delivery, outcome.timer), (T0, Delivery::None, 25));
        assert_eq!(
            kernel.complete(22).unwrap().delivery,
            Delivery::Start,
            "the backlog goes on with what is left"
        );
        assert_eq!(kernel.next_timer(), 25);
    });
    assert_eq!(log.of(Kind::Suspend), [(15, 0, 0)]);
}

#[test]
fn a_waiter_lends_its_budget_to_the_holder() {
    let threads = [limited(1, 5, Overrun::Suspend), limited(2, 4, Overrun::Suspend), thread(3)];
    let log = run(&threads, &[gate(Protocol::Inherited)], |kernel| {
        kernel.release(0, T0, 0).unwrap();
        kernel.invoke(0, G0).unwrap();
        assert_eq!(kernel.timer(5).thread, ThreadIndex::NONE, "nobody waits, nobody lends");
        kernel.release(6, T1, 6).unwrap();
        let outcome = kernel.invoke(7, G0).unwrap();
        assert_eq!((outcome.thread, outcome.timer), (T0, 10), "T1 has 3 of 4 left to lend");
        assert_eq!(kernel.timer(10).thread, ThreadIndex::NONE, "the lender has no more");
        assert_eq!(kernel.thread(T0).debt, 3);
        kernel.release(11, T2, 11).unwrap();
        assert_eq!(kernel.invoke(12, G0).unwrap().timer, NEVER, "T2 has no limit");
        assert_eq!(kernel.return_(20).unwrap().thread, T2);
        assert_eq!(kernel.thread(T0).debt, 11);
        assert_eq!(kernel.thread(T0).status, Status::Suspended);
    });
    assert_eq!(log.of(Kind::Lend).len(), 2);
}

#[test]
fn an_overrun_is_signalled_once_in_a_release() {
    let notifications = [NotificationConfig {
        kind: NotificationKind::Merging,
        releases: ThreadIndex(1),
        initial: 0,
    }];
    let threads = [limited(1, 5, Overrun::Notify(NotificationIndex(0))), thread(2)];
    let log = told(Tables { notifications: &notifications, ..tables(&threads, &[]) }, |kernel| {
        kernel.release(0, T0, 0).unwrap();
        assert_eq!(kernel.timer(5).thread, T1, "the thread bound to the notification is released");
        assert_eq!(kernel.complete(6).unwrap().thread, T0);
        assert_eq!(kernel.next_timer(), NEVER);
    });
    assert_eq!(log.of(Kind::Overrun), [(5, 0, 0)]);
}

#[test]
fn equals_take_turns_in_time_slices() {
    let threads = [thread(1), thread(1)];
    let log = told(Tables { time_slice: 10, ..tables(&threads, &[]) }, |kernel| {
        kernel.release(0, T0, 0).unwrap();
        kernel.release(4, T1, 4).unwrap();
        assert_eq!(kernel.timer(10).thread, T1);
        assert_eq!(kernel.timer(20).thread, T0);
        assert_eq!(kernel.complete(25).unwrap().thread, T1);
        assert_eq!(kernel.timer(35).thread, T1, "alone it goes on");
    });
    assert_eq!(log.of(Kind::Rotate), [(10, 0, 0), (20, 1, 0)]);
}

const DEAD: ComponentConfig<'_> = ComponentConfig { on_fault: OnFault::Dead, capabilities: &[] };
const RESTART: ComponentConfig<'_> =
    ComponentConfig { on_fault: OnFault::Restart, capabilities: &[] };

#[test]
fn waiters_at_a_dead_component_get_their_error_in_order() {
    let (threads, gates) = ([thread(1), thread(2), thread(3)], [gate(Protocol::Inherited)]);
    let tables = Tables { components: &[COMPONENTS[0], DEAD], ..tables(&threads, &gates) };
    let log = told(tables, |kernel| {
        kernel.release(0, T0, 0).unwrap();
        kernel.invoke(0, G0).unwrap();
        for waiter in [T1, T2] {
            kernel.release(1, waiter, 1).unwrap();
            kernel.invoke(1, G0).unwrap();
        }
        let outcome = kernel.fault(2).unwrap();
        assert_eq!((outcome.thread, outcome.delivery), (T2, Delivery::Abort));
        let outcome = kernel.abort(3).unwrap();
        assert_eq!((outcome.thread, outcome.delivery), (T2, Delivery::Failed(Failure::Aborted)));
        assert_eq!(kernel.complete(4).unwrap().delivery, Delivery::Abort);
        kernel.abort(5).unwrap();
        let outcome = kernel.complete(6).unwrap();
        assert_eq!((outcome.thread, outcome.delivery), (T0, Delivery::Failed(Failure::Fault)));
        assert!(kernel.gate(G0).holder.is_none());
    });
    assert_eq!(log.of(Kind::Abort), [(3, 2, 0), (5, 1, 0)]);
}

#[test]
fn a_restart_aborts_other_frames_when_they_come_to_run() {
    let (threads, gates) = ([thread(1), thread(2)], [gate(Protocol::Propagated)]);
    let tables = Tables { components: &[COMPONENTS[0], RESTART], ..tables(&threads, &gates) };
    told(tables, |kernel| {
        kernel.release(0, T0, 0).unwrap();
        kernel.invoke(0, G0).unwrap();
        kernel.release(1, T1, 1).unwrap();
        kernel.invoke(1, G0).unwrap();
        let outcome = kernel.fault(2).unwrap();
        assert_eq!((outcome.thread, outcome.delivery), (T1, Delivery::Failed(Failure::Fault)));
        assert_eq!(kernel.invoke(3, G0).unwrap().delivery, Delivery::Restore);
        assert_eq!(
            kernel.restored(3).unwrap().delivery,
            Delivery::Enter(G0),
            "the component is as new"
        );
        assert_eq!(kernel.restored(3), Err(Error::NotStale));
        kernel.return_(4).unwrap();
        assert_eq!(kernel.complete(5).unwrap().delivery, Delivery::Abort);
        assert_eq!(kernel.abort(6).unwrap().delivery, Delivery::Failed(Failure::Aborted));
    });
}

#[test]
fn who_preempts_a_restore_runs_and_who_needs_the_component_goes_on_with_it() {
    let threads = [thread(1), thread(2), thread(3)];
    let gates = [gate(Protocol::Propagated)];
    let tables = Tables { components: &[COMPONENTS[0], RESTART], ..tables(&threads, &gates) };
    told(tables, |kernel| {
        kernel.release(0, T0, 0).unwrap();
        kernel.invoke(0, G0).unwrap();
        kernel.fault(1).unwrap();
        assert_eq!(kernel.invoke(2, G0).unwrap().delivery, Delivery::Restore);
        let other = kernel.release(3, T1, 3).unwrap();
        assert_eq!(
            (other.thread, other.delivery),
            (T1, Delivery::Start),
            "it is not in the component"
        );
        let helper = kernel.invoke(4, G0).unwrap();
        assert_eq!((helper.thread, helper.delivery), (T1, Delivery::Restore));
        assert_eq!(kernel.restored(5).unwrap().delivery, Delivery::Enter(G0));
        kernel.return_(6).unwrap();
        let first = kernel.complete(7).unwrap();
        assert_eq!(
            (first.thread, first.delivery),
            (T0, Delivery::Enter(G0)),
            "nothing is left to be put back"
        );
    });
}

#[test]
fn a_fault_at_home_ends_the_job_and_the_next_starts_anew() {
    let log = run(&[thread(1)], &[], |kernel| {
        kernel.release(0, T0, 0).unwrap();
        kernel.release(1, T0, 1).unwrap();
        let outcome = kernel.fault(2).unwrap();
        assert_eq!((outcome.thread, outcome.delivery), (T0, Delivery::Start));
    });
    assert_eq!(log.of(Kind::Fault).len(), 1);
    assert!(log.of(Kind::Complete).is_empty());
}

#[test]
fn signals_merge_or_count_and_wake_the_highest() {
    let kinds = [NotificationKind::Merging, NotificationKind::Counting { limit: 2 }];
    let notifications =
        kinds.map(|kind| NotificationConfig { kind, releases: ThreadIndex::NONE, initial: 0 });
    let [merging, counting] = [NotificationIndex(0), NotificationIndex(1)];
    let threads = [thread(1), thread(2), thread(3)];
    let tables = Tables { notifications: &notifications, ..tables(&threads, &[]) };
    told(tables, |kernel| {
        kernel.release(0, T0, 0).unwrap();
        kernel.signal(1, merging, 1).unwrap();
        kernel.signal(1, merging, 4).unwrap();
        assert_eq!(kernel.wait(2, merging).unwrap().delivery, Delivery::Signal(5));
        kernel.signal(3, counting, 9).unwrap();
        kernel.signal(3, counting, 9).unwrap();
        assert_eq!(kernel.wait(4, counting).unwrap().delivery, Delivery::Signal(1));
        assert_eq!(kernel.wait(4, counting).unwrap().delivery, Delivery::Signal(1));
        assert_eq!(kernel.wait(5, merging).unwrap().thread, ThreadIndex::NONE);
        kernel.release(6, T1, 6).unwrap();
        kernel.wait(7, merging).unwrap();
        kernel.release(8, T2, 8).unwrap();
        assert_eq!(kernel.signal(9, merging, 2).unwrap().thread, T2, "T1 is woken and is lower");
        let outcome = kernel.complete(10).unwrap();
        assert_eq!((outcome.thread, outcome.delivery), (T1, Delivery::Signal(2)));
    });
}
