//! Drawn systems on two Rocket cores in Verilog: no bound exceeded.
//!
//! What runs on QEMU's cores takes turns; here cores meet at gates, locks and the memory. The
//! systems are written as descriptions and built from them alone, each component a stub that
//! executes its times. `ROCKET_SYSTEMS` says how many; then the seed is a fresh one, unless
//! `ROCKET_SEED` gives it. `ROCKET_FIRST` is the first one's number, so that a single one can be
//! run again.

use std::path::{Path, PathBuf};

use fusee_generate::Random;
use fusee_model::costs::CostTable;
use fusee_model::{Duration, Origin, Protocol, Sourced, Step, System};
use fusee_platform::{KernelConfig, Platform};
use fusee_soundness::description;
use fusee_testing::systems::{Builder, call, compute};
use fusee_testing::{Campaign, Held, Tool, document};
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// The name of the platform.
const ROCKET: &str = "rtl-rocket";
/// In `make test`.
const FEW: u64 = 1;
/// The seed of the systems.
const SEED: u64 = 20_261_125;
/// The length of a microsecond.
const US: u64 = 1_000;
/// The length of each run: a job of each task, and several of those that interrupt.
const RUN: u64 = 700 * US;

/// The ranges that the times of a system are drawn from.
#[derive(Clone, Copy)]
struct Times {
    /// The shortest and the longest execution without a call.
    execution: (u64, u64),
    /// The last instant at which a task's first job is released.
    together: u64,
}

/// Sections and jobs that are long beside the kernel's paths.
const LONG: Times = Times { execution: (US, 15 * US), together: 150 * US };
/// Next to nothing but kernel paths, so that a bound leaves little room for anything else; a stub
/// needs its shortest time for itself.
const SHORT: Times = Times { execution: (600, 2 * US), together: 15 * US };

impl Times {
    fn step(self, random: &mut Random) -> Step {
        compute(random.between(self.execution.0, self.execution.1))
    }

    /// Some steps with calls of some of these gates.
    fn body(self, random: &mut Random, gates: &[usize]) -> Vec<Step> {
        let mut steps = vec![self.step(random)];
        for &gate in gates {
            if random.chance(65) {
                steps.extend([call(gate), self.step(random)]);
            }
        }
        steps
    }
}

/// Returns a system of its index: two gates between cores, behind the second perhaps another one; a
/// local gate for each core; on each core up to three tasks that use them, and one that interrupts.
fn drawn(seed: u64, index: u64) -> System {
    let random = &mut Random::new(seed, index);
    let times = if random.chance(60) { SHORT } else { LONG };
    let mut protocol = || {
        let all = [Protocol::Msrp, Protocol::Mrsp, Protocol::Mpcp];
        all[random.below(3) as usize]
    };
    let (one, other) = (protocol(), protocol());
    let behind: &[usize] = if random.chance(40) { &[2] } else { &[] };
    let (first, below) = (times.step(random), times.step(random));
    let behind: Vec<Step> =
        [times.step(random)].into_iter().chain(behind.iter().map(|&gate| call(gate))).collect();
    let mut builder = Builder::default()
        .gate(one, &[first])
        .gate(other, &behind)
        .gate(Protocol::Propagated, &[below]);
    for _ in 0..2 {
        let local =
            [Protocol::Inherited, Protocol::Fixed, Protocol::Fifo][random.below(3) as usize];
        // Who holds a local gate must not be suspended.
        let inside = random.chance(40) && local != Protocol::Fifo && one != Protocol::Mpcp;
        let inside: &[usize] = if inside { &[0] } else { &[] };
        let steps = times.body(random, inside);
        builder = builder.gate(local, &steps);
    }
    let mut cores = Vec::new();
    for core in 0..2 {
        for _ in 0..random.between(1, 3) {
            let steps = times.body(random, &[0, 3 + core, 1]);
            let period = random.between(2_000, 4_000) * US;
            builder = builder.task(random.between(2, 100) as u8, period, &steps);
            cores.push(core as u32);
        }
        let steps = [times.step(random)];
        let period = random.between(180, 500) * US;
        builder = builder.task(random.between(50, 200) as u8, period, &steps);
        cores.push(core as u32);
    }
    placed(builder, &cores, || Duration(random.between(0, times.together)))
}

/// Returns the system with a core and the instant of the first job for each task, whose names are
/// those of their components.
fn placed(builder: Builder, cores: &[u32], mut offset: impl FnMut() -> Duration) -> System {
    let mut system = builder.system();
    // By default it is 1 ms, which is longer than what is looked at.
    system.settings.startup = Some(Sourced { value: Duration(400 * US), origin: Origin::NONE });
    for (task, &core) in system.tasks.iter_mut().zip(cores) {
        task.core = core;
        task.name = system.components[task.component.index()].name.clone();
        if let Some(release) = &mut task.release {
            release.offset = offset();
        }
    }
    system
}

/// Two tasks that ask at one gate at the same time, for so long, and do next to nothing else.
fn meeting(section: u64) -> System {
    let steps = [compute(US), call(0), compute(US)];
    let builder = Builder::default().gate(Protocol::Msrp, &[compute(section)]);
    let builder = builder.task(3, 2_000 * US, &steps).task(2, 2_000 * US, &steps);
    placed(builder, &[0, 1], || Duration(10 * US))
}

/// Boots a system; what the command says of it.
fn boot(system: &System, folder: &Path) -> Result<Value, String> {
    let file = folder.join("drawn.camkes");
    std::fs::create_dir_all(folder).expect("a scratch folder");
    std::fs::write(&file, description(system, 1)).expect("a scratch file");
    let time = format!("{RUN}ns");
    let options = ["--platform", ROCKET, "--stubs", "--json", "--for", &time, "-o", "build"];
    let run = FUSEE.run_in(folder, &[&["run", "drawn.camkes"], &options[..]].concat());
    let said = || String::from_utf8_lossy(&run.stderr).into_owned();
    let json: Value =
        serde_json::from_slice(&run.stdout).map_err(|error| format!("{error}\n{}", said()))?;
    if json["tasks"].as_array().is_some_and(|tasks| tasks.len() == system.tasks.len() + 1) {
        return Ok(json);
    }
    Err(format!("it did not run:\n{}", said()))
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("rocket-drawn-{name}"))
}

#[test]
fn drawn_systems_of_two_cores_keep_their_bounds() {
    let campaign = Campaign::asked("ROCKET_SYSTEMS", "ROCKET", (FEW, SEED));
    let Campaign { seed, first, count } = campaign;
    println!("{campaign:?}");
    let folder = folder(&format!("{seed}-{first}"));
    let (mut broken, mut held) = (Vec::new(), Held::default());
    for index in campaign.systems() {
        let run = boot(&drawn(seed, index), &folder);
        let wrong = run.map_or_else(|why| vec![why], |run| held.judge(&run));
        if !wrong.is_empty() {
            println!("system {index} of seed {seed}: {}", wrong.join("\n  "));
            broken.push(index);
        }
        if (index + 1 - first).is_multiple_of(10) {
            println!("{} of {count} systems, {held:?}", index + 1 - first);
        }
    }
    println!("{held:?}");
    assert!(
        broken.is_empty(),
        "of seed {seed}, systems {broken:?}: again by ROCKET_SEED, ROCKET_FIRST, ROCKET_SYSTEMS"
    );
    assert!(held.bounds >= 2 * count, "only {held:?} for {count} systems");
}

/// Bounds from a table that says a tenth of what paths take are exceeded by the same run.
#[test]
#[ignore = "takes half a minute; `make soundness` runs it"]
fn costs_that_are_too_small_are_found() {
    let folder = folder("small");
    let mut run = boot(&meeting(US), &folder).expect("it runs");
    assert_eq!(Held::default().judge(&run), Vec::<String>::new(), "{run:#}");
    let costs = Platform::RtlRocket.descriptor().costs_of(KernelConfig::PLAIN.on(2), 2);
    let table = CostTable::from_toml(costs.expect("measured")).expect("a table");
    let file = folder.join("small.toml").display().to_string();
    std::fs::write(&file, table.scaled(1, 10).to_toml().expect("a table")).expect("a file");
    let arguments = ["analyze", "drawn.camkes", "--platform", ROCKET, "--costs", &file, "--json"];
    let analysis = document(&FUSEE.run_in(&folder, &arguments));
    let bound = |name: &Value| {
        let tasks = analysis["tasks"].as_array().expect("tasks");
        tasks.iter().find(|task| task["name"] == *name).expect("it")["response_bound_ns"].clone()
    };
    for task in run["tasks"].as_array_mut().expect("tasks") {
        task["response_bound_ns"] = bound(&task["name"]);
    }
    assert_ne!(Held::default().judge(&run), Vec::<String>::new(), "{run:#}");
}

/// The thread that asks second waits for the section on the other core: a bound without that would
/// be exceeded.
#[test]
#[ignore = "takes half a minute; `make soundness` runs it"]
fn a_section_of_the_other_core_is_in_the_bound() {
    let section = 300 * US;
    let run = boot(&meeting(section), &folder("long")).expect("it runs");
    assert_eq!(Held::default().judge(&run), Vec::<String>::new(), "{run:#}");
    let exceeds = |task: &Value| {
        let number = |key: &str| task[key].as_u64();
        let both = number("response_max_ns").zip(number("response_bound_ns"));
        both.is_some_and(|(longest, bound)| longest > bound - section)
    };
    assert!(run["tasks"].as_array().expect("tasks").iter().any(exceeds), "{run:#}");
}
