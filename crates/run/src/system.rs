//! The facts about a system that its image still tells.
//!
//! Priorities, deadlines and protocols are in the kernel's tables, names in the
//! manifest; execution times are nowhere. That is enough to count jobs and
//! misses, and no bound can be given.

use fusee_image_format::Blob;
use fusee_kernel as kernel;
use fusee_model::{
    Body, Code, Component, Duration, Gate, OnFault, Origin, Policy, PrioritySource, Protocol,
    Release, ReleaseKind, Settings, Sourced, System, Task,
};
use fusee_tables::{described, described_policy};

use std::collections::BTreeMap;

use crate::Manifest;

/// Returns the system behind an image, without execution times; from the tables of its cores, of
/// which there is at least one.
pub(crate) fn of(manifest: &Manifest, cores: &[Blob<'_>]) -> System {
    let blob = &cores[0];
    let threads = threads(manifest, cores);
    let tasks = manifest.threads.iter().take(manifest.tasks).enumerate();
    let tasks = tasks.filter_map(|(index, named)| Some((named, threads.get(&index)?)));
    let gates = manifest.gates.iter().zip(blob.gates.iter().flatten());
    let mut gates: Vec<Gate> =
        gates.map(|(named, entry)| gate(&named.name, &entry.config)).collect();
    for global in &manifest.globals {
        let protocol = Protocol::ALL.iter().find(|known| known.name() == global.protocol);
        if let (Some(gate), Some(&protocol)) = (gates.get_mut(usize::from(global.gate)), protocol) {
            gate.protocol = sourced(protocol);
        }
    }
    System {
        name: manifest.system.clone(),
        tasks: tasks
            .map(|(named, config)| task(&named.name, config, blob.header.startup))
            .collect(),
        gates,
        components: manifest
            .components
            .iter()
            .map(|component| self::component(&component.name))
            .collect(),
        settings: Settings {
            policy: Some(policy(blob)),
            core_policies: (0..).zip(cores).map(|(core, blob)| (core, policy(blob))).collect(),
            ..Settings::default()
        },
        ..System::default()
    }
}

/// Returns the scheduling policy of a core.
fn policy(blob: &Blob<'_>) -> Sourced<Policy> {
    sourced(described_policy(blob.header.policy))
}

/// Returns the kernels' tables of the manifest's threads.
fn threads(manifest: &Manifest, cores: &[Blob<'_>]) -> BTreeMap<usize, kernel::ThreadConfig> {
    let mut all = BTreeMap::new();
    for (core, blob) in cores.iter().enumerate() {
        let numbers = manifest.numbers(core);
        for (thread, entry) in blob.threads.iter().flatten().enumerate() {
            let mut config = entry.config;
            let level = numbers.levels.get(usize::from(config.priority));
            config.priority = level.copied().unwrap_or(config.priority);
            let number = numbers.thread(kernel::ThreadIndex(thread as u16));
            all.insert(usize::from(number), config);
        }
    }
    all
}

fn sourced<T>(value: T) -> Sourced<T> {
    Sourced { value, origin: Origin::NONE }
}

fn task(name: &str, config: &kernel::ThreadConfig, startup: u64) -> Task {
    let release = |kind, period, offset: u64| Release {
        kind,
        period: sourced(Duration(period)),
        offset: Duration(offset.saturating_sub(startup)),
        jitter: sourced(Duration::ZERO),
    };
    Task {
        name: name.to_owned(),
        component: usize::from(config.component.0).into(),
        release: match config.release {
            kernel::Release::Once { .. } => None,
            kernel::Release::Periodic { period, offset } => {
                Some(release(ReleaseKind::Periodic, period, offset))
            }
            kernel::Release::Sporadic { separation, .. } => {
                Some(release(ReleaseKind::Sporadic, separation, 0))
            }
        },
        deadline: (config.deadline != kernel::NEVER).then(|| sourced(Duration(config.deadline))),
        priority: sourced(config.priority),
        priority_source: PrioritySource::Given,
        core: u32::from(config.core),
        budget: None,
        body: Body::default(),
        origin: Origin::NONE,
    }
}

/// Returns a gate or a mutex, which lets one in as an exclusive gate does.
fn gate(name: &str, config: &kernel::GateConfig) -> Gate {
    Gate {
        name: name.to_owned(),
        component: usize::from(config.component.0).into(),
        interface: name.rsplit('.').next().unwrap_or_default().to_owned(),
        protocol: sourced(described(config.protocol)),
        given_ceiling: None,
        methods: Vec::new(),
        direct: false,
        given_threads: None,
        origin: Origin::NONE,
    }
}

fn component(name: &str) -> Component {
    Component {
        name: name.to_owned(),
        kind: String::new(),
        control: false,
        hardware: false,
        domain: 0_usize.into(),
        on_fault: OnFault::Continue,
        startup: None,
        dependencies: false,
        trusted: true,
        lock_component: None,
        interfaces: Vec::new(),
        attributes: Vec::new(),
        code: Code::default(),
        origin: Origin::NONE,
    }
}
