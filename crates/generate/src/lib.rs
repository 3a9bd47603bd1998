//! Random numbers and random systems.
//!
//! A bound that was never attacked is a claim. [`case`] draws whole systems:
//! tasks over nested gates of all protocols, with jitter, offsets, sporadic
//! arrivals, deadlines on both sides of the period, budgets that suffice and
//! budgets that end in the middle of an exclusive section, equal priorities, time
//! slices, and kernels that cost something. A case is known by its seed and
//! index alone, so a failing one is quoted in a line.
//!
//! The times of most cases are a few dozen nanoseconds: with small numbers,
//! instants coincide, and coincidences are where schedulers and analyses err. Chance
//! alone makes too few of them: two in 400,000 systems showed that a job can end with a
//! signal. So part of the systems is made of nothing else ([`Mix::coincident`]).

mod body;
mod costs;
mod deadlines;
mod gates;
mod mix;
mod random;
mod tasks;
mod words;

pub use mix::Mix;
pub use random::Random;

use fusee_model::costs::CostTable;
use fusee_model::{Duration, Notification, Origin, Sourced, System};

/// A random system with the kernel that it runs on.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The system that was drawn.
    pub system: System,
    /// The costs of its kernel's paths.
    pub costs: CostTable,
}

/// Case `index` of `seed`.
pub fn case(mix: &Mix, seed: u64, index: u64) -> Case {
    let mut random = Random::new(seed, index);
    let random = &mut random;
    let coincident = random.chance(mix.coincident);
    let drawn = mix;
    let mix = &if coincident { mix.coincident() } else { mix.clone() };
    let periods = match random.below(4) {
        _ if coincident => (4, 12),
        0 => (6, 40),
        1 => (20, 500),
        2 => (500, 10_000),
        _ => (1_000_000, 100_000_000),
    };
    let mut system = System { name: format!("random-{seed}-{index}"), ..System::default() };
    add_notifications(random, usize::from(coincident), &mut system);
    let longest = (periods.0 / random.between(2, 20)).max(1);
    let gates = gates::add(random, mix, longest, &mut system);
    let total = random.between(mix.utilisation.0, mix.utilisation.1) * 10_000;
    let count = random.between(mix.tasks.0, mix.tasks.1) as usize;
    let shares = random.split(total, count);
    tasks::add(random, mix, tasks::Load { periods, shares: &shares }, &gates, &mut system);
    if random.chance(mix.time_slice) {
        let slice = Duration(random.between(1, periods.0));
        system.settings.time_slice = Some(Sourced { value: slice, origin: Origin::NONE });
    }
    let costs = if random.chance(mix.costs) {
        costs::table(random, periods.0)
    } else {
        CostTable::zero("random")
    };
    let mut case = Case { system, costs };
    deadlines::perhaps(drawn, seed, index, &mut case);
    words::perhaps(drawn, seed, index, &mut case);
    case
}

fn add_notifications(random: &mut Random, least: usize, system: &mut System) {
    for index in 0..random.between(least as u64, 2) {
        let counting = random.chance(50);
        system.notifications.push(Notification {
            name: format!("n{index}"),
            counting,
            origin: Origin::NONE,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusee_model::Protocol;

    #[test]
    fn a_case_is_its_seed_and_index() {
        let mix = Mix::default();
        assert_eq!(case(&mix, 5, 17), case(&mix, 5, 17));
        assert_ne!(case(&mix, 5, 17).system.tasks, case(&mix, 5, 18).system.tasks);
    }

    #[test]
    fn deadlines_change_nothing_else() {
        let (without, with) = (Mix::default(), Mix { by_deadline: 40, ..Mix::default() });
        let mut kinds = std::collections::BTreeSet::new();
        for index in 0..300 {
            let (plain, mut other) = (case(&without, 5, index), case(&with, 5, index));
            if other.system.settings.policy.is_none() {
                assert_eq!(plain, other);
                continue;
            }
            kinds.extend(other.system.gates.iter().map(|gate| gate.protocol.value.name()));
            let mutexes =
                other.system.gate_ids().filter(|(id, _)| other.system.mutex(*id).is_some());
            assert!(
                mutexes.into_iter().all(|(_, gate)| gate.protocol.value == Protocol::Inherited)
            );
            other.system.settings.policy = None;
            other.system.gates.clone_from(&plain.system.gates);
            other.costs.policy = plain.costs.policy;
            assert_eq!(plain, other);
        }
        assert_eq!(
            kinds.into_iter().collect::<Vec<_>>(),
            ["fifo", "inherited", "non_preemptive", "propagated", "srp"]
        );
    }

    #[test]
    fn words_change_nothing_else() {
        let (without, with) = (Mix::default(), Mix { optimistic: 60, ..Mix::default() });
        let mut words = 0;
        for index in 0..300 {
            let (plain, mut other) = (case(&without, 5, index), case(&with, 5, index));
            words += other.system.mutex_words().count();
            for component in &mut other.system.components {
                for lock in &mut component.code.locks {
                    lock.locking.value = fusee_model::Locking::Pessimistic;
                }
            }
            other.costs.mutex = plain.costs.mutex;
            assert_eq!(plain, other);
        }
        assert!(words > 30, "{words}");
    }

    #[test]
    fn every_kind_of_thing_is_drawn() {
        let mix = Mix::default();
        let cases: Vec<Case> = (0..300).map(|index| case(&mix, 1, index)).collect();
        let gates = || cases.iter().flat_map(|c| &c.system.gates);
        let tasks = || cases.iter().flat_map(|c| &c.system.tasks);
        for &(kind, _) in mix.protocols {
            assert!(gates().filter(|g| g.protocol.value == kind).count() > 50, "{kind:?}");
        }
        assert!(gates().any(|g| g.direct) && gates().any(|g| g.given_ceiling.is_some()));
        assert!(tasks().any(|t| t.budget.is_some()));
        assert!(
            tasks().any(|t| t.release.as_ref().is_some_and(|r| r.jitter.value > r.period.value))
        );
        let signalled =
            |r: &fusee_model::Release| matches!(r.kind, fusee_model::ReleaseKind::Notification(_));
        assert!(tasks().any(|t| t.release.as_ref().is_some_and(signalled)));
        assert!(cases.iter().any(|c| c.system.settings.time_slice.is_some()));
        assert!(cases.iter().any(|c| c.costs.invoke.of(Protocol::Fifo) > Some(Duration::ZERO)));
        let ordered = tasks().all(|t| t.priority.value > 0 && t.priority.value < 255);
        assert!(ordered, "no task may share the top priority with a non-preemptive gate");
    }
}
