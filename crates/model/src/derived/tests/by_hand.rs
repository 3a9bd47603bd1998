//! Small systems whose facts are known from the papers or by looking at them.

use super::*;
use crate::derived::{Caller, CycleKind, Derived};

const ANY: Option<usize> = None;

/// Sudvarg et al. 2024, Figure 3: A is used by tasks 1 and 2, B by A and by task 3.
fn figure_3(protocol: Protocol) -> Derived {
    let builder = Builder::default()
        .gate(protocol, &[&[(1, Some(0))]])
        .gate(protocol, &[&[]])
        .task(10, &[(0, ANY)])
        .task(20, &[(0, ANY)])
        .task(30, &[(1, ANY)]);
    Derived::of(&builder.0)
}

#[test]
fn figure_3_all_propagated() {
    let facts = figure_3(Protocol::Propagated);
    assert_eq!(facts.gates.iter().map(|g| g.stacks).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(facts.gates.iter().map(|g| g.rpc_threads).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(facts.gates.iter().map(|g| g.ceiling).collect::<Vec<_>>(), [Some(20), Some(30)]);
    assert_eq!(facts.gates[1].lowest, Some(10));
    assert_eq!(facts.gates[1].tasks, [TaskId(0), TaskId(1), TaskId(2)]);
    assert_eq!(facts.gates[1].callers, [Caller::Task(TaskId(2)), Caller::Gate(GateId(0))]);
    assert_eq!(facts.tasks.iter().map(|t| t.nesting).collect::<Vec<_>>(), [2, 2, 1]);
    assert_eq!((facts.longest_nesting, facts.cycles.len()), (2, 0));
    assert_eq!(facts.order, [GateId(0), GateId(1)]);
}

#[test]
fn figure_3_all_inherited() {
    let facts = figure_3(Protocol::Inherited);
    assert_eq!(facts.gates.iter().map(|g| g.stacks).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(facts.gates.iter().map(|g| g.rpc_threads).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(facts.gates.iter().map(|g| g.below_inherited).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn figure_3_all_fixed() {
    let facts = figure_3(Protocol::Fixed);
    assert_eq!(
        facts.gates.iter().map(|g| (g.stacks, g.rpc_threads)).collect::<Vec<_>>(),
        [(1, 1), (1, 1)]
    );
}

/// Sudvarg et al. 2024, Figure 7: tasks 1 and 2 use A, tasks 3 and 4 use B; A and B use D; D uses
/// E.
#[test]
fn figure_7_counts_requests_and_not_tasks() {
    let builder = Builder::default()
        .gate(Protocol::Inherited, &[&[(2, ANY)]])
        .gate(Protocol::Inherited, &[&[(2, ANY)]])
        .gate(Protocol::Propagated, &[&[(3, ANY)]])
        .gate(Protocol::Inherited, &[&[]])
        .task(40, &[(0, ANY)])
        .task(30, &[(0, ANY)])
        .task(20, &[(1, ANY)])
        .task(10, &[(1, ANY)]);
    let facts = Derived::of(&builder.0);
    let counts: Vec<_> =
        facts.gates.iter().map(|g| (g.tasks.len(), g.requests, g.stacks, g.rpc_threads)).collect();
    assert_eq!(counts, [(2, 2, 1, 2), (2, 2, 1, 2), (4, 2, 2, 3), (4, 2, 1, 3)]);
}

#[test]
fn a_method_that_is_not_called_reaches_nothing() {
    let builder = Builder::default()
        .gate(Protocol::Propagated, &[&[], &[(1, ANY)]])
        .gate(Protocol::Inherited, &[&[]])
        .task(10, &[(0, Some(0))])
        .task(20, &[(0, Some(1))]);
    let facts = Derived::of(&builder.0);
    assert_eq!(facts.gates[1].tasks, [TaskId(1)]);
    assert_eq!(facts.tasks[0].nesting, 1);
    assert!(!facts.reaches(TaskId(0), GateId(1)));
}

#[test]
fn a_chain_of_holders_is_longer_than_what_one_thread_nests() {
    // Each gate's first method leads to the next gate's second one, which leads nowhere.
    let facts = |back: &[(usize, Option<usize>)]| {
        let builder = Builder::default()
            .gate(Protocol::Inherited, &[&[(1, Some(1))], &[]])
            .gate(Protocol::Inherited, &[&[(2, Some(1))], &[]])
            .gate(Protocol::Inherited, &[&[(3, Some(1))], &[]])
            .gate(Protocol::Inherited, &[&[], &[], back]);
        Derived::of(
            &builder
                .task(30, &[(0, Some(0))])
                .task(20, &[(1, Some(0))])
                .task(10, &[(2, Some(0))])
                .0,
        )
    };
    assert_eq!((facts(&[]).longest_nesting, facts(&[]).longest_chain()), (2, 4));
    assert_eq!(facts(&[(2, Some(1))]).longest_chain(), 4, "in a cycle each counts once");
    assert_eq!(facts(&[]).longest_way(|gate| gate.0 * 10), 60);
}

#[test]
fn a_given_ceiling_wins() {
    let mut system = Builder::default().gate(Protocol::Fixed, &[&[]]).task(10, &[(0, ANY)]).0;
    system.gates[0].given_ceiling = Some(sourced(99));
    let facts = Derived::of(&system);
    assert_eq!((facts.gates[0].ceiling, facts.gates[0].highest), (Some(99), Some(10)));
}

#[test]
fn re_entry_of_an_exclusive_gate() {
    let builder = Builder::default()
        .gate(Protocol::Inherited, &[&[(1, ANY)]])
        .gate(Protocol::Propagated, &[&[(0, ANY)]])
        .task(10, &[(1, ANY)]);
    let facts = Derived::of(&builder.0);
    let cycle = &facts.cycles[0];
    assert_eq!(cycle.kind, CycleKind::SelfDeadlock);
    let hops: Vec<_> = cycle.edges.iter().map(|e| (e.from.0, e.to.0)).collect();
    assert_eq!(hops, [(0, 1), (1, 0)]);
    assert_eq!(cycle.tasks, [TaskId(0)]);
    assert!(facts.tasks[0].cyclic);
    assert_eq!(facts.tasks[0].nesting, 2);
}

#[test]
fn recursion_through_propagated_gates() {
    let builder = Builder::default()
        .gate(Protocol::Propagated, &[&[(0, ANY)]])
        .task(1, &[(0, ANY)])
        .task(2, &[(0, ANY)]);
    let facts = Derived::of(&builder.0);
    assert_eq!(facts.cycles[0].kind, CycleKind::Recursion);
    assert_eq!(facts.gates[0].stacks, 2);
}

#[test]
fn opposite_orders_deadlock_without_re_entry() {
    // First methods go from gate 0 to gate 1, second methods back; the gate between them is no
    // lock.
    let builder = Builder::default()
        .gate(Protocol::Inherited, &[&[(2, Some(0))], &[]])
        .gate(Protocol::Fifo, &[&[], &[(0, Some(1))]])
        .gate(Protocol::Propagated, &[&[(1, Some(0))]])
        .task(1, &[(0, Some(0))])
        .task(2, &[(1, Some(1))]);
    let facts = Derived::of(&builder.0);
    assert_eq!(facts.cycles[0].kind, CycleKind::Deadlock);
    let hops: Vec<_> = facts.cycles[0].edges.iter().map(|e| (e.from.0, e.to.0)).collect();
    assert_eq!(hops, [(0, 2), (2, 1), (1, 0)]);
}

#[test]
fn methods_that_merely_cross_are_harmless() {
    let builder = Builder::default()
        .gate(Protocol::Inherited, &[&[(1, Some(0))], &[]])
        .gate(Protocol::Propagated, &[&[], &[(0, Some(1))]])
        .task(1, &[(0, Some(0)), (1, Some(1))]);
    assert_eq!(Derived::of(&builder.0).cycles, []);
}

#[test]
fn an_empty_system_has_no_facts() {
    let facts = Derived::of(&System::default());
    assert_eq!((facts.gates.len(), facts.tasks.len(), facts.longest_nesting), (0, 0, 0));
}

#[test]
fn long_chains_and_large_rings_do_not_exhaust_anything() {
    let count = 20_000;
    for ring in [false, true] {
        let mut builder = Builder::default();
        for gate in 0..count {
            let next =
                if gate + 1 < count || ring { vec![((gate + 1) % count, ANY)] } else { vec![] };
            builder = builder.gate(Protocol::Inherited, &[&next]);
        }
        let facts = Derived::of(&builder.task(1, &[(0, ANY)]).0);
        assert_eq!(facts.longest_nesting as usize, count);
        assert_eq!(
            facts.cycles.iter().map(|c| c.edges.len()).collect::<Vec<_>>(),
            vec![count; usize::from(ring)]
        );
    }
}
