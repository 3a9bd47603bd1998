//! The effect of a kernel's instructions on its paths, with several cores.
//!
//! The kernel's own debugging information says which function an instruction comes from,
//! also where that was inlined: so what is under a gate's lock is told apart without a
//! word of the kernel's, which would take time itself.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use fusee_image_format::CORE_BYTES;
use fusee_measure::{Mark, Recorder, Role, Section};
use fusee_platform::Platform;
use fusee_run::Seen;
use fusee_wcet::lines::Line;

use super::program::{KernelProgram, wrong};
use crate::problem::Problem;

/// The code that stays in one core's kernel.
pub(super) struct KernelCode {
    range: Range<u64>,
    marks: HashMap<u64, Mark>,
}

impl KernelCode {
    /// Reads the program of a platform's kernel.
    ///
    /// # Errors
    /// It can't be read, or says nothing of what its code comes from.
    pub(super) fn read(path: &Path, platform: Platform) -> Result<Self, Problem> {
        let kernel = KernelProgram::read(path)?;
        let marks = marks(&kernel, !platform.traits().clock_runs_asleep);
        let roles = [Role::Leaves, Role::Sleeps, Role::Locks, Role::Frees].map(Some);
        let sections = Section::FUNCTIONS.map(|(_, section)| Some(section));
        let all = |is: &dyn Fn(&Mark) -> bool| marks.values().any(is);
        let known = roles.into_iter().all(|role| all(&|mark| mark.role == role))
            && sections.into_iter().all(|section| all(&|mark| mark.section == section));
        if !known {
            return Err(wrong(path, "does not say where it locks gates between cores"));
        }
        Ok(Self { range: kernel.range, marks })
    }

    /// Returns the address ranges of the kernels of so many cores.
    pub(super) fn ranges(&self, cores: usize) -> Vec<Range<u64>> {
        let of = |core: u64| {
            let by = core * CORE_BYTES;
            self.range.start + by..self.range.end + by
        };
        (0..cores as u64).map(of).collect()
    }

    /// Tells a recorder of the instruction at an address.
    pub(super) fn tell(&self, recorder: &mut Recorder, address: u64) {
        let (core, offset) = self.place(address);
        recorder.see(core, offset, self.mark(offset));
    }

    /// Tells a recorder of what a core retires.
    pub(super) fn tell_at(&self, recorder: &mut Recorder, seen: Seen) {
        match seen.address {
            None => recorder.outside(seen.core, seen.cycle),
            Some(address) => {
                let mark = self.mark(self.place(address).1);
                recorder.see_at(seen.core, seen.cycle, mark);
            }
        }
    }

    /// Returns the core whose kernel an address is in, and the offset there.
    fn place(&self, address: u64) -> (usize, u64) {
        let from = address.saturating_sub(self.range.start);
        ((from / CORE_BYTES) as usize, from % CORE_BYTES)
    }

    fn mark(&self, offset: u64) -> Mark {
        self.marks.get(&(self.range.start + offset)).copied().unwrap_or_default()
    }
}

fn marks(kernel: &KernelProgram, polls: bool) -> HashMap<u64, Mark> {
    let marked = kernel.instructions().map(|one| {
        let mark = mark(one.mnemonic, &one.lines);
        let polls = polls && awaits(one.mnemonic, &one.lines);
        (one.address, Mark { role: mark.role.or(polls.then_some(Role::Sleeps)), ..mark })
    });
    marked.filter(|&(_, mark)| mark != Mark::default()).collect()
}

fn is(line: &Line, name: &str) -> bool {
    line.function.rsplit("::").next() == Some(name)
}

/// Returns `true` if a core that does not sleep waits here: it looks again and again at what is
/// pending, as it does in each loop in which others sleep, or whether a lock is its own.
fn awaits(mnemonic: &str, lines: &[Line]) -> bool {
    let any = |name: &str| lines.iter().any(|line| is(line, name));
    any("wait_a_little") || mnemonic.starts_with("csrr") && any("pending")
}

/// Returns the mark of an instruction that comes from these lines, the innermost first.
fn mark(mnemonic: &str, lines: &[Line]) -> Mark {
    let locked = lines.iter().any(|line| is(line, "locked"));
    let within = |name: &str| locked && lines.iter().any(|line| is(line, name));
    let role = match mnemonic {
        "mret" => Some(Role::Leaves),
        "wfi" => Some(Role::Sleeps),
        _ if mnemonic.starts_with("amoadd") && locked => Some(Role::Locks),
        _ if mnemonic.contains("sw") && within("atomic_store") => Some(Role::Frees),
        _ => None,
    };
    let section = Section::FUNCTIONS.iter().find(|(name, _)| within(name));
    Mark { role, section: section.map(|&(_, section)| section) }
}
