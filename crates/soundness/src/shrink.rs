//! Smaller systems that break a bound the same way.
//!
//! A violation in a system of six tasks says little. Each round tries every
//! simplification (a task less, a step less, no jitter, no costs, shorter times)
//! and keeps the first one after which some bound is still exceeded; the end is
//! a system that no single simplification leaves broken.

use crate::judge::{Violation, judge};
use crate::scenarios::Effort;
use fusee_generate::Case;
use fusee_model::costs::CostTable;
use fusee_model::{Body, Duration, Step, System};

/// Returns the smallest case found, with its violation; `None` when the case breaks no bound.
pub fn shrink(case: &Case, effort: &Effort) -> Option<(Case, Violation)> {
    let mut best = (case.clone(), broken(case, effort)?);
    while let Some(smaller) =
        candidates(&best.0).into_iter().find_map(|c| broken(&c, effort).map(|v| (c, v)))
    {
        best = smaller;
    }
    Some(best)
}

fn broken(case: &Case, effort: &Effort) -> Option<Violation> {
    judge(case, effort).ok()?.attack.violation
}

fn candidates(case: &Case) -> Vec<Case> {
    let mut all = Vec::new();
    if !case.costs.is_zero() {
        all.push(Case { costs: CostTable::zero("random"), ..case.clone() });
    }
    let mut with = |change: &mut dyn FnMut(&mut System)| {
        let mut smaller = case.clone();
        change(&mut smaller.system);
        if smaller != *case {
            all.push(smaller);
        }
    };
    with(&mut |system| system.settings.time_slice = None);
    for index in 0..case.system.tasks.len() {
        with(&mut |system| drop(system.tasks.remove(index)));
        with(&mut |system| system.tasks[index].budget = None);
        with(&mut |system| {
            if let Some(release) = &mut system.tasks[index].release {
                release.jitter.value = Duration::ZERO;
            }
        });
        with(&mut |system| {
            if let Some(release) = &mut system.tasks[index].release {
                release.offset = Duration::ZERO;
            }
        });
    }
    for body in 0..bodies(&mut case.system.clone()).len() {
        let steps = bodies(&mut case.system.clone())[body].steps.len();
        for step in 0..steps {
            with(&mut |system| {
                bodies(system)[body].steps.remove(step);
            });
            with(&mut |system| shorten(&mut bodies(system)[body].steps[step], |ns| ns / 2));
            with(&mut |system| {
                shorten(&mut bodies(system)[body].steps[step], |ns| ns.saturating_sub(1))
            });
        }
    }
    all
}

fn bodies(system: &mut System) -> Vec<&mut Body> {
    let methods =
        system.gates.iter_mut().flat_map(|gate| &mut gate.methods).map(|method| &mut method.body);
    system.tasks.iter_mut().map(|task| &mut task.body).chain(methods).collect()
}

fn shorten(step: &mut Step, shorter: fn(u64) -> u64) {
    if let Step::Compute { best, worst } = step {
        *worst = Duration(shorter(worst.ns()));
        *best = (*best).min(*worst);
    }
}
