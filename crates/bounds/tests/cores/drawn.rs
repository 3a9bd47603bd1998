//! Systems of several cores, drawn.

use fusee_generate::Random;
use fusee_model::costs::{CoreCosts, CostTable, ProtocolCosts};
use fusee_model::*;
use fusee_testing::systems::{Builder, call, compute};

/// Returns a body of a few steps, with one call at most of each gate.
fn body(random: &mut Random, longest: u64, gates: &[usize]) -> Vec<Step> {
    let mut steps = Vec::new();
    for &gate in gates {
        if random.chance(60) {
            steps.push(compute(random.between(0, longest)));
            steps.push(call(gate));
        }
    }
    if steps.is_empty() || random.chance(70) {
        steps.push(compute(random.between(1, longest)));
    }
    steps
}

/// The properties that systems are drawn from.
#[derive(Clone, Copy)]
pub(crate) struct Mix<'a> {
    /// The policy of all cores; none: each has one of its own.
    pub(crate) policy: Option<Policy>,
    pub(crate) protocols: &'a [Protocol],
    pub(crate) seed: u64,
    /// The unit of all times.
    pub(crate) unit: u64,
    /// The most that a path costs.
    pub(crate) path: u64,
    /// Some periods are so many times as long as others.
    pub(crate) spread: u64,
}

/// Returns a system of its index.
pub(crate) fn drawn(mix: Mix<'_>, index: u64) -> System {
    let Mix { protocols, seed, unit, .. } = mix;
    let random = &mut Random::new(seed, index);
    let cores = random.between(2, 4) as usize;
    let mut between = |low, high| compute(random.between(low, high));
    let (first, second, behind) = (between(1, 5), between(0, 3), between(1, 3));
    let mut protocol = || protocols[random.below(protocols.len() as u64) as usize];
    let (one, other) = (protocol(), protocol());
    // Gates 0 and 1 are between cores, gate 2 is behind gate 1, one local gate for each core.
    let mut builder = Builder::default()
        .gate(one, &[first])
        .gate(other, &[second, call(2)])
        .gate(Protocol::Propagated, &[behind]);
    for _ in 0..cores {
        let ceiling = mix.ceiling();
        let local = [Protocol::Inherited, ceiling, Protocol::NonPreemptive];
        let local = local[random.below(3) as usize];
        // Who holds a local gate must not be suspended.
        let inside: &[usize] = if random.chance(60) && one != Protocol::Mpcp { &[0] } else { &[] };
        let steps = body(random, 3, inside);
        builder = builder.gate(local, &steps);
    }
    let mut places = Vec::new();
    for core in 0..cores {
        for _ in 0..random.between(1, 4) {
            let steps = body(random, 6, &[0, 3 + core, 1]);
            let period = random.between(15, 80) * (1 + random.below(mix.spread));
            let priority = random.between(1, 12) as u8;
            builder = builder.task(priority, period, &steps);
            places.push(core as u32);
        }
    }
    let mut system = builder.system();
    stretch(&mut system, unit);
    for (task, core) in system.tasks.iter_mut().zip(places) {
        task.core = core;
        let Some(release) = &mut task.release else { continue };
        if random.chance(20) {
            release.jitter.value = Duration(random.between(0, release.period.value.ns()));
        }
        if random.chance(20) {
            release.kind = ReleaseKind::Sporadic;
        }
    }
    guarded(&mut system, Random::new(seed ^ 0x3a7e, index));
    decided(system, mix, random)
}

/// Some of the gates between cores are mutexes, where they have the protocol of those.
fn guarded(system: &mut System, mut random: Random) {
    for gate in &system.gates[..2] {
        if gate.protocol.value == Protocol::Msrp && random.chance(30) {
            let lock = Lock::mutex(gate.interface.clone());
            system.components[gate.component.index()].code.locks.push(lock);
        }
    }
}

impl Mix<'_> {
    /// Returns the protocol of one core under which nobody finds a gate held.
    fn ceiling(&self) -> Protocol {
        match self.policy {
            Some(Policy::FixedPriority) => Protocol::Fixed,
            // Under fixed priorities the same.
            Some(Policy::EarliestDeadline) | None => Protocol::Srp,
        }
    }
}

/// Returns the system under the policy that is asked for, or two in turn; with deadlines where they
/// decide.
fn decided(mut system: System, mix: Mix<'_>, random: &mut Random) -> System {
    let sourced = |policy| Sourced { value: policy, origin: Origin::NONE };
    system.settings.policy = mix.policy.map(sourced);
    if mix.policy.is_none() {
        let first = random.below(2) as usize;
        let of = |core: u32| Policy::ALL[(first + core as usize) % 2];
        system.settings.core_policies =
            (0..system.cores()).map(|core| (core, sourced(of(core)))).collect();
    }
    let policies: Vec<Policy> = system.tasks.iter().map(|t| system.policy_on(t.core)).collect();
    for (task, policy) in system.tasks.iter_mut().zip(policies) {
        let Some(release) = &task.release else { continue };
        let period = release.period.value.ns();
        if policy == Policy::EarliestDeadline && random.chance(60) {
            let value = Duration(random.between(period / 4, period).max(1));
            task.deadline = Some(Sourced { value, origin: Origin::NONE });
        }
    }
    system
}

/// Returns a system of its index in which there is little but a meeting at one gate: short tasks, a
/// job of each. Core 0 has one, which asks several times; the others have one or two that do, and
/// some that interrupt.
pub(crate) fn meeting(mix: Mix<'_>, index: u64) -> System {
    let Mix { protocols, seed, unit, .. } = mix;
    let random = &mut Random::new(seed, index);
    let cores = random.between(2, 4) as usize;
    let protocol = protocols[random.below(protocols.len() as u64) as usize];
    let behind: &[usize] = if random.chance(40) { &[1] } else { &[] };
    let section: Vec<Step> = [compute(random.between(1, 4 * unit))]
        .into_iter()
        .chain(behind.iter().map(|&gate| call(gate)))
        .collect();
    let mut builder = Builder::default()
        .gate(protocol, &section)
        .gate(Protocol::Propagated, &[compute(random.between(0, unit))]);
    let mut places = Vec::new();
    for core in 0..cores {
        let (others, users) = match core {
            0 => (0, 1),
            _ => (random.between(0, 4), random.between(1, 2)),
        };
        for number in 0..users + others {
            let asks = if number < users { random.between(1, 4) as usize } else { 0 };
            let length = random.between(0, unit / 2);
            let steps = [vec![compute(length)], vec![call(0); asks]].concat();
            let priority = random.between(1, 9) as u8;
            builder = builder.task(priority, MEETING * unit, &steps);
            places.push(core as u32);
        }
    }
    let mut system = builder.system();
    system.tasks.iter_mut().zip(places).for_each(|(task, core)| task.core = core);
    decided(system, mix, random)
}

/// Returns a system of its index in which up to three tasks of each core ask up to three times at
/// one of two gates, a job of each.
pub(crate) fn crowd(mix: Mix<'_>, index: u64) -> System {
    let Mix { protocols, seed, unit, .. } = mix;
    let random = &mut Random::new(seed, index);
    let cores = random.between(2, 3) as usize;
    let mut builder = Builder::default();
    for _ in 0..2 {
        let protocol = protocols[random.below(protocols.len() as u64) as usize];
        builder = builder.gate(protocol, &[compute(random.between(1, 8))]);
    }
    let local = [mix.ceiling(), Protocol::Inherited, Protocol::NonPreemptive];
    for _ in 0..cores {
        let local = local[random.below(3) as usize];
        builder = builder.gate(local, &[compute(random.between(1, 8))]);
    }
    let mut places = Vec::new();
    for core in 0..cores {
        for _ in 0..random.between(1, 3) {
            let mut steps = vec![compute(random.between(0, 3))];
            for _ in 0..random.below(4) {
                let gate = [0, 0, 1, 2 + core][random.below(4) as usize];
                steps.extend([call(gate), compute(random.between(0, 2))]);
            }
            builder = builder.task(random.between(1, 9) as u8, MEETING, &steps);
            places.push(core as u32);
        }
    }
    let mut system = builder.system();
    stretch(&mut system, unit);
    system.tasks.iter_mut().zip(places).for_each(|(task, core)| task.core = core);
    decided(system, mix, random)
}

/// Units of time in which a meeting is over.
pub(crate) const MEETING: u64 = 400;

/// Makes all times longer.
fn stretch(system: &mut System, unit: u64) {
    let longer = |time: &mut Duration| time.0 *= unit;
    let bodies = system.tasks.iter_mut().map(|task| &mut task.body);
    let methods = system.gates.iter_mut().flat_map(|gate| &mut gate.methods);
    for body in bodies.chain(methods.map(|method| &mut method.body)) {
        for step in &mut body.steps {
            if let Step::Compute { best, worst } = step {
                longer(best);
                longer(worst);
            }
        }
    }
    for task in &mut system.tasks {
        task.deadline.iter_mut().for_each(|deadline| longer(&mut deadline.value));
        task.release.iter_mut().for_each(|release| longer(&mut release.period.value));
    }
}

/// Draws the costs of kernels: each path something, or one or two of them much and the others
/// nothing, so that each term of a bound is the largest now and then.
pub(crate) fn costs(mix: Mix<'_>, index: u64) -> CostTable {
    let mut table = CostTable::zero("drawn");
    table.policy = mix.policy.unwrap_or_default();
    table.also = mix.policy.is_none().then_some(Policy::EarliestDeadline);
    let random = &mut Random::new(mix.seed ^ 0xc057, index);
    let all = random.chance(30);
    let (one, other) = (random.below(9), random.below(9));
    let mut number = 0;
    let mut path = || {
        number += 1;
        let counts = all || number == one + 1 || number == other + 1;
        Duration(if counts { random.between(mix.path / 2, mix.path) } else { 0 })
    };
    let (ask, back) = (path(), path());
    table.invoke = ProtocolCosts::of_each(|_| Some(ask));
    table.return_ = ProtocolCosts::of_each(|_| Some(back));
    (table.release, table.completion) = (path(), path());
    let (lock, look) = (path(), path());
    let (lose, gain, pass) = (path(), path(), path());
    let (mutex_lock, mutex_unlock) = (Some(ask), Some(back));
    table.cores = Some(CoreCosts { lock, look, lose, gain, pass, mutex_lock, mutex_unlock });
    (table.block, table.handoff, table.inherit_step) = (path(), path(), path());
    table
}

/// Returns a system of its index in which local gates are nested: behind that of a core perhaps
/// another one, which some of its tasks pass themselves.
pub(crate) fn nested(mix: Mix<'_>, index: u64) -> System {
    let mut system = drawn(mix, index);
    let random = &mut Random::new(mix.seed ^ 0x4e57, index);
    for core in 0..system.cores() {
        let (outer, inner) = (3 + core as usize, system.gates.len());
        if outer >= inner || random.chance(40) {
            continue;
        }
        let mut gate = system.gates[outer].clone();
        let protocols = [Protocol::Inherited, mix.ceiling(), Protocol::NonPreemptive];
        gate.protocol.value = protocols[random.below(3) as usize];
        gate.methods[0].body.steps = vec![compute(random.between(1, 3) * mix.unit)];
        system.gates.push(gate);
        system.gates[outer].methods[0].body.steps.push(call(inner));
        for task in system.tasks.iter_mut().filter(|task| task.core == core) {
            if random.chance(40) {
                task.body.steps.push(call(inner));
            }
        }
    }
    system
}
