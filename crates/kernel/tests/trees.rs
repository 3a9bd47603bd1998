//! Schedulers in a kernel, driven tick by tick: running and paying threads.

use fusee_kernel::tcaps::{
    AccountConfig, Decision, Dispatch, EndPointConfig, Error, Funding, Principal, SchedulerConfig,
    Store, Tables, Transfer, TreeKernel, Trees, Waited,
};
use fusee_kernel::{
    AccountIndex, Capability, ComponentConfig, ComponentIndex, Event, Flow, GateConfig, GateIndex,
    GateKind, Kernel, NEVER, NotificationConfig, NotificationIndex, NotificationKind, OnFault,
    Protocol, Release, SchedulerIndex, Status, ThreadConfig, ThreadIndex, Time,
};

const SCHEDULER: ThreadIndex = ThreadIndex(0);
const FIRST: ThreadIndex = ThreadIndex(1);
const SECOND: ThreadIndex = ThreadIndex(2);
/// A task of the kernel's own, above the scheduler.
const ORDINARY: ThreadIndex = ThreadIndex(3);

fn thread(priority: u8, release: Release) -> ThreadConfig {
    let component = ComponentIndex(0);
    ThreadConfig { component, priority, core: 0, release, deadline: NEVER, budget: None }
}

/// A scheduler with two threads, and a task above it.
struct System {
    threads: Vec<ThreadConfig>,
    notifications: Vec<NotificationConfig>,
    capabilities: Vec<Capability>,
    accounts: Vec<AccountConfig>,
    end_points: Vec<EndPointConfig>,
}

impl System {
    fn of(first: Release, second: Release, ordinary: Release) -> Self {
        let delegated = |priority| AccountConfig {
            scheduler: SchedulerIndex(0),
            priority,
            funding: Funding::Delegated { limit: 100 },
        };
        let kernels = |scheduler, level| AccountConfig {
            scheduler,
            priority: 0,
            funding: Funding::Kernel { level, amount: NEVER },
        };
        let of = |scheduler, account| EndPointConfig { scheduler, account: AccountIndex(account) };
        System {
            threads: vec![
                thread(1, Release::Once { offset: 0 }),
                thread(1, first),
                thread(1, second),
                thread(2, ordinary),
            ],
            notifications: vec![NotificationConfig {
                kind: NotificationKind::Merging,
                releases: ThreadIndex::NONE,
                initial: 0,
            }],
            capabilities: vec![
                Capability::Wait(NotificationIndex(0)),
                Capability::Signal(NotificationIndex(0), 1),
                Capability::Gate(GateIndex(0)),
            ],
            accounts: vec![
                kernels(SchedulerIndex(0), 1),
                delegated(1),
                delegated(2),
                kernels(SchedulerIndex::NONE, 0),
            ],
            end_points: vec![
                of(SchedulerIndex::NONE, 0),
                of(SchedulerIndex(0), 1),
                of(SchedulerIndex(0), 2),
                EndPointConfig::of_kernel(ORDINARY),
            ],
        }
    }
}

/// The program of a scheduler that has control.
type Program<'p> = &'p mut dyn FnMut(&mut Calls<'_, '_>, Time);

/// The kernel as a scheduler sees it.
type Calls<'k, 'm> = TreeKernel<'k, 'm, 'm, fusee_kernel::FixedPriority, ()>;

/// The work of another thread in a tick.
type Work<'w> = &'w mut dyn FnMut(ThreadIndex, Time) -> Option<Event>;

/// Everything that the timer is to do by now.
fn due<'m>(
    kernel: &mut Kernel<'m, fusee_kernel::FixedPriority, ()>,
    trees: &mut Trees<'m>,
    now: Time,
) {
    for _ in 0..20 {
        if kernel.next_timer().min(trees.next_timer(kernel)) > now {
            return;
        }
        let _ = Flow::over(kernel, trees).take(now, Event::Timer).expect("not refused");
    }
    panic!("the timer is due for ever at {now}");
}

/// Runs the system and returns the thread that runs in each of so many ticks.
fn run(system: &System, ticks: Time, program: Program<'_>, work: Work<'_>) -> String {
    let component =
        ComponentConfig { on_fault: OnFault::Continue, capabilities: &system.capabilities };
    // All threads' own, and that of a gate.
    let components = [component; 2];
    let gates = [GateConfig {
        component: ComponentIndex(1),
        protocol: Protocol::Inherited,
        stacks: 1,
        kind: GateKind::Interface,
    }];
    let tables = fusee_kernel::Tables {
        threads: &system.threads,
        gates: &gates,
        notifications: &system.notifications,
        components: &components,
        interrupts: &[],
        depth: 1,
        chain: 4,
        backlog: 2,
        time_slice: NEVER,
        cores: 1,
        levels: 4,
    };
    let schedulers = [SchedulerConfig {
        thread: SCHEDULER,
        principal: Principal(1),
        parent: SchedulerIndex::NONE,
    }];
    let in_order: Vec<_> = (0..4).map(ThreadIndex).collect();
    let time = Tables {
        accounts: &system.accounts,
        schedulers: &schedulers,
        end_points: &system.end_points,
        interrupts: &in_order,
    };
    let mut store = fusee_kernel::Store::start(&tables).expect("right tables");
    let mut memory = Store::start(&time).expect("right tables");
    let mut alarms = [0];
    let mut kernel = Kernel::start(tables, store.memory(), ()).expect("right tables");
    let mut trees =
        Trees::start(&mut kernel, (time, memory.memory()), &mut alarms).expect("right tables");
    let mut ran = String::new();
    for now in 0..ticks {
        due(&mut kernel, &mut trees, now);
        for _ in 0..20 {
            let current = kernel.current();
            if current == SCHEDULER {
                program(&mut TreeKernel::over(&mut kernel, &mut trees), now);
            } else if current.is_some()
                && let Some(event) = work(current, now)
            {
                let mut flow = Flow::over(&mut kernel, &mut trees);
                let _ = flow.take(now, event).expect("not refused");
                assert!(flow.is_told(now), "{event:?} at {now} is told");
            } else {
                break;
            }
            // The scheduler's calls may have made something due.
            due(&mut kernel, &mut trees, now);
        }
        let ready = (0..4).filter(|thread| {
            let status = kernel.thread(ThreadIndex(*thread)).status;
            *thread < 3 && matches!(status, Status::Ready | Status::Running)
        });
        // But for one on whose gate somebody else has a claim.
        let most = if kernel.thread(ORDINARY).gate().is_some() { 2 } else { 1 };
        assert!(ready.count() <= most, "the kernel has one of the tree's threads at {now}");
        ran.push(match kernel.current() {
            ThreadIndex::NONE => '.',
            ThreadIndex(thread) => char::from(b'0' + thread as u8),
        });
    }
    ran
}

fn never() -> Release {
    Release::Once { offset: NEVER }
}

fn always() -> Release {
    Release::Once { offset: 0 }
}

fn dispatch(thread: ThreadIndex, account: u16, timeout: Time, token: u32) -> Decision {
    let account = AccountIndex(account);
    Decision::Dispatch(Dispatch { thread, account, priority: None, timeout, token })
}

fn gives(to: u16, amount: Time) -> Decision {
    let (from, to) = (AccountIndex(0), AccountIndex(to));
    Decision::Transfer(Transfer { from, to, amount, priority: 1 })
}

/// A table: 3 ticks for the first, 5 for the second, by the clock.
#[derive(Default)]
struct Table {
    token: u32,
    slots: u64,
}

impl Table {
    /// One step: an event, or the next dispatch in the slot that `now` is in.
    fn step(&mut self, kernel: &mut Calls<'_, '_>, now: Time) {
        let (thread, end) = match now % 8 {
            0..3 => (FIRST, now - now % 8 + 3),
            _ => (SECOND, now - now % 8 + 8),
        };
        self.token += 1;
        match kernel.decide(now, &dispatch(thread, 0, end, self.token)) {
            Ok(()) => self.slots += 1,
            Err(Error::Events) => {
                assert!(matches!(kernel.wait(now, end), Ok(Waited::Event(_))));
            }
            Err(Error::NotReady) => assert_eq!(kernel.wait(now, end), Ok(Waited::Blocked)),
            Err(error) => panic!("{error:?} at {now}"),
        }
    }
}

#[test]
fn a_table_by_time_outs_gives_each_its_slots() {
    let system = System::of(always(), always(), never());
    let mut table = Table::default();
    let ran = run(&system, 32, &mut |kernel, now| table.step(kernel, now), &mut |_, _| None);
    assert_eq!(ran, "11122222".repeat(4));
}

#[test]
fn who_waits_early_leaves_its_slot_empty_and_comes_back_in_its_next() {
    let first = Release::Periodic { period: 8, offset: 0 };
    let system = System::of(first, always(), never());
    let mut table = Table::default();
    let mut work = |thread, now: Time| (thread == FIRST && now % 8 == 2).then_some(Event::Complete);
    let ran = run(&system, 32, &mut |kernel, now| table.step(kernel, now), &mut work);
    assert_eq!(ran, "11.22222".repeat(4));
}

#[test]
fn a_task_above_takes_time_from_the_slot_in_which_it_runs() {
    let ordinary = Release::Periodic { period: 8, offset: 4 };
    let system = System::of(always(), always(), ordinary);
    let mut table = Table::default();
    let mut work =
        |thread, now: Time| (thread == ORDINARY && now % 8 == 5).then_some(Event::Complete);
    let ran = run(&system, 32, &mut |kernel, now| table.step(kernel, now), &mut work);
    assert_eq!(ran, "11123222".repeat(4));
}

/// Budgets are given first in so many ticks; then a thread with budget is dispatched.
#[derive(Default)]
struct Budgets {
    token: u32,
    given: Option<Time>,
}

impl Budgets {
    fn step(&mut self, kernel: &mut Calls<'_, '_>, now: Time) {
        let period = now / 8;
        if self.given != Some(period) {
            self.given = Some(period);
            kernel.decide(now, &gives(1, 3)).expect("there is time");
            kernel.decide(now, &gives(2, 2)).expect("there is time");
        }
        for (thread, account) in [(FIRST, 1), (SECOND, 2)] {
            self.token += 1;
            match kernel.decide(now, &dispatch(thread, account, NEVER, self.token)) {
                Ok(()) => return,
                Err(Error::Events) => return assert!(kernel.wait(now, NEVER).is_ok()),
                Err(Error::Budget | Error::NotReady) => {}
                Err(error) => panic!("{error:?} at {now}"),
            }
        }
        assert_eq!(kernel.wait(now, (period + 1) * 8), Ok(Waited::Blocked));
    }
}

/// A budget is used by running alone: a thread that preempts takes nothing from it.
#[test]
fn budgets_end_after_so_much_time_on_the_core() {
    let ordinary = Release::Periodic { period: 8, offset: 1 };
    let system = System::of(always(), always(), ordinary);
    let mut budgets = Budgets::default();
    let mut work =
        |thread, now: Time| (thread == ORDINARY && now % 8 == 3).then_some(Event::Complete);
    let ran = run(&system, 32, &mut |kernel, now| budgets.step(kernel, now), &mut work);
    assert_eq!(ran, "1331122.".repeat(4));
}

/// Time that a thread does not use stays in its account, and a signal activates it immediately,
/// because its account may preempt that of the running thread: its own time is better to its
/// scheduler.
#[test]
fn a_signal_activates_who_has_budget_and_is_better() {
    let ordinary = Release::Periodic { period: 8, offset: 4 };
    let system = System::of(always(), always(), ordinary);
    let mut budgets = Budgets::default();
    let mut signalled = false;
    let mut work = |thread, now: Time| match thread {
        // It waits in its second tick; what it has left is for when it is signalled.
        FIRST if now == 1 => Some(Event::Wait(0)),
        ORDINARY if now == 4 => {
            (!std::mem::replace(&mut signalled, true)).then_some(Event::Signal(1))
        }
        ORDINARY => Some(Event::Complete),
        _ => None,
    };
    let ran = run(&system, 8, &mut |kernel, now| budgets.step(kernel, now), &mut work);
    assert_eq!(ran, "122.311.");
}

/// A thread that asks for news while there are none goes on immediately, and no thread was given
/// the core.
#[test]
fn who_only_asks_goes_on() {
    let system = System::of(always(), always(), never());
    let mut asked = 0;
    let mut table = Table::default();
    let mut program = |kernel: &mut Calls<'_, '_>, now: Time| {
        while let Ok(Waited::Event(_)) = kernel.wait(now, now) {}
        asked += 1;
        assert_eq!(kernel.wait(now, now), Ok(Waited::Pending), "at {now}");
        table.step(kernel, now);
    };
    let ran = run(&system, 16, &mut program, &mut |_, _| None);
    assert_eq!((ran, asked > 3), ("11122222".repeat(2), true));
}

/// The time in which a scheduler makes calls that are refused is its own as any other.
#[test]
fn refused_calls_take_time_from_the_budget() {
    let mut system = System::of(always(), always(), never());
    system.accounts[0].funding = Funding::Kernel { level: 1, amount: 5 };
    let mut program = |kernel: &mut Calls<'_, '_>, now: Time| {
        let refused = kernel.decide(now, &dispatch(FIRST, 0, now, 1));
        assert!(matches!(refused, Err(Error::Past | Error::Events)), "{refused:?} at {now}");
        while kernel.wait(now, now) != Ok(Waited::Pending) {}
        let refused = kernel.decide(now, &dispatch(FIRST, 0, now, 1));
        assert_eq!(refused, Err(Error::Past), "at {now}");
    };
    assert_eq!(run(&system, 8, &mut program, &mut |_, _| None), "00000...");
}

/// A call that comes when the budget has ended is refused: the timer, which is due, comes first.
#[test]
fn a_call_at_the_end_of_the_budget_comes_too_late() {
    let mut system = System::of(always(), always(), never());
    system.accounts[0].funding = Funding::Kernel { level: 1, amount: 5 };
    let mut calls = Vec::new();
    let mut program = |kernel: &mut Calls<'_, '_>, _: Time| {
        if calls.is_empty() {
            calls.extend([4, 5].map(|late| kernel.wait(late, late)));
        }
    };
    run(&system, 1, &mut program, &mut |_, _| None);
    assert!(calls[0].is_ok() && calls[1] == Err(Error::Past), "{calls:?}");
}

/// Threads of a scheduler run when it has dispatched them, and not otherwise.
#[test]
fn nobody_runs_who_was_not_dispatched() {
    let system = System::of(always(), always(), never());
    let mut program = |kernel: &mut Calls<'_, '_>, now: Time| {
        assert!(kernel.wait(now, NEVER).is_ok());
    };
    assert_eq!(run(&system, 4, &mut program, &mut |_, _| None), "....");
}

/// The slot in the capabilities that names the gate.
const GATE: u16 = 2;

/// A thread that waits at a gate lends its slot to the holder, and keeps it: at 1 the first enters,
/// for 4 ticks in all; in its own slot the second wants the gate, and the first comes back at 5.
#[test]
fn who_waits_lends_its_slot() {
    let system = System::of(always(), always(), never());
    let mut table = Table::default();
    let (mut held, mut asked) = (false, false);
    let mut work = |thread, now: Time| match thread {
        FIRST if now == 1 => (!std::mem::replace(&mut held, true)).then_some(Event::Invoke(GATE)),
        FIRST if now == 5 => Some(Event::Return),
        SECOND if now == 3 => (!std::mem::replace(&mut asked, true)).then_some(Event::Invoke(GATE)),
        SECOND if now == 7 && asked => {
            asked = false;
            Some(Event::Return)
        }
        _ => None,
    };
    let ran = run(&system, 16, &mut |kernel, now| table.step(kernel, now), &mut work);
    assert_eq!(ran, "1111122211122222");
}

/// A thread that waits at the end of its slot lends again in its next one, and another runs in the
/// slot between: the second enters at 4, and comes back at 17, the first asks at 9.
#[test]
fn a_loan_ends_with_its_slot() {
    let system = System::of(always(), always(), never());
    let mut table = Table::default();
    let (mut held, mut asked) = (false, false);
    let mut work = |thread, now: Time| match thread {
        SECOND if now == 4 => (!std::mem::replace(&mut held, true)).then_some(Event::Invoke(GATE)),
        SECOND if now == 17 => (std::mem::replace(&mut held, false)).then_some(Event::Return),
        FIRST if now == 9 => (!std::mem::replace(&mut asked, true)).then_some(Event::Invoke(GATE)),
        _ => None,
    };
    let ran = run(&system, 24, &mut |kernel, now| table.step(kernel, now), &mut work);
    assert_eq!(ran, ["111", "22222", "1", "22", "22222", "2", "11", "22222"].concat());
}

/// The lent time comes from the budget of the waiting thread, and ends with it: the first enters in
/// the last of its three ticks, and the second has two.
#[test]
fn a_loan_takes_from_the_budget_of_who_waits() {
    let system = System::of(always(), always(), never());
    let mut budgets = Budgets::default();
    let (mut held, mut asked) = (false, false);
    let mut work = |thread, now: Time| match thread {
        FIRST if now == 2 => (!std::mem::replace(&mut held, true)).then_some(Event::Invoke(GATE)),
        FIRST if now == 9 => (std::mem::replace(&mut held, false)).then_some(Event::Return),
        SECOND if now == 3 => (!std::mem::replace(&mut asked, true)).then_some(Event::Invoke(GATE)),
        _ => None,
    };
    let ran = run(&system, 16, &mut |kernel, now| budgets.step(kernel, now), &mut work);
    assert_eq!(ran, "11111...11122...");
}

/// A task of the kernel's own that waits lends, whichever thread is dispatched.
#[test]
fn a_task_above_lends_to_who_is_not_dispatched() {
    let ordinary = Release::Periodic { period: 32, offset: 5 };
    let system = System::of(always(), always(), ordinary);
    let mut table = Table::default();
    let (mut held, mut asked) = (false, false);
    let mut work = |thread, now: Time| match thread {
        FIRST if now == 1 => (!std::mem::replace(&mut held, true)).then_some(Event::Invoke(GATE)),
        FIRST if now == 7 => (std::mem::replace(&mut held, false)).then_some(Event::Return),
        ORDINARY if now == 5 => {
            (!std::mem::replace(&mut asked, true)).then_some(Event::Invoke(GATE))
        }
        ORDINARY if now == 9 => {
            Some(if std::mem::replace(&mut asked, false) { Event::Return } else { Event::Complete })
        }
        _ => None,
    };
    let ran = run(&system, 16, &mut |kernel, now| table.step(kernel, now), &mut work);
    assert_eq!(ran, "1112211331122222");
}
