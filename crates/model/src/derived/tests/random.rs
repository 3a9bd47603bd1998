//! Random systems: the linear passes agree with the definitions.

use proptest::prelude::*;

use super::{brute_force as brute, *};
use crate::derived::{Cycle, CycleKind, Derived};

type Invocations = Vec<(usize, Option<usize>)>;

/// The parameters of a random system.
#[derive(Debug, Clone)]
struct Plan {
    gates: Vec<(usize, Vec<Invocations>)>,
    tasks: Vec<(Priority, Invocations)>,
}

const PROTOCOLS: [Protocol; 4] =
    [Protocol::Propagated, Protocol::Fixed, Protocol::Inherited, Protocol::Fifo];
const METHODS: usize = 2;

fn invocations(gates: usize) -> impl Strategy<Value = Invocations> {
    proptest::collection::vec((0..gates, proptest::option::of(0..METHODS)), 0..3)
}

fn plan() -> impl Strategy<Value = Plan> {
    (1_usize..7).prop_flat_map(|count| {
        let methods = proptest::collection::vec(invocations(count), METHODS);
        let gates = proptest::collection::vec((0..PROTOCOLS.len(), methods), count);
        let tasks = proptest::collection::vec((0_u8..6, invocations(count)), 0..6);
        (gates, tasks).prop_map(|(gates, tasks)| Plan { gates, tasks })
    })
}

/// Builds the system; `forward` keeps only invocations of later gates, so that all chains end.
fn build(plan: &Plan, forward: bool) -> System {
    let mut builder = Builder::default();
    for (index, (protocol, methods)) in plan.gates.iter().enumerate() {
        let keep =
            |list: &Invocations| list.iter().copied().filter(|i| !forward || i.0 > index).collect();
        let methods: Vec<Invocations> = methods.iter().map(keep).collect();
        let methods: Vec<&[_]> = methods.iter().map(Vec::as_slice).collect();
        builder = builder.gate(PROTOCOLS[*protocol], &methods);
    }
    for (priority, invocations) in &plan.tasks {
        builder = builder.task(*priority, invocations);
    }
    builder.0
}

fn agrees_on_reach(system: &System, facts: &Derived) {
    for (index, gate) in facts.gates.iter().enumerate() {
        let reaching = brute::reaching(system, index);
        assert_eq!(gate.tasks.iter().map(|t| t.index()).collect::<Vec<_>>(), reaching);
        let priorities = || reaching.iter().map(|&t| system.tasks[t].priority.value);
        assert_eq!((gate.highest, gate.lowest), (priorities().max(), priorities().min()));
        assert_eq!(
            gate.callers.len(),
            brute::calling_gates(system, index).len() + brute::calling_tasks(system, index)
        );
    }
    for (task, facts) in system.tasks.iter().zip(&facts.tasks) {
        let mut gates: Vec<usize> =
            brute::closure(system, brute::next(system, &task.body)).iter().map(|p| p.0).collect();
        gates.sort_unstable();
        gates.dedup();
        assert_eq!(facts.gates.iter().map(|g| g.index()).collect::<Vec<_>>(), gates);
    }
}

/// The cycle that is shown is really there, and really is what it is said to be.
fn is_sound(system: &System, cycle: &Cycle) {
    for (index, edge) in cycle.edges.iter().enumerate() {
        assert_eq!(edge.to, cycle.edges[(index + 1) % cycle.edges.len()].from);
        let body = &system.gate(edge.from).methods[edge.method].body;
        assert!(brute::next(system, body).iter().any(|p| p.0 == edge.to.index()));
    }
    let first = cycle.edges[0].from;
    let exclusive = system.gate(first).protocol.value.is_exclusive();
    match cycle.kind {
        CycleKind::SelfDeadlock => assert!(exclusive && brute::comes_back(system, first.index())),
        CycleKind::Recursion => assert!(!exclusive && brute::comes_back(system, first.index())),
        CycleKind::Deadlock => {
            let locks =
                cycle.edges.iter().filter(|e| system.gate(e.from).protocol.value.is_exclusive());
            assert!(locks.count() >= 2);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn agrees_with_the_definitions_where_chains_end(plan in plan()) {
        let system = build(&plan, true);
        let facts = Derived::of(&system);
        agrees_on_reach(&system, &facts);
        prop_assert!(facts.cycles.is_empty());
        for (index, gate) in facts.gates.iter().enumerate() {
            prop_assert_eq!(gate.requests as usize, brute::requests(&system, index));
            prop_assert_eq!(gate.stacks as usize, brute::stacks(&system, index));
        }
        for (task, facts) in system.tasks.iter().zip(&facts.tasks) {
            prop_assert_eq!(
                facts.nesting as usize,
                brute::longest(&system, &brute::next(&system, &task.body)),
            );
        }
        let chain = (0..system.gates.len()).map(|gate| brute::longest_way(&system, gate)).max();
        prop_assert_eq!(facts.longest_chain() as usize, chain.unwrap_or(0));
        let place = |g: &GateId| facts.order.iter().position(|o| o == g);
        for (index, gate) in facts.gates.iter().enumerate() {
            prop_assert!(gate.callees.iter().all(|c| place(c) > place(&GateId::from(index))));
        }
        let turn = |gate: usize, method| {
            facts.method_order.iter().position(|&o| o == (GateId::from(gate), method))
        };
        for (index, gate) in system.gates.iter().enumerate() {
            for (method, m) in gate.methods.iter().enumerate() {
                let next = brute::next(&system, &m.body);
                prop_assert!(next.iter().all(|&(g, n)| turn(g, n) > turn(index, method)));
            }
        }
    }

    #[test]
    fn finds_every_cycle_and_no_other(plan in plan()) {
        let system = build(&plan, false);
        let facts = Derived::of(&system);
        agrees_on_reach(&system, &facts);
        facts.cycles.iter().for_each(|c| is_sound(&system, c));
        let comes_back = (0..system.gates.len()).any(|g| brute::comes_back(&system, g));
        let is_bad = comes_back || brute::locks_cross(&system);
        prop_assert_eq!(!facts.cycles.is_empty(), is_bad);
        let kinds: Vec<CycleKind> = facts.cycles.iter().map(|c| c.kind).collect();
        let own = (system.gate_ids()).any(|(id, g)| {
            g.protocol.value.is_exclusive() && brute::comes_back(&system, id.index())
        });
        prop_assert_eq!(kinds.contains(&CycleKind::SelfDeadlock), own);
    }
}
