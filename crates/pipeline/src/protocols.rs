//! The costs of gates between cores.
//!
//! The measuring systems of several cores run while each instruction of their kernels is
//! watched, since no clock tells what one core does where cores take turns. Only what goes
//! through free gates is also taken by the clock, with the stubs of both sides.

mod code;
mod document;
mod program;
mod share;

use std::ops::RangeInclusive;

use fusee_image_format::shared_bytes;
use fusee_measure::{
    Between, CoresSeen, Guard, MOST_REQUESTS, Path, PathBetween, PathsBetween, Recorder, free,
};
use fusee_model::{Policy, Protocol};
use fusee_platform::{Host, KernelPolicy, Platform, Verilog};
use fusee_run::Looking;
use fusee_tables::described_policy;

use crate::measuring::{self, Asked, built, measure, setting};
use crate::problem::Problem;
use crate::progress;
use crate::together::with_each;
use code::KernelCode;
pub use document::OfCores;
use share::Shares;

/// The longest queue that dos Santos et al. (2023) measured.
const ARTICLE_USERS: usize = 20;

/// The measured costs of gates between cores.
#[derive(Debug)]
pub struct MeasuredBetween {
    /// The paths, by name, cores and waiting threads.
    pub paths: Vec<PathBetween>,
    /// The sums from which the cost table is made.
    pub seen: CoresSeen,
}

/// Paths of one core in systems of so many.
#[derive(Debug)]
pub struct Local {
    /// The number of cores.
    pub cores: usize,
    /// The measured paths.
    pub paths: Vec<Path>,
}

/// All results about the protocols.
#[derive(Debug)]
pub struct Found {
    /// Gates between cores.
    pub between: MeasuredBetween,
    /// Paths of one core, first in a system of one.
    pub local: Vec<Local>,
    /// The code that each protocol adds to the kernel.
    pub protocols: Vec<Added>,
}

/// The code that a protocol adds to a kernel that has `propagated` gates only.
#[derive(Debug, Clone, Copy)]
pub struct Added {
    /// The protocol in question.
    pub protocol: Protocol,
    /// Bytes of code.
    pub code_bytes: u64,
    /// Bytes that one gate with it takes of the kernels' memory: between cores with two users, on
    /// two cores.
    pub data_bytes: u64,
}

/// Returns the reason for which gates between cores can't be measured, in a sentence.
pub fn obstacle(platform: Platform) -> Option<String> {
    let descriptor = platform.descriptor();
    if descriptor.cores < 2 {
        return Some(format!(
            "{platform} has one core: gates between cores are measured on `{}`",
            Platform::DEFAULT
        ));
    }
    let watched = match descriptor.host {
        Host::Emulator(_) => true,
        Host::Board(board) => board.cores == Verilog::Rocket,
    };
    (!watched).then(|| {
        format!(
            "on {platform} nobody sees each instruction of a core: gates between cores are \
             measured on `{}`",
            Platform::DEFAULT
        )
    })
}

/// Systems from which the cost table is made: those with the fewest and the most cores, and queues
/// as long as they can be.
fn for_costs(cores: RangeInclusive<usize>, policy: Policy) -> Vec<Between> {
    let (fewest, most) = cores.into_inner();
    let with = |cores, budgets| {
        let of = |guard, users| Between { guard, cores, users, budgets, policy };
        let msrp = [Guard::Gate(Protocol::Msrp), Guard::Mutex].map(|guard| of(guard, cores - 1));
        let others = [(Protocol::Mrsp, cores - 1), (Protocol::Mpcp, MOST_REQUESTS - 1)];
        let others = others.map(|(protocol, users)| of(Guard::Gate(protocol), users));
        let by_priority = policy == Policy::FixedPriority;
        msrp.into_iter().chain(others.into_iter().filter(move |_| by_priority))
    };
    // Who executes for whom depends on how many there are.
    let helps = |between: &Between| between.guard.protocol().helps();
    let few = [3, 4].into_iter().filter(|cores| (fewest + 1..=most).contains(cores));
    let few = few.flat_map(|cores| with(cores, true).filter(helps));
    // Time is counted at each switch where there are budgets.
    let many = (most > fewest).then(|| with(most, true));
    let all = with(fewest, true).chain(few);
    all.chain(many.into_iter().flatten()).chain(with(most, false)).collect()
}

/// Returns systems that show the growth of costs with the cores and with the waiting threads.
fn for_figure(most: usize) -> Vec<Between> {
    let of = |cores: usize| {
        let between = move |protocol, users| Between {
            guard: Guard::Gate(protocol),
            cores,
            users,
            budgets: false,
            policy: Policy::FixedPriority,
        };
        [
            between(Protocol::Msrp, cores - 1),
            between(Protocol::Mrsp, cores - 1),
            between(Protocol::Mpcp, ARTICLE_USERS),
        ]
    };
    (2..=most).flat_map(of).collect()
}

/// Measures the costs that the cost table needs.
///
/// # Errors
/// A measuring system can't be built or run.
pub fn costs(asked: &Asked) -> Result<MeasuredBetween, Problem> {
    // Where cores share a memory, fewer would have slowed each other less.
    let parallel = asked.platform.descriptor().parallel;
    let cores = if parallel { asked.cores..=asked.cores } else { 2..=most(asked) };
    run(asked, for_costs(cores, described_policy(asked.policy)))
}

/// Measures everything about the protocols.
///
/// # Errors
/// A measuring system can't be built or run.
pub fn all(asked: &Asked) -> Result<Found, Problem> {
    let mut systems = for_costs(2..=most(asked), Policy::FixedPriority);
    for between in for_figure(most(asked)) {
        if !systems.contains(&between) {
            systems.push(between);
        }
    }
    let mut local = Vec::new();
    let mut numbers = vec![1, 2, most(asked)];
    numbers.dedup();
    for cores in numbers {
        local.push(Local { cores, paths: measuring::paths(asked, cores, LOCAL_RUNS)? });
    }
    Ok(Found { protocols: added(asked)?, between: run(asked, systems)?, local })
}

/// Returns the code of each protocol in the kernels that have it.
///
/// # Errors
/// A kernel can't be built or read.
pub fn added(asked: &Asked) -> Result<Vec<Added>, Problem> {
    let shares = |policy, cores| {
        let kernel = asked.variant.under(policy).on(cores);
        let built = fusee_kernel_build::build(asked.platform, kernel, &|_| ());
        Shares::of(&built.map_err(|error| Problem::tool(error.to_string()))?)
    };
    let priorities = shares(KernelPolicy::FIXED_PRIORITY, 1)?;
    let deadlines = shares(KernelPolicy::EARLIEST_DEADLINE, 1)?;
    let ceilings = shares(KernelPolicy::PRIORITY_CEILING, 1)?;
    let several = shares(KernelPolicy::FIXED_PRIORITY, 2)?;
    let word = asked.platform.word_bytes();
    let shared = |gates: &[(usize, usize)]| shared_bytes((2, 0, 0), gates.iter().copied(), word);
    // As large on a host of 64 bits as on a target of as many.
    let gate = size_of::<fusee_kernel::Gate>() as u64;
    let of = |protocol: Protocol| {
        let shares = match protocol {
            Protocol::Srp | Protocol::NonPreemptive => &deadlines,
            Protocol::Ceiling => &ceilings,
            _ if protocol.is_global() => &several,
            _ => &priorities,
        };
        let between = shared(&[(2, 0)]) - shared(&[]) + 2 * gate;
        let data_bytes = if protocol.is_global() { between } else { gate };
        Added { protocol, code_bytes: shares.bytes(protocol), data_bytes }
    };
    Ok(Protocol::ALL.into_iter().map(of).collect())
}

fn most(asked: &Asked) -> usize {
    asked.platform.descriptor().cores as usize
}

fn run(asked: &Asked, systems: Vec<Between>) -> Result<MeasuredBetween, Problem> {
    let (mut seen, mut paths) = (CoresSeen::default(), PathsBetween::default());
    for budgets in [false, true] {
        let mut setting = setting(asked.platform);
        setting.runs = setting.runs.min(FREE_RUNS);
        // Who asks for all protocols names no number.
        let cores = asked.cores.max(2);
        let experiment = free(setting, described_policy(asked.policy), budgets, cores);
        let found = progress::during(&experiment.name, || measure(&experiment, asked))?;
        for path in found {
            let named = path.name.split_once('.').filter(|_| !budgets);
            if let Some(("round_trip", protocol)) = named {
                let name = format!("{protocol}.round_trip");
                paths.add(&name, (2, 0), (path.min, path.max));
            }
            seen.by_clock.push(path);
        }
    }
    let watched = with_each(&systems, |between| watched(between, asked));
    for (between, recorder) in systems.iter().zip(watched) {
        let recorder = recorder?;
        // On a board cores do not come in the order that is meant.
        if !asked.platform.descriptor().parallel {
            let shown = between.is_shown_by(&recorder);
            shown.map_err(|error| Problem::tool(error.to_string()))?;
        }
        if !between.budgets {
            paths.add_of(between, &recorder);
        }
        seen.watched.push((between.guard, recorder));
    }
    Ok(MeasuredBetween { paths: paths.all(), seen })
}

/// The number of times that paths of one core are taken.
const LOCAL_RUNS: u64 = 200;
/// The number of times that free gates are passed.
const FREE_RUNS: u64 = 1_000;

/// Returns the paths of a system of several cores.
///
/// # Errors
/// It can't be built or run, or nothing is known of its kernel.
pub fn watched(between: &Between, asked: &Asked) -> Result<Recorder, Problem> {
    let experiment = between.experiment(setting(asked.platform).others);
    progress::during(&experiment.name, || {
        let built = built(&experiment, asked)?;
        let kernel = built.with_file_name(crate::build::KERNEL);
        let code = KernelCode::read(&kernel, asked.platform)?;
        let image = fusee_run::Image::read(&built)?;
        let mut recorder = Recorder::new(between.cores);
        let (ranges, time) = (code.ranges(between.cores), experiment.duration);
        match asked.platform.descriptor().host {
            Host::Emulator(_) => fusee_run::watch(&image, time, &ranges, &mut |at| {
                code.tell(&mut recorder, at);
            })?,
            Host::Board(_) => {
                let looking = Looking { code: &ranges, latency: None };
                fusee_run::watch_cycles(&image, time, &looking, &mut |seen| {
                    code.tell_at(&mut recorder, seen);
                })?;
            }
        }
        Ok(recorder)
    })
}
