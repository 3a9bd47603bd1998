//! The additions of gates between cores to a cost table.
//!
//! As elsewhere an entry is the longest that was seen, and where the model adds entries
//! up, the sum covers the measured whole: a path after which somebody no longer runs who
//! has asked is a release and what is added to it. Where a path is made of several
//! sections and the entries of these do not cover it, the last one's is raised.

use fusee_model::costs::{CoreCosts, CostTable};
use fusee_model::{Duration, Policy, Protocol};

use crate::path::longest;
use crate::{Guard, KernelPath, NotMeasured, Path, Recorder, Section};

/// The delay of the platform's timer, which is in the entry of a release.
const LATE: u64 = 100;

/// The measurements of systems of several cores.
#[derive(Debug, Clone, Default)]
pub struct CoresSeen {
    /// Paths by the clock: through free gates, stubs of both sides included.
    pub by_clock: Vec<Path>,
    /// Paths of watched kernels, by their only gate or mutex.
    pub watched: Vec<(Guard, Recorder)>,
}

/// Instructions of a path's sections, each up to the next one.
fn spans(path: &KernelPath) -> impl Iterator<Item = (Section, u64)> + '_ {
    let ends = path.sections.iter().skip(1).map(|held| held.from).chain([path.length]);
    path.sections.iter().zip(ends).map(|(held, end)| (held.section, end - held.from))
}

impl CoresSeen {
    fn clock(&self, name: &str) -> Result<u64, NotMeasured> {
        longest(&self.by_clock, name)
    }

    fn paths(&self) -> impl Iterator<Item = (Guard, &KernelPath)> {
        self.watched
            .iter()
            .flat_map(|(guard, recorder)| recorder.paths.iter().map(|path| (*guard, path)))
    }

    /// Returns the longest path of one section.
    fn alone(&self, section: Section, guard: Option<Guard>) -> Result<u64, NotMeasured> {
        let is = |&(of, path): &(Guard, &KernelPath)| {
            path.kinds().eq([section]) && guard.is_none_or(|wanted| wanted == of)
        };
        let longest = self.paths().filter(is).map(|(_, path)| path.length).max();
        longest.ok_or_else(|| NotMeasured(format!("{section:?} between cores")))
    }

    /// Checks that a table covers all watched paths and locks.
    ///
    /// # Errors
    /// The sentence.
    pub fn covered_by(&self, table: &CostTable) -> Result<(), String> {
        let costs = table.cores.ok_or("the table says nothing of several cores")?;
        for (guard, path) in self.paths() {
            let kinds: Vec<_> = path.kinds().collect();
            if let Some(held) = path.sections.iter().find(|held| held.held > costs.lock.ns()) {
                return Err(format!("{held:?} of {guard:?} is longer than {}", costs.lock.ns()));
            }
            let Some((_, known)) = covered(table, costs, guard, path) else { continue };
            if path.length > known {
                return Err(format!("{kinds:?} of {guard:?} takes {}, not {known}", path.length));
            }
        }
        Ok(())
    }

    /// Returns the time of components around a call and its answer: a round trip by the clock
    /// without its two paths.
    fn stubs(&self, policy: Policy) -> Result<u64, NotMeasured> {
        let free = |section, requests| {
            let is = |path: &&KernelPath| {
                path.kinds().eq([section])
                    && path.first().is_some_and(|held| held.requests == requests)
            };
            let gates = self.paths().filter(|(guard, _)| *guard != Guard::Mutex);
            let paths = gates.map(|(_, path)| path).filter(is);
            paths.map(|path| path.length).min()
        };
        let both = free(Section::Ask, 0).zip(free(Section::Leave, 1));
        let (ask, leave) = both.ok_or_else(|| NotMeasured("a free gate".to_owned()))?;
        let mut longest = 0;
        for protocol in Protocol::between_cores(policy) {
            longest = longest.max(self.clock(&format!("round_trip.{}", protocol.name()))?);
        }
        Ok(longest.saturating_sub(ask + leave))
    }

    /// Returns the time of a way through a gate: by the clock where it is free, and with the same
    /// stubs where others are there.
    fn way(
        &self,
        (name, section): (&str, Section),
        protocol: Protocol,
        stubs: u64,
    ) -> Result<u64, NotMeasured> {
        let free = self.clock(&format!("{name}.{}", protocol.name()))?;
        let guard = Some(Guard::Gate(protocol));
        Ok(free.max(self.alone(section, guard)? + stubs))
    }

    /// Returns the longest search for a present request: the difference between sections in which a
    /// thread loses its core, some of which do not look at all.
    fn search(&self) -> u64 {
        let all = || self.paths().flat_map(|(_, path)| &path.sections);
        let lost = || all().filter(|held| held.section == Section::Lose).map(|held| held.held);
        let most = lost().max().unwrap_or(0);
        most - lost().min().unwrap_or(most)
    }

    /// Returns the time of a way through a mutex, with the stubs of a gate, which are longer.
    fn of_mutex(&self, section: Section, stubs: u64) -> Result<Duration, NotMeasured> {
        Ok(Duration(self.alone(section, Some(Guard::Mutex))? + stubs))
    }

    /// Returns the table with all that these systems add.
    ///
    /// # Errors
    /// A path is missing.
    pub fn add_to(&self, mut table: CostTable) -> Result<CostTable, NotMeasured> {
        let stubs = self.stubs(table.policy)?;
        for protocol in Protocol::between_cores(table.policy) {
            let ask = self.way(("invoke", Section::Ask), protocol, stubs)?;
            let leave = self.way(("return", Section::Leave), protocol, stubs)?;
            // Who comes back looks for somebody present as who loses its core does, and may not
            // have had to look as far.
            let leave = if protocol.helps() { leave + self.search() } else { leave };
            table.invoke.set(protocol, Duration(ask));
            table.return_.set(protocol, Duration(leave));
        }
        let mut pass = 0;
        for protocol in Protocol::between_cores(table.policy) {
            for way in ["in", "out"] {
                pass = pass.max(self.clock(&format!("pass.{way}.{}", protocol.name()))?);
            }
        }
        let lock = self.paths().flat_map(|(_, path)| &path.sections).map(|held| held.held).max();
        let mut costs = CoreCosts {
            lock: Duration(lock.ok_or_else(|| NotMeasured("gate_lock.held".to_owned()))?),
            look: Duration(self.alone(Section::Look, None)?),
            lose: Duration::ZERO,
            gain: Duration::ZERO,
            pass: Duration(pass),
            mutex_lock: Some(self.of_mutex(Section::Ask, stubs)?),
            mutex_unlock: Some(self.of_mutex(Section::Leave, stubs)?),
        };
        for (_, path) in self.paths() {
            for (section, span) in spans(path) {
                raise(&mut costs, section, span);
            }
        }
        for (guard, path) in self.paths() {
            let Some((last, known)) = covered(&table, costs, guard, path) else { continue };
            let entry = entry(&costs, last);
            raise(&mut costs, last, entry + path.length.saturating_sub(known));
        }
        table.cores = Some(costs);
        Ok(table)
    }
}

fn entry(costs: &CoreCosts, section: Section) -> u64 {
    match section {
        Section::Lose => costs.lose.ns(),
        Section::Gain => costs.gain.ns(),
        Section::Look => costs.look.ns(),
        Section::Ask | Section::Leave | Section::Pass => 0,
    }
}

fn raise(costs: &mut CoreCosts, section: Section, to: u64) {
    let entry = match section {
        Section::Lose => &mut costs.lose,
        Section::Gain => &mut costs.gain,
        Section::Look | Section::Ask | Section::Leave | Section::Pass => return,
    };
    *entry = (*entry).max(Duration(to));
}

/// Returns the last section that can be charged more, and what the entries say of a whole path;
/// none: there are no sections.
fn covered(
    table: &CostTable,
    costs: CoreCosts,
    guard: Guard,
    path: &KernelPath,
) -> Option<(Section, u64)> {
    let protocol = guard.protocol();
    let first = match path.first()?.section {
        Section::Ask if guard == Guard::Mutex => costs.mutex_lock?.ns(),
        Section::Leave if guard == Guard::Mutex => costs.mutex_unlock?.ns(),
        Section::Ask => table.invoke.of(protocol)?.ns(),
        Section::Leave => table.return_.of(protocol)?.ns(),
        Section::Look => costs.look.ns(),
        Section::Lose => table.release.ns().saturating_sub(LATE) + costs.lose.ns(),
        Section::Gain => table.completion.ns() + costs.gain.ns(),
        Section::Pass => return None,
    };
    let rest = path.kinds().skip(1).map(|section| entry(&costs, section)).sum::<u64>();
    Some((path.kinds().last()?, first + rest))
}
