//! One task asked for alone, and the facts about orders on which searches rest.

use fusee_bounds::{analyze, fits, is_plain};
use fusee_generate::{Case, Mix, Random, case};
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{Duration, Priority, Protocol, System, TaskId};
use fusee_testing::given_or;

/// Systems whose tasks meet only at gates.
fn plain() -> Mix {
    let nothing = Mix { emit: 0, last: 0, wait: 0, signalled: 0, budget: 0, ..Mix::default() };
    Mix { mutex: 0, costs: 40, utilisation: (10, 90), ..nothing }
}

fn drawn(index: u64) -> Case {
    let mut case = case(&plain(), 61, index);
    // Nobody signals them.
    case.system.notifications.clear();
    case
}

#[test]
fn one_task_alone_is_judged_as_in_the_whole() {
    let mut alone = 0;
    for index in 0..given_or("FITS_SYSTEMS", 200) {
        for Case { system, costs } in [drawn(index), case(&Mix::both_policies(), 62, index)] {
            let derived = Derived::of(&system);
            let whole = analyze(&system, &derived, &costs);
            alone += u64::from(is_plain(&system));
            for bound in &whole.tasks {
                let own = fits(&system, &derived, &costs, bound.task);
                assert_eq!(own, bound.is_schedulable(), "{}: {:?}", system.name, bound.task);
            }
        }
    }
    assert!(alone > 100, "{alone}");
}

/// Gives each task a level of its own, in this order from the highest.
fn ordered(system: &System, order: &[TaskId]) -> System {
    let mut system = system.clone();
    for (rank, id) in order.iter().enumerate() {
        system.tasks[id.index()].priority.value = 200 - rank as Priority;
    }
    for gate in &mut system.gates {
        gate.given_ceiling = None;
        if gate.protocol.value == Protocol::Fifo {
            gate.protocol.value = Protocol::Inherited;
        }
    }
    system
}

fn response(system: &System, costs: &CostTable, id: TaskId) -> Option<Duration> {
    analyze(system, &Derived::of(system), costs).tasks[id.index()].response()
}

fn shuffled(random: &mut Random, mut all: Vec<TaskId>) -> Vec<TaskId> {
    for at in (1..all.len()).rev() {
        all.swap(at, random.below(at as u64 + 1) as usize);
    }
    all
}

/// A bound depends on which tasks are above and which below, and no bound grows when its task
/// moves up by one: what proofs of `solve` rest on.
#[test]
fn the_order_above_and_below_does_not_matter() {
    let (mut same, mut moved) = (0, 0);
    for index in 0..given_or("FITS_SYSTEMS", 200) {
        let Case { system, costs } = drawn(index);
        let mut random = Random::new(63, index);
        let all: Vec<TaskId> = system.task_ids().map(|(id, _)| id).collect();
        let order = shuffled(&mut random, all);
        let before = ordered(&system, &order);
        for at in 0..order.len() {
            let (above, own, below) = (&order[..at], order[at], &order[at + 1..]);
            let above = shuffled(&mut random, above.to_vec());
            let below = shuffled(&mut random, below.to_vec());
            let other = [above, vec![own], below].concat();
            let bound = response(&before, &costs, own);
            assert_eq!(bound, response(&ordered(&system, &other), &costs, own), "{index}");
            same += u64::from(bound.is_some());
            if at > 0 {
                let mut up = order.clone();
                up.swap(at - 1, at);
                let higher = response(&ordered(&system, &up), &costs, own);
                let grows = bound.is_some_and(|bound| higher.is_none_or(|other| other > bound));
                assert!(!grows, "{index}: {own:?} {bound:?} {higher:?}");
                moved += 1;
            }
        }
    }
    assert!(same > 200 && moved > 200, "{same}, {moved}");
}
