//! Nothing panics, whatever the numbers and references are.

use fusee_bounds::{advise, analyze, causes, diagnostics, repairs, sensitivity, summary};
use fusee_generate::{Case, Mix, Random, case};
use fusee_model::derived::Derived;
use fusee_model::*;

/// Returns a number from the edges of what fits.
fn extreme(random: &mut Random) -> Duration {
    let edges = [0, 1, 2, 1 << 31, 1 << 32, u64::MAX / 2, u64::MAX - 1, u64::MAX];
    Duration(random.pick(&edges).copied().unwrap_or(0))
}

fn spoil(system: &mut System, random: &mut Random) {
    let chance = random.between(5, 60) as u32;
    for task in &mut system.tasks {
        if let Some(release) = task.release.as_mut().filter(|_| random.chance(chance)) {
            release.period.value = extreme(random);
            release.jitter.value = extreme(random);
        }
        if random.chance(chance) {
            task.deadline = Some(Sourced { value: extreme(random), origin: Origin::NONE });
        }
        if let Some(budget) = task.budget.as_mut().filter(|_| random.chance(chance)) {
            budget.amount.value = extreme(random);
        }
        task.core = if random.chance(10) { 1 } else { 0 };
        spoil_body(&mut task.body, random, chance);
    }
    for gate in &mut system.gates {
        gate.methods.iter_mut().for_each(|m| spoil_body(&mut m.body, random, chance));
        if random.chance(chance / 4) {
            gate.methods.clear();
        }
    }
}

fn spoil_body(body: &mut Body, random: &mut Random, chance: u32) {
    if random.chance(chance / 4) {
        *body = Body::default();
    }
    for step in &mut body.steps {
        match step {
            _ if !random.chance(chance / 2) => {}
            Step::Compute { worst, .. } => *worst = extreme(random),
            Step::Invoke { gate, method, .. } => {
                *gate = GateId(random.below(8) as u32);
                *method = Some(random.below(3) as usize);
            }
            Step::Emit(id) | Step::Wait(id) => *id = NotificationId(random.below(5) as u32),
        }
    }
}

#[test]
fn nothing_panics() {
    let mut with_bound = 0;
    for index in 0..1500 {
        let Case { mut system, mut costs } = case(&Mix::default(), 41, index);
        let random = &mut Random::new(41, index);
        spoil(&mut system, random);
        if random.chance(20) {
            costs.release = extreme(random);
            costs.invoke.set(Protocol::Inherited, extreme(random));
            costs.time_slice = extreme(random);
        }
        let derived = Derived::of(&system);
        let analysis = analyze(&system, &derived, &costs);
        let mut messages = diagnostics(&system, &analysis, &|_| None);
        let _ = summary(&system, &derived, &analysis);
        analysis.tasks.iter().for_each(|task| drop(causes(&system, task, 3)));
        with_bound += analysis.tasks.iter().filter(|t| t.bound.is_ok()).count();
        if index.is_multiple_of(10) {
            let found = repairs(&system, &derived, &costs, &analysis);
            advise(&system, &analysis, &found, &|_| None, &mut messages);
            let _ = sensitivity(&system, &derived, &costs, &analysis);
        }
    }
    assert!(with_bound > 500, "{with_bound}");
}
