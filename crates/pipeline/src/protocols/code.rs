//! What the instructions of a kernel of several cores do to its paths.
//!
//! The kernel's own debugging information says which function an instruction comes from,
//! also where that was inlined: so what is under a gate's lock is told apart without a
//! word of the kernel's, which would take time itself.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use fusee_image_format::CORE_BYTES;
use fusee_measure::{Mark, Recorder, Role, Section};
use fusee_wcet::lines::Line;

use super::program::{KernelProgram, wrong};
use crate::problem::Problem;

/// The code that stays in one core's kernel.
pub(super) struct KernelCode {
    range: Range<u64>,
    marks: HashMap<u64, Mark>,
}

impl KernelCode {
    /// Reads a kernel's program.
    ///
    /// # Errors
    /// It can't be read, or says nothing of what its code comes from.
    pub(super) fn read(path: &Path) -> Result<Self, Problem> {
        let kernel = KernelProgram::read(path)?;
        let marks = marks(&kernel);
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

    /// Where the kernels of so many cores are.
    pub(super) fn ranges(&self, cores: usize) -> Vec<Range<u64>> {
        let of = |core: u64| {
            let by = core * CORE_BYTES;
            self.range.start + by..self.range.end + by
        };
        (0..cores as u64).map(of).collect()
    }

    /// Tells a recorder of the instruction at an address.
    pub(super) fn tell(&self, recorder: &mut Recorder, address: u64) {
        let from = address.saturating_sub(self.range.start);
        let (core, offset) = (from / CORE_BYTES, from % CORE_BYTES);
        let mark = self.marks.get(&(self.range.start + offset)).copied().unwrap_or_default();
        recorder.see(core as usize, offset, mark);
    }
}

fn marks(kernel: &KernelProgram) -> HashMap<u64, Mark> {
    let marked = kernel.instructions().map(|one| (one.address, mark(one.mnemonic, &one.lines)));
    marked.filter(|&(_, mark)| mark != Mark::default()).collect()
}

/// What an instruction does that comes from these lines, the innermost first.
fn mark(mnemonic: &str, lines: &[Line]) -> Mark {
    let is = |line: &Line, name: &str| line.function.rsplit("::").next() == Some(name);
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
