//! Requests at gates between cores, by hand.

use super::Builder;
use crate::derived::{Derived, OnCore, Urgency};
use crate::*;

/// The gates that a body invokes.
type Calls<'a> = &'a [(usize, Option<usize>)];

/// Tasks of the given cores and priorities, all of which invoke the given gates.
fn on_cores(builder: Builder, tasks: &[(u32, Priority, Calls<'_>)]) -> System {
    let built = tasks.iter().fold(builder, |builder, task| builder.task(task.1, task.2));
    let mut system = built.0;
    for (task, &(core, ..)) in system.tasks.iter_mut().zip(tasks) {
        task.core = core;
    }
    system
}

fn urgencies(system: &System, gate: usize) -> Vec<(u32, Urgency)> {
    let on_cores = &Derived::of(system).gates[gate].on_cores;
    on_cores.iter().map(|&OnCore { core, urgency, .. }| (core, urgency)).collect()
}

const GATE: Calls<'static> = &[(0, None)];

#[test]
fn each_protocol_gives_each_core_its_own_urgency() {
    let tasks: &[(u32, Priority, Calls<'_>)] =
        &[(0, 5, GATE), (0, 9, GATE), (0, 200, &[]), (2, 7, GATE), (1, 255, &[])];
    let of = |protocol| on_cores(Builder::default().gate(protocol, &[&[]]), tasks);
    let expected = [
        (Protocol::Msrp, Urgency::Top, Urgency::Top),
        (Protocol::Mrsp, Urgency::Priority(9), Urgency::Priority(7)),
        (Protocol::Mpcp, Urgency::Boost(7), Urgency::Boost(9)),
    ];
    for (protocol, first, third) in expected {
        let system = of(protocol);
        assert_eq!(urgencies(&system, 0), [(0, first), (2, third)], "{protocol:?}");
        let facts = &Derived::of(&system).gates[0];
        assert_eq!(facts.on_cores[0].tasks, [TaskId(0), TaskId(1)]);
    }
    assert_eq!(urgencies(&of(Protocol::Fixed), 0), [], "a protocol of one core");
    assert!(Urgency::Priority(255) < Urgency::Boost(0) && Urgency::Boost(255) < Urgency::Top);
}

/// A task that may wait for a local gate that is held on the way counts, on its own core only.
#[test]
fn a_request_within_a_local_gate_is_as_urgent_as_who_may_wait_there() {
    for (outer, urgency) in [
        (Protocol::Inherited, Urgency::Priority(30)),
        (Protocol::Fixed, Urgency::Priority(30)),
        (Protocol::NonPreemptive, Urgency::Top),
        (Protocol::Propagated, Urgency::Priority(10)),
    ] {
        // Gate 0 is between cores, gate 1 is around it; the task of priority 30 uses another of
        // gate 1's methods and never gets to gate 0.
        let builder = Builder::default().gate(Protocol::Mrsp, &[&[]]).gate(outer, &[GATE, &[]]);
        let tasks: &[(u32, Priority, Calls<'_>)] =
            &[(0, 10, &[(1, Some(0))]), (0, 30, &[(1, Some(1))]), (1, 20, GATE)];
        let system = on_cores(builder, tasks);
        let expected = [(0, urgency), (1, Urgency::Priority(20))];
        assert_eq!(urgencies(&system, 0), expected, "{outer:?}");
    }
}

/// A chain of local gates, one of them behind a gate that is not exclusive.
#[test]
fn what_the_holder_of_an_outer_gate_inherits_goes_on_inwards() {
    let builder = Builder::default()
        .gate(Protocol::Mrsp, &[&[]])
        .gate(Protocol::Propagated, &[GATE])
        .gate(Protocol::Inherited, &[&[(1, None)]])
        .gate(Protocol::Inherited, &[&[(2, None)], &[]]);
    let tasks: &[(u32, Priority, Calls<'_>)] = &[
        (0, 10, &[(2, None)]),
        (0, 11, &[(3, Some(0))]),
        (0, 40, &[(3, Some(1))]),
        (0, 90, &[(1, None)]),
        (1, 20, GATE),
    ];
    let system = on_cores(builder, tasks);
    let first = |system: &System| urgencies(system, 0)[0].1;
    assert_eq!(first(&system), Urgency::Priority(90), "a user by itself");
    let mut without = system.clone();
    without.tasks[3].body = Body::default();
    assert_eq!(first(&without), Urgency::Priority(40), "who waits for the outermost gate");
    without.gates[3].given_ceiling = Some(super::sourced(TOP_PRIORITY));
    assert_eq!(first(&without), Urgency::Top);
}

/// A task that comes back from `mpcp` goes on before its equals, and must not find the other's
/// request.
#[test]
fn who_comes_back_from_mpcp_is_below_the_ceilings_that_it_asks_under() {
    let of = |priority: Priority, both: Calls<'_>| {
        let builder = Builder::default().gate(Protocol::Mrsp, &[&[]]).gate(Protocol::Mpcp, &[&[]]);
        let remote: Calls<'_> = &[(0, None), (1, None)];
        on_cores(builder, &[(0, priority, both), (0, 20, GATE), (1, 5, remote)])
    };
    let both: Calls<'_> = &[(1, None), (0, None)];
    let at_home = |system: &System| urgencies(system, 0)[0].1;
    assert_eq!(at_home(&of(20, both)), Urgency::Priority(21));
    assert_eq!(at_home(&of(255, both)), Urgency::Top);
    assert_eq!(at_home(&of(19, both)), Urgency::Priority(20), "below the ceiling anyway");
    assert_eq!(at_home(&of(20, GATE)), Urgency::Priority(20), "it never waits suspended");
}
