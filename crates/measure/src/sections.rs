//! The paths of kernels of several cores, from the instructions they executed.
//!
//! No clock tells what one core does while cores take turns; so each instruction that a
//! machine executes in a kernel is looked at. A path begins behind the instruction with
//! which the one before left the kernel or fell asleep, and its length is the number of
//! instructions up to its own such end, that one included. Where cycles are told
//! ([`Recorder::see_at`]), it is the time from the last instruction before the kernel to the
//! first one behind it. Within it the sections are told apart that hold the lock of a gate
//! between cores.

/// The effect of an instruction of the kernel on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It leaves the kernel.
    Leaves,
    /// It sleeps until something is to be done.
    Sleeps,
    /// It draws the number by which a lock is given.
    Locks,
    /// It gives the lock on.
    Frees,
}

/// The kind of section under a gate's lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// A thread asks.
    Ask,
    /// A thread that has asked no longer runs.
    Lose,
    /// A thread that has asked runs again.
    Gain,
    /// The core has been told to look.
    Look,
    /// The activation passes a gate below.
    Pass,
    /// The activation comes back.
    Leave,
}

impl Section {
    /// All, with the names of the kernel's functions that do nothing else.
    pub const FUNCTIONS: [(&'static str, Section); 7] = [
        ("ask_locked", Section::Ask),
        ("lose", Section::Lose),
        ("gain", Section::Gain),
        ("look_locked", Section::Look),
        ("pass", Section::Pass),
        ("leave", Section::Leave),
        ("unlock", Section::Leave),
    ];
}

/// The known facts about one instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mark {
    /// Its role, if it concerns paths.
    pub role: Option<Role>,
    /// The section that it is part of, if it is of one only.
    pub section: Option<Section>,
}

/// A section of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    /// The kind of section.
    pub section: Section,
    /// Instructions under the lock: from behind the one that draws a number to the one that gives
    /// the lock on.
    pub held: u64,
    /// Requests at all gates before the section.
    pub requests: u32,
    /// Instructions of the path before the lock was asked for.
    pub from: u64,
    /// The number of sections of all cores before it.
    pub number: u64,
}

/// A path through one core's kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelPath {
    /// The number of the core.
    pub core: usize,
    /// The number of instructions.
    pub length: u64,
    /// Its sections, in order.
    pub sections: Vec<Held>,
    /// `true` if the core slept at its end; else a component goes on.
    pub sleeps: bool,
}

impl KernelPath {
    /// Iterates over the kinds of its sections.
    pub fn kinds(&self) -> impl Iterator<Item = Section> + '_ {
        self.sections.iter().map(|held| held.section)
    }

    /// Returns its first section.
    pub fn first(&self) -> Option<&Held> {
        self.sections.first()
    }
}

/// The path that a core is on.
#[derive(Debug, Clone, Default)]
struct UnderWay {
    /// The time at which it began, by the core's clock.
    begun: u64,
    /// The present time.
    now: u64,
    sections: Vec<Held>,
    /// The time at which a number was drawn, while the lock is not given on.
    drawn: Option<u64>,
    section: Option<Section>,
    /// It has waited for a lock, or what it did there is unknown: nothing is said of it.
    spoilt: bool,
    /// It has left the kernel, and nothing is known yet of what comes behind.
    leaves: bool,
    last: Option<u64>,
}

impl UnderWay {
    fn length(&self) -> u64 {
        self.now - self.begun
    }
}

/// Takes instructions, and makes paths of them.
#[derive(Debug, Clone)]
pub struct Recorder {
    cores: Vec<UnderWay>,
    requests: u32,
    /// Sections so far.
    sections: u64,
    /// The paths that have ended, in order.
    pub paths: Vec<KernelPath>,
    /// Paths that waited for a lock.
    pub waited: u64,
}

impl Recorder {
    /// Returns all sections in the order in which they had the gate, each with its path.
    pub fn in_order(&self) -> Vec<(Held, &KernelPath)> {
        let all = self.paths.iter().flat_map(|path| path.sections.iter().map(move |&s| (s, path)));
        let mut all: Vec<_> = all.collect();
        all.sort_by_key(|(held, _)| held.number);
        all
    }

    /// Nothing seen yet, of so many cores. What the start does is no path.
    pub fn new(cores: usize) -> Self {
        let starts = UnderWay { spoilt: true, ..UnderWay::default() };
        Self { cores: vec![starts; cores], requests: 0, sections: 0, paths: Vec::new(), waited: 0 }
    }

    /// A core executes the instruction at an offset in its kernel.
    ///
    /// QEMU begins one that reaches a device a second time, at the right moment: that is one
    /// instruction. None in the kernel jumps to itself.
    pub fn see(&mut self, core: usize, offset: u64, mark: Mark) {
        let Some(path) = self.cores.get_mut(core) else { return };
        if path.last.replace(offset) == Some(offset) {
            return;
        }
        path.now += 1;
        if !self.take(core, mark) {
            self.end(core, false);
        }
    }

    /// A core retires an instruction of its kernel in a cycle.
    pub fn see_at(&mut self, core: usize, cycle: u64, mark: Mark) {
        let Some(path) = self.cores.get(core) else { return };
        if path.leaves {
            self.end(core, false);
        }
        self.cores[core].now = cycle;
        self.cores[core].leaves = !self.take(core, mark);
    }

    /// A core retires an instruction in a cycle that is the last before its kernel, or the first
    /// behind.
    pub fn outside(&mut self, core: usize, cycle: u64) {
        let Some(path) = self.cores.get_mut(core) else { return };
        path.now = cycle;
        if path.leaves {
            self.end(core, false);
        }
        self.cores[core].begun = cycle;
    }

    /// Takes an instruction into account; returns `true` if the kernel goes on.
    fn take(&mut self, core: usize, mark: Mark) -> bool {
        let path = &mut self.cores[core];
        if path.drawn.is_some() {
            path.section = path.section.or(mark.section);
        }
        match mark.role {
            None => {}
            Some(Role::Locks) => (path.drawn, path.section) = (Some(path.now), None),
            Some(Role::Frees) => self.free(core),
            Some(Role::Sleeps) if path.drawn.is_some() => {
                self.waited += u64::from(!path.spoilt);
                path.spoilt = true;
            }
            Some(Role::Sleeps) => self.end(core, true),
            Some(Role::Leaves) => return false,
        }
        true
    }

    fn free(&mut self, core: usize) {
        let path = &mut self.cores[core];
        let (Some(from), Some(section)) = (path.drawn.take(), path.section.take()) else {
            path.spoilt = true;
            return;
        };
        let (held, requests) = (path.now - from, self.requests);
        let from = from - path.begun;
        let number = self.sections;
        self.sections += 1;
        path.sections.push(Held { section, held, requests, from, number });
        match section {
            Section::Ask => self.requests += 1,
            Section::Leave => self.requests = self.requests.saturating_sub(1),
            Section::Lose | Section::Gain | Section::Look | Section::Pass => {}
        }
    }

    fn end(&mut self, core: usize, sleeps: bool) {
        let now = self.cores[core].now;
        let next = UnderWay { begun: now, now, ..UnderWay::default() };
        let path = std::mem::replace(&mut self.cores[core], next);
        if !path.spoilt {
            let (length, sections) = (path.length(), path.sections);
            self.paths.push(KernelPath { core, length, sections, sleeps });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Instructions by their letters: `.` nothing, `m` out, `w` asleep, `+` a number, `-` free, and
    /// those of sections.
    fn seen(cores: usize, text: &str) -> Recorder {
        let mut recorder = Recorder::new(cores);
        for (offset, word) in text.split_whitespace().enumerate() {
            let (core, letter) = word.split_at(1);
            let role = match letter {
                "m" => Some(Role::Leaves),
                "w" => Some(Role::Sleeps),
                "+" => Some(Role::Locks),
                "-" => Some(Role::Frees),
                _ => None,
            };
            let section = match letter {
                "a" => Some(Section::Ask),
                "l" => Some(Section::Leave),
                "o" => Some(Section::Look),
                _ => None,
            };
            let core = core.parse().unwrap();
            recorder.see(core, offset as u64, Mark { role, section });
        }
        recorder
    }

    #[test]
    fn paths_of_cores_that_take_turns_are_told_apart() {
        let run = seen(
            2,
            "0. 0m 1w 0. 0+ 0. 0a 1. 1. 1+ 1a 0- 0. 0m 1- 1w 0+ 0l 0- 0m 1. 1+ 1o 1- 1m 0. 0m",
        );
        let lengths: Vec<_> =
            run.paths.iter().map(|path| (path.core, path.length, path.sleeps)).collect();
        let expected = [(0, 7, false), (1, 6, true), (0, 4, false), (1, 5, false), (0, 2, false)];
        assert_eq!(lengths, expected);
        let sections: Vec<_> = run.paths.iter().filter_map(KernelPath::first).collect();
        let told: Vec<_> =
            sections.iter().map(|held| (held.section, held.held, held.requests)).collect();
        let expected = [
            (Section::Ask, 3, 0),
            (Section::Ask, 2, 1),
            (Section::Leave, 2, 2),
            (Section::Look, 2, 1),
        ];
        assert_eq!(told, expected);
    }

    /// A path takes from the last cycle before the kernel to the first behind it; a core that wakes
    /// begins where it slept, and one that is interrupted at once has been nowhere between.
    #[test]
    fn cycles_count_what_is_around_the_kernel() {
        let mut recorder = Recorder::new(2);
        let at = |role| Mark { role, section: Some(Section::Look) };
        recorder.see_at(0, 5, at(Some(Role::Leaves)));
        recorder.outside(0, 9);
        recorder.outside(0, 20);
        recorder.see_at(0, 27, at(Some(Role::Locks)));
        recorder.see_at(1, 28, at(Some(Role::Sleeps)));
        recorder.see_at(0, 31, at(Some(Role::Frees)));
        recorder.see_at(0, 33, at(Some(Role::Leaves)));
        recorder.outside(0, 40);
        recorder.see_at(1, 41, at(Some(Role::Sleeps)));
        recorder.see_at(0, 43, at(Some(Role::Leaves)));
        recorder.see_at(0, 50, at(Some(Role::Leaves)));
        recorder.outside(0, 60);
        let lengths: Vec<_> = recorder.paths.iter().map(|path| (path.core, path.length)).collect();
        assert_eq!(lengths, [(0, 20), (1, 13), (0, 3), (0, 17)]);
        let held = recorder.paths[0].first().expect("a section");
        assert_eq!((held.held, held.from), (4, 7));
    }

    #[test]
    fn who_waits_for_a_lock_or_does_something_unknown_there_is_left_out() {
        let run = seen(1, "0m 0+ 0w 0a 0- 0m 0+ 0. 0- 0m 0. 0m");
        assert_eq!((run.paths.len(), run.paths[0].length, run.waited), (1, 2, 1));
    }
}
