//! Systems small enough to work out by hand.

use fusee_bounds::{Analysis, Obstacle, Theorem, analyze, diagnostics, summary};
use fusee_model::costs::{CoreCosts, CostTable};
use fusee_model::derived::Derived;
use fusee_model::*;
use fusee_testing::systems::{Builder, call, compute, sourced};

fn analysis(system: &System) -> Analysis {
    analyze(system, &Derived::of(system), &CostTable::zero("sim"))
}

fn responses(system: &System) -> Vec<Option<u64>> {
    analysis(system).tasks.iter().map(|t| t.response().map(Duration::ns)).collect()
}

fn blocking(system: &System, task: usize) -> u64 {
    analysis(system).tasks[task].bound.as_ref().map_or(u64::MAX, |b| b.blocking_time().ns())
}

#[test]
fn independent_tasks_are_plain_response_time_analysis() {
    let system = Builder::default()
        .task(3, 10, &[compute(2)])
        .task(2, 20, &[compute(4)])
        .task(1, 50, &[compute(10)])
        .system();
    assert_eq!(responses(&system), [Some(2), Some(6), Some(18)]);
    let third = &analysis(&system).tasks[2];
    let bound = third.bound.as_ref().unwrap();
    assert_eq!((bound.own.ns(), bound.interference_time().ns(), bound.kernel.ns()), (10, 8, 0));
    assert_eq!((third.slack(), bound.theorem), (Some(32), Theorem::ResponseTime));
}

#[test]
fn ceilings_block_once_and_inheritance_once_for_each_task() {
    let with = |protocol| {
        Builder::default()
            .gate(protocol, &[compute(3)])
            .gate(protocol, &[compute(5)])
            .task(3, 100, &[call(0), call(1), compute(1)])
            .task(2, 200, &[call(0)])
            .task(1, 300, &[call(1)])
            .system()
    };
    assert_eq!(blocking(&with(Protocol::Fixed), 0), 5);
    assert_eq!(
        blocking(&with(Protocol::Fixed), 1),
        5,
        "the ceiling of the second gate is above the middle task"
    );
    assert_eq!(blocking(&with(Protocol::Inherited), 0), 8);
    assert_eq!(
        blocking(&with(Protocol::Inherited), 1),
        5,
        "push-through: the lowest task can be raised above it"
    );
    assert_eq!(blocking(&with(Protocol::Propagated), 0), 0);
}

#[test]
fn one_request_waits_for_one_section_although_many_tasks_use_the_gate() {
    let users = |calls: &[Step]| {
        Builder::default()
            .gate(Protocol::Inherited, &[compute(7)])
            .task(9, 1000, calls)
            .task(3, 1000, &[call(0)])
            .task(2, 1000, &[call(0)])
            .task(1, 1000, &[call(0)])
            .system()
    };
    assert_eq!(blocking(&users(&[call(0)]), 0), 7);
    assert_eq!(
        blocking(&users(&[call(0), compute(1), call(0)]), 0),
        14,
        "handed on to a waiter, then asked for again"
    );
}

#[test]
fn nested_sections_count_as_one_and_raise_through() {
    // Lowest holds the inner gate, middle the outer one while it waits for the inner one.
    let system = Builder::default()
        .gate(Protocol::Inherited, &[compute(4)])
        .gate(Protocol::Inherited, &[compute(1), call(0), compute(2)])
        .task(3, 100, &[call(1)])
        .task(2, 200, &[call(1)])
        .task(1, 300, &[call(0)])
        .system();
    assert_eq!(blocking(&system, 0), 11, "outer with inner 7, and the inner one 4 before it");
    assert_eq!(responses(&system)[0], Some(18));
    assert_eq!(blocking(&system, 1), 4);
}

#[test]
fn mixed_protocols_add_one_ceiling_to_the_inherited_sections() {
    let system = Builder::default()
        .gate(Protocol::Fixed, &[compute(6)])
        .gate(Protocol::Inherited, &[compute(2)])
        .task(9, 1000, &[call(0), call(1)])
        .task(3, 1000, &[call(0), call(1)])
        .task(2, 1000, &[call(0)])
        .task(1, 1000, &[call(1)])
        .system();
    // At most one of the 6s; the other of the first two tasks can be inside for 2, but only one 2
    // is asked for.
    assert_eq!(blocking(&system, 0), 8);
}

#[test]
fn fifo_inversion_names_its_three_tasks() {
    let with = |protocol| {
        Builder::default()
            .gate(protocol, &[compute(2)])
            .task(9, 100, &[call(0)])
            .task(5, 100, &[compute(30)])
            .task(1, 100, &[call(0)])
            .system()
    };
    let fifo = analysis(&with(Protocol::Fifo));
    let inversion = Obstacle::Inversion {
        gate: GateId(0),
        victim: TaskId(0),
        middle: TaskId(1),
        holder: TaskId(2),
    };
    assert_eq!(fifo.tasks[0].bound.as_ref().unwrap_err(), &inversion);
    let middle = fifo.tasks[1].bound.as_ref().unwrap();
    assert_eq!((middle.response.ns(), middle.theorem), (34, Theorem::LowerLevel));
    assert_eq!(fifo.tasks[2].response(), Some(Duration(34)));
    let messages = diagnostics(&with(Protocol::Fifo), &fifo, &|_| None);
    assert_eq!(messages[0].code.0, "F0605");
    assert!(
        messages[0].message.contains("`t0` can wait for `t2` at `g0` while `t1` runs"),
        "{}",
        messages[0].message
    );
    assert_eq!(responses(&with(Protocol::Inherited)), [Some(4), Some(34), Some(34)]);
}

#[test]
fn fifo_without_a_third_task_has_a_bound() {
    let system = Builder::default()
        .gate(Protocol::Fifo, &[compute(2)])
        .task(9, 100, &[call(0)])
        .task(1, 100, &[call(0), compute(3)])
        .task(0, 100, &[compute(50)])
        .system();
    assert_eq!(responses(&system), [Some(7), Some(7), Some(57)]);
}

#[test]
fn what_is_unknown_is_no_zero() {
    let mut system = Builder::default().task(2, 10, &[compute(1)]).task(1, 10, &[]).system();
    system.tasks[1].body.wcet_origin = None;
    assert_eq!(responses(&system), [Some(1), None]);
    system.tasks[1].priority.value = 2;
    assert_eq!(responses(&system), [None, None], "at the same level it interferes");
    let messages = diagnostics(&system, &analysis(&system), &|_| None);
    assert!(messages.iter().all(|m| m.code.0 == "F0602"), "{messages:?}");
}

#[test]
fn waiting_spoils_its_own_level_and_those_below() {
    let mut system = Builder::default()
        .task(3, 10, &[compute(1)])
        .task(2, 10, &[compute(1)])
        .task(1, 10, &[])
        .system();
    system.notifications.push(Notification {
        name: "n".into(),
        counting: true,
        origin: Origin::NONE,
    });
    system.tasks[1].body.steps.push(Step::Wait(NotificationId(0)));
    assert_eq!(responses(&system), [Some(1), None, None]);
}

#[test]
fn budgets_cap_what_a_task_takes_from_others() {
    let mut system =
        Builder::default().task(2, 10, &[compute(8)]).task(1, 100, &[compute(4)]).system();
    let budget = |amount, overrun| Some(Budget { amount: sourced(Duration(amount)), overrun });
    system.tasks[0].budget = budget(2, Overrun::Suspend);
    // The end of one budget and the beginning of the next: 2 + 2 + 4, and no more before 8 < 10.
    assert_eq!(responses(&system), [None, Some(8)]);
    system.tasks[0].budget = budget(8, Overrun::Suspend);
    assert_eq!(
        responses(&system)[0],
        None,
        "just used up, it can be suspended before it completes"
    );
    system.tasks[0].budget = budget(9, Overrun::Suspend);
    assert_eq!(responses(&system), [Some(8), Some(4 + 4 * 9)], "what it is let take counts");
    system.tasks[0].budget = budget(2, Overrun::Continue);
    assert_eq!(responses(&system), [Some(8), Some(20)]);
}

#[test]
fn a_suspended_holder_takes_the_bound_from_whoever_waits() {
    let mut system = Builder::default()
        .gate(Protocol::Inherited, &[compute(3)])
        .task(3, 50, &[call(0)])
        .task(2, 50, &[compute(1)])
        .task(1, 50, &[call(0)])
        .task(0, 50, &[compute(1)])
        .system();
    system.tasks[2].budget =
        Some(Budget { amount: sourced(Duration(2)), overrun: Overrun::Suspend });
    let bounds = analysis(&system);
    let inside = Obstacle::Suspended { task: TaskId(2), gate: Some(GateId(0)) };
    assert_eq!(bounds.tasks[0].bound.as_ref().unwrap_err(), &inside);
    assert_eq!(bounds.tasks[1].bound.as_ref().unwrap_err(), &inside);
    assert_eq!(
        bounds.tasks[2].bound.as_ref().unwrap_err(),
        &Obstacle::Suspended { task: TaskId(2), gate: None }
    );
}

#[test]
fn kernel_costs_are_charged_to_everyone_they_reach() {
    let system =
        Builder::default().task(2, 100, &[compute(5)]).task(1, 100, &[compute(5)]).system();
    let mut costs = CostTable::zero("board");
    costs.release = Duration(3);
    costs.completion = Duration(1);
    let bounds = analyze(&system, &Derived::of(&system), &costs);
    // Own 5 + completion 1, both releases 6, one path in progress 3.
    assert_eq!(bounds.tasks[0].response(), Some(Duration(15)));
    assert_eq!(bounds.tasks[1].response(), Some(Duration(21)));
    assert_eq!(bounds.tasks[0].bound.as_ref().unwrap().kernel, Duration(10));
}

#[test]
fn gates_across_cores_have_no_bound_but_local_ones_do() {
    let mut system = Builder::default()
        .gate(Protocol::Inherited, &[compute(2)])
        .task(2, 100, &[call(0)])
        .task(1, 100, &[call(0)])
        .task(9, 100, &[compute(1)])
        .system();
    system.tasks[1].core = 1;
    assert_eq!(responses(&system), [None, None, Some(1)]);
    system.tasks[0].core = 1;
    assert_eq!(responses(&system), [Some(4), Some(4), Some(1)]);
}

/// On each core one task that uses the gate, and one above that does not.
fn two_cores(protocol: Protocol) -> System {
    let mut system = Builder::default()
        .gate(protocol, &[compute(2)])
        .gate(Protocol::Propagated, &[call(0)])
        .task(2, 100, &[compute(1), call(0), call(1)])
        .task(9, 100, &[compute(1)])
        .task(1, 100, &[call(1)])
        .task(8, 100, &[compute(1)])
        .task(3, 100, &[compute(1)])
        .system();
    (system.tasks[2].core, system.tasks[3].core, system.tasks[4].core) = (1, 1, 2);
    system
}

/// Each request waits for one section of the other core. Under `msrp` nobody preempts who waits or
/// is inside, under `mrsp` whoever is above the users does.
#[test]
fn a_request_between_cores_waits_for_one_section_of_each_other_core() {
    // Own 1, two sections of 2, and each behind a section of 2: 9; with who is above, 10.
    assert_eq!(
        responses(&two_cores(Protocol::Msrp)),
        [Some(10), Some(5), Some(5), Some(5), Some(1)]
    );
    assert_eq!(
        responses(&two_cores(Protocol::Mrsp)),
        [Some(10), Some(1), Some(5), Some(1), Some(1)]
    );
    let system = two_cores(Protocol::Mrsp);
    let analysis = analysis(&system);
    let bound = analysis.tasks[0].bound.as_ref().unwrap();
    assert_eq!((bound.own, bound.waiting_time()), (Duration(5), Duration(4)));
    let part = bound.waiting[0];
    assert_eq!((part.task, part.requests, part.gate), (TaskId(2), 2, GateId(0)));
    // Another user on the other core counts only if its section is longer: a core has one request.
    let mut more = system.clone();
    more.tasks[3].body.steps.push(call(0));
    assert_eq!(responses(&more)[0], Some(10));
    // A third core comes on top.
    let mut third = system.clone();
    third.tasks[4].body.steps.push(call(0));
    assert_eq!(responses(&third)[0], Some(14));
}

/// A local gate outside of one between cores is held while its holder waits there.
#[test]
fn a_local_gate_is_held_as_long_as_its_holder_waits_for_another_core() {
    for local in [Protocol::Fixed, Protocol::Inherited] {
        let mut system = Builder::default()
            .gate(Protocol::Mrsp, &[compute(2)])
            .gate(local, &[call(0)])
            .task(5, 100, &[compute(1), call(1)])
            .task(1, 100, &[call(1)])
            .task(1, 100, &[call(0)])
            .system();
        system.tasks[2].core = 1;
        // Own 1, a section of 2 behind one of 2, and the lower task's with its wait: 9.
        assert_eq!(responses(&system), [Some(9), Some(9), Some(4)], "{local:?}");
    }
}

/// A use that the kernel refuses has no bound, also for callers that come without the checks.
#[test]
fn what_is_refused_between_cores_has_no_bound() {
    // Whoever holds a local gate must not be suspended.
    let mut held = two_cores(Protocol::Mpcp);
    held.gates[1].protocol.value = Protocol::Fixed;
    assert_eq!(responses(&held), [None, None, None, None, Some(1)]);
    let mut nested = two_cores(Protocol::Mrsp);
    nested.gates[1].protocol.value = Protocol::Msrp;
    assert_eq!(responses(&nested), [None, None, None, None, Some(1)]);
}

/// Also who does not ask has none: its core looks, and waits for locks.
#[test]
fn a_core_has_no_bounds_where_its_paths_between_cores_are_unknown() {
    let mut costs = CostTable::zero("board");
    (costs.completion, costs.cores) = (Duration(1), None);
    let system = two_cores(Protocol::Msrp);
    let bounds = analyze(&system, &Derived::of(&system), &costs).tasks;
    let (elsewhere, shared) = bounds.split_last().unwrap();
    assert!(shared.iter().all(|task| matches!(task.bound, Err(Obstacle::Passage { .. }))));
    assert_eq!(elsewhere.response(), Some(Duration(3)));
    costs.cores = Some(CoreCosts::default());
    let bounds = analyze(&system, &Derived::of(&system), &costs).tasks;
    assert!(bounds.iter().all(|task| task.bound.is_ok()), "{bounds:#?}");
}

/// Each path has a decimal place of its own, so that a bound shows how often it is counted.
fn decimal_costs() -> CostTable {
    let mut costs = CostTable::zero("paper");
    for protocol in [Protocol::Msrp, Protocol::Mrsp, Protocol::Mpcp] {
        costs.invoke.set(protocol, Duration(100));
        costs.return_.set(protocol, Duration(10_000));
    }
    let [look, lock, lose, gain] = [4, 6, 8, 10].map(|place| Duration(100 * 10_u64.pow(place)));
    costs.cores = Some(CoreCosts { lock, look, lose, gain, ..CoreCosts::default() });
    costs
}

/// Returns the parts of a number with two decimal places each: executions, askings, returns, looks,
/// locks, losses and gains.
fn places(number: u64) -> [u64; 7] {
    std::array::from_fn(|place| number / 100_u64.pow(place as u32) % 100)
}

#[test]
fn each_kernel_path_between_cores_is_counted_where_it_is_due() {
    let bounds = |protocol| {
        let mut system = two_cores(protocol);
        for task in &mut system.tasks {
            task.release.as_mut().unwrap().period.value = Duration(1 << 60);
        }
        let bounds = analyze(&system, &Derived::of(&system), &decimal_costs()).tasks;
        bounds.iter().map(|task| places(task.response().unwrap().ns())).collect::<Vec<_>>()
    };
    // Two requests: each asks, returns, looks, and waits for the lock three times; ahead of it a
    // section returns and has a turn, which is asking, a look and a lock. At the window's start a
    // path, the longest of which holds a loss and a gain, with three locks, and a turn.
    let msrp = bounds(Protocol::Msrp);
    assert_eq!(msrp[0], [10, 2 + 2 + 1, 2 + 2, 2 + 2 + 1 + 1, 6 + 2 + 2 + 3 + 1, 1, 1]);
    // The third core has nothing to do with that; its longest path is a return.
    assert_eq!(msrp[4], [1, 0, 1, 0, 0, 0, 0]);
    // A turn is two paths (a look, a loss and a gain each), a look and a lock. There is one for
    // each of two requests, for that ahead of each, for what is under way at the start, and for
    // each of four interrupts.
    let mrsp = bounds(Protocol::Mrsp);
    let turns = 2 + 2 + 1 + 4;
    // Besides: requests; those ahead; the path under way; what is preempted; interrupts of core 0;
    // of core 1; and what may be told before the first: a return and two losses.
    let looks = 3 * turns + 2 + 1 + 2 + 2 + 3;
    let locks = turns + 2 * 3 + 2 + 3 + 3 + 2 * 3 + 2 + 3;
    let losses = 2 * turns + 1 + 1 + 2 + 2;
    let gains = 2 * turns + 1 + 2;
    assert_eq!(mrsp[0], [10, 2, 4, looks, locks, losses, gains]);
    // Two requests: each asks and returns, is woken by a look with a loss and a gain, and another
    // gain follows, which takes six locks. For the request ahead of each a path and a look with a
    // loss and a gain in both, and a return: seven locks. In each of 3 phases a path with three.
    let mpcp = bounds(Protocol::Mpcp);
    let (looks, locks) = (2 + 2 * 2 + 3, 2 * 6 + 2 * 7 + 3 * 3);
    let (losses, gains) = (2 + 2 * 2 + 3, 2 * 2 + 2 * 2 + 3);
    assert_eq!(mpcp[0], [10, 2, 4, looks, locks, losses, gains]);
}

#[test]
fn overload_and_overflow_are_reasons() {
    let system = Builder::default().task(2, 10, &[compute(6)]).task(1, 10, &[compute(5)]).system();
    assert_eq!(analysis(&system).tasks[1].bound.as_ref().unwrap_err(), &Obstacle::Overload);
    let system = Builder::default().task(2, 10, &[compute(u64::MAX), compute(1)]).system();
    assert_eq!(analysis(&system).tasks[0].bound.as_ref().unwrap_err(), &Obstacle::NoEnd);
}

#[test]
fn the_summary_has_the_promised_fields() {
    let system =
        Builder::default().gate(Protocol::Fifo, &[compute(1)]).task(1, 10, &[call(0)]).system();
    let derived = Derived::of(&system);
    let json = serde_json::to_value(summary(&system, &derived, &analysis(&system))).unwrap();
    let task = &json["tasks"][0];
    for field in
        ["name", "priority", "period_ns", "deadline_ns", "wcet_ns", "blocking_ns", "kernel_ns"]
    {
        assert!(!task[field].is_null(), "{field}");
    }
    assert_eq!((&task["response_bound_ns"], &task["slack_ns"]), (&1.into(), &9.into()));
    assert_eq!(json["gates"][0]["tasks"][0], "t0");
    assert_eq!(json["schedulable"], true);
}
