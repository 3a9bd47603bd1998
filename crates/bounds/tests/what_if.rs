//! Sensitivity and repairs, checked by doing what they say.

use fusee_bounds::{BodyRef, Change, advise, analyze, diagnostics, growth, repairs, sensitivity};
use fusee_generate::{Case, Mix, case};
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::*;
use fusee_testing::systems::{Builder, call, compute};

fn pathfinder(protocol: Protocol) -> System {
    Builder::default()
        .gate(protocol, &[compute(2)])
        .task(9, 20, &[call(0)])
        .task(5, 40, &[compute(15)])
        .task(1, 100, &[call(0)])
        .system()
}

#[test]
fn the_pathfinder_is_repaired_by_inheritance() {
    let system = pathfinder(Protocol::Fifo);
    let (derived, costs) = (Derived::of(&system), CostTable::zero("sim"));
    let analysis = analyze(&system, &derived, &costs);
    let found = repairs(&system, &derived, &costs, &analysis);
    assert_eq!(found[0].change, Change::Protocol(GateId(0), Protocol::Inherited));
    assert_eq!((found[0].response, found[0].complete), (Duration(4), true));
    assert_eq!(found[0].change.text(&system), "g0_priority_protocol = \"inherited\"");
    let mut messages = diagnostics(&system, &analysis, &|_| None);
    advise(&system, &analysis, &found, &|_| None, &mut messages);
    let note = "a repair: `g0_priority_protocol = \"inherited\";` bounds the response by 4 ns, and \
                then every deadline holds";
    assert_eq!(messages[0].notes.last().map(String::as_str), Some(note));
}

#[test]
fn a_wrong_priority_is_repaired_by_another_one() {
    let system =
        Builder::default().task(1, 10, &[compute(3)]).task(2, 100, &[compute(20)]).system();
    let (derived, costs) = (Derived::of(&system), CostTable::zero("sim"));
    let analysis = analyze(&system, &derived, &costs);
    let found = repairs(&system, &derived, &costs, &analysis);
    assert_eq!(found[0].change, Change::Priority(TaskId(0), 3));
    assert!(found[0].complete);
}

#[test]
fn a_long_section_is_repaired_by_a_shorter_one() {
    let system = Builder::default()
        .gate(Protocol::Inherited, &[compute(9)])
        .task(3, 20, &[compute(8), call(0)])
        .task(1, 30, &[call(0)])
        .system();
    let (derived, costs) = (Derived::of(&system), CostTable::zero("sim"));
    let analysis = analyze(&system, &derived, &costs);
    let found = repairs(&system, &derived, &costs, &analysis);
    // 8 + 2 x 6 = 20.
    assert_eq!(found[0].change, Change::Time(BodyRef::Method(GateId(0), 0), Duration(6)));
}

#[test]
fn growth_by_hand() {
    let system = pathfinder(Protocol::Inherited);
    let (derived, costs) = (Derived::of(&system), CostTable::zero("sim"));
    let analysis = analyze(&system, &derived, &costs);
    let all = sensitivity(&system, &derived, &costs, &analysis);
    let most: Vec<_> = all.iter().map(|g| (g.now.ns(), g.most.map(Duration::ns))).collect();
    // Highest: the middle one needs 15 + 2 (2 + 9) + 2 <= 40. Lowest: 2 + 43 + 5 x 2 + 3 x 15
    // = 100.
    assert_eq!(most, [(0, Some(9)), (15, Some(34)), (0, Some(43)), (2, Some(8))]);
}

/// A tick more than the most that is allowed loses a guarantee, the most does not.
#[test]
fn growth_is_exact() {
    let mix = Mix { utilisation: (10, 60), ..Mix::default() };
    let mut checked = 0;
    for index in 0..60 {
        let Case { system, costs } = case(&mix, 21, index);
        let analysis = analyze(&system, &Derived::of(&system), &costs);
        let Some(growth) = growth(&system, &costs, &analysis, BodyRef::Task(TaskId(0))) else {
            continue;
        };
        let Some(most) = growth.most else { continue };
        assert!(most >= growth.now);
        let keeps = |extra: u64| {
            let mut changed = system.clone();
            let more = most.ns() - growth.now.ns() + extra;
            changed.tasks[0].body.steps.push(compute(more));
            let after = analyze(&changed, &Derived::of(&changed), &costs);
            analysis
                .tasks
                .iter()
                .zip(&after.tasks)
                .all(|(a, b)| !a.is_schedulable() || b.is_schedulable())
        };
        assert!(keeps(0) && !keeps(1), "case {index}: {growth:?}");
        checked += 1;
    }
    assert!(checked > 20, "{checked}");
}

/// More execution anywhere never means a shorter bound, nor a bound where there was none.
#[test]
fn bounds_never_fall_when_work_grows() {
    for index in 0..400 {
        let Case { system, costs } = case(&Mix::default(), 22, index);
        let before = analyze(&system, &Derived::of(&system), &costs);
        let bodies = system.tasks.len() + system.gates.len();
        for body in 0..bodies {
            let mut changed = system.clone();
            match body.checked_sub(system.tasks.len()) {
                None => changed.tasks[body].body.steps.push(compute(3)),
                Some(gate) => changed.gates[gate].methods[0].body.steps.push(compute(3)),
            }
            let after = analyze(&changed, &Derived::of(&changed), &costs);
            for (a, b) in before.tasks.iter().zip(&after.tasks) {
                let fell = match (a.response(), b.response()) {
                    (Some(a), Some(b)) => b < a,
                    (None, Some(_)) => true,
                    (_, None) => false,
                };
                assert!(!fell, "case {index}, body {body}: {a:?}\n{b:?}");
            }
        }
    }
}

/// A repair does what it promises.
#[test]
fn repairs_work() {
    let mut found_some = 0;
    for index in 0..120 {
        let Case { system, costs } =
            case(&Mix { utilisation: (50, 95), ..Mix::default() }, 23, index);
        let derived = Derived::of(&system);
        let analysis = analyze(&system, &derived, &costs);
        for repair in repairs(&system, &derived, &costs, &analysis) {
            let mut changed = system.clone();
            match repair.change {
                Change::Core { .. } => panic!("one core has nowhere to move to"),
                Change::Protocol(gate, protocol) => {
                    changed.gates[gate.index()].protocol.value = protocol;
                    changed.gates[gate.index()].given_ceiling = None;
                }
                Change::Priority(task, priority) => {
                    changed.tasks[task.index()].priority.value = priority
                }
                Change::Time(BodyRef::Task(task), time) => {
                    shorten(&mut changed.tasks[task.index()].body, time)
                }
                Change::Time(BodyRef::Method(gate, method), time) => {
                    shorten(&mut changed.gates[gate.index()].methods[method].body, time);
                }
            }
            let after = analyze(&changed, &Derived::of(&changed), &costs);
            assert!(after.tasks[repair.task.index()].is_schedulable(), "case {index}: {repair:?}");
            assert_eq!(after.tasks[repair.task.index()].response(), Some(repair.response));
            assert_eq!(after.is_schedulable(), repair.complete);
            found_some += 1;
        }
    }
    assert!(found_some > 20, "{found_some}");
}

/// Cuts computation from the end until the whole takes `time`.
fn shorten(body: &mut Body, time: Duration) {
    let mut left = time.ns();
    for step in &mut body.steps {
        if let Step::Compute { best, worst } = step {
            let kept = worst.ns().min(left);
            left -= kept;
            (*best, *worst) = (Duration((*best).ns().min(kept)), Duration(kept));
        }
    }
}

/// Core 0 has too much to do, and core 1 hardly anything; whoever moves takes its gate along.
#[test]
fn a_move_to_another_core_is_a_repair_with_the_protocol_that_its_gate_needs() {
    let mut system = Builder::default()
        .gate(Protocol::Inherited, &[compute(1)])
        .task(9, 10, &[compute(5)])
        .task(5, 10, &[compute(3), call(0)])
        .task(4, 20, &[compute(6), call(0)])
        .task(1, 100, &[compute(1)])
        .system();
    system.tasks[3].core = 1;
    let (derived, costs) = (Derived::of(&system), CostTable::zero("paper"));
    let analysis = analyze(&system, &derived, &costs);
    assert!(!analysis.is_schedulable());
    let found = fusee_bounds::moves(&system, &costs, &analysis, &|_| true);
    let repair = found.first().expect("a repair");
    assert!(repair.complete, "{found:?}");
    let text = repair.change.text(&system);
    let Change::Core { task, core: 1, between } = repair.change else { panic!("{text}") };
    // The change as it is written: what it says is what is analyzed.
    let mut changed = system.clone();
    changed.tasks[task.index()].core = 1;
    let word = format!("_priority_protocol = \"{}\"", between.name());
    if text.contains(&word) {
        changed.gates[0].protocol.value = between;
    }
    let after = analyze(&changed, &Derived::of(&changed), &costs);
    assert!(after.is_schedulable(), "{text}");
    assert_eq!(after.tasks[repair.task.index()].response(), Some(repair.response));
    // What the checks forbid is none.
    assert!(fusee_bounds::moves(&system, &costs, &analysis, &|_| false).is_empty());
    // Who has one core has nowhere to move to.
    system.tasks[3].core = 0;
    assert!(fusee_bounds::moves(&system, &costs, &analysis, &|_| true).is_empty());
}
