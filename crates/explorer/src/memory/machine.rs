//! Memory, and what each core has asked of it and has been answered.

use super::op::{Op, Place, in_order};
use super::path::{End, Path};
use super::paths::Paths;

/// The state of one core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Core {
    /// The answers to its operations in the order of its code: those that are not done are guessed.
    pub(super) answers: Vec<u32>,
    /// The operations that are done, one bit for each.
    done: u64,
}

/// The state of the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Machine {
    pub(super) words: Vec<u32>,
    pub(super) lines: Vec<u32>,
    pub(super) cores: Vec<Core>,
}

/// The next step of a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The operation at this place of its code is done.
    Do(usize, Op),
    /// It goes on as if the last operation had been answered so.
    Guess(u32),
}

impl Core {
    fn is_done(&self, at: usize) -> bool {
        self.done >> at & 1 == 1
    }

    /// Returns `true` if all answers are those of operations that are done.
    fn knows(&self, path: &Path) -> bool {
        (0..self.answers.len()).all(|answer| path.asks(answer).is_some_and(|at| self.is_done(at)))
    }

    /// Iterates over the operations of its code that are not done.
    fn open<'p>(&'p self, path: &'p Path) -> impl Iterator<Item = usize> + use<'p> {
        let fence = |at: &usize| matches!(path.ops[*at], Op::Fence(_));
        (0..path.ops.len()).filter(move |at| !self.is_done(*at) && !fence(at))
    }
}

impl Machine {
    pub(super) fn start(cores: usize, words: usize) -> Machine {
        let core = Core { answers: Vec::new(), done: 0 };
        Machine { words: vec![0; words], lines: vec![0; cores], cores: vec![core; cores] }
    }

    pub(super) fn encode(&self) -> Box<[u8]> {
        let mut bytes: Vec<u8> =
            self.words.iter().chain(&self.lines).map(|value| *value as u8).collect();
        for core in &self.cores {
            bytes.push(core.answers.len() as u8);
            bytes.extend(core.answers.iter().map(|answer| *answer as u8));
            bytes.extend(core.done.to_le_bytes());
        }
        bytes.into_boxed_slice()
    }

    /// Returns the steps that a core may take next, with the states that they lead to. No guess is
    /// above `most`.
    pub(super) fn steps(&self, paths: &mut Paths, core: usize, most: u32) -> Vec<(Step, Machine)> {
        let path = paths.of(core, &self.cores[core].answers);
        let mut steps = Vec::new();
        for at in self.cores[core].open(&path) {
            let free = self.cores[core]
                .open(&path)
                .take_while(|&earlier| earlier < at)
                .all(|earlier| !in_order(&path.ops, earlier, at));
            if free && self.stands(paths, (core, at), most) {
                let done = self.done(paths, core, at);
                steps.extend(done.map(|after| (Step::Do(at, path.ops[at]), after)));
            }
        }
        if path.end == End::Asks {
            for guess in 0..=most {
                let mut after = self.clone();
                after.cores[core].answers.push(guess);
                if after.gains(paths, core, most) {
                    steps.push((Step::Guess(guess), after));
                }
            }
        }
        steps
    }

    /// Returns `true` if something that the last answer leads to could be done before it is there:
    /// else there is nothing in guessing it.
    fn gains(&self, paths: &mut Paths, core: usize, most: u32) -> bool {
        let own = &self.cores[core];
        let path = paths.of(core, &own.answers);
        let Some(asked) = path.asks(own.answers.len() - 1) else { return false };
        let passes = |at: usize, paths: &mut Paths| {
            let op = path.ops[at];
            op.place().is_some()
                && !in_order(&path.ops, asked, at)
                && (!op.writes() || op.answers() || self.is_same(paths, (core, at), most))
        };
        path.end != End::Again && (asked + 1..path.ops.len()).any(|at| passes(at, paths))
    }

    /// Returns `true` if an operation is the same whatever the last answer is.
    fn is_same(&self, paths: &mut Paths, (core, at): (usize, usize), most: u32) -> bool {
        let mut answers = self.cores[core].answers.clone();
        let op = paths.of(core, &answers).ops.get(at).copied();
        answers.pop();
        (0..=most).all(|other| {
            answers.push(other);
            let same = paths.of(core, &answers).ops.get(at).copied() == op;
            answers.pop();
            same
        })
    }

    /// Returns `true` if an operation is what its core does whatever it does not know yet: what
    /// changes memory or a device cannot be taken back.
    fn stands(&self, paths: &mut Paths, (core, at): (usize, usize), most: u32) -> bool {
        let own = &self.cores[core];
        let path = paths.of(core, &own.answers);
        if !path.ops[at].writes() {
            return true;
        }
        let earlier: Vec<usize> = own.open(&path).take_while(|&earlier| earlier < at).collect();
        if earlier.iter().any(|&earlier| matches!(path.ops[earlier], Op::Sleep(_))) {
            return false;
        }
        let guessed = (0..own.answers.len())
            .filter(|&answer| path.asks(answer).is_some_and(|asks| earlier.contains(&asks)));
        guessed.into_iter().all(|answer| {
            (0..=most).all(|other| {
                let mut answers = own.answers.clone();
                answers[answer] = other;
                paths.of(core, &answers).ops.get(at) == path.ops.get(at)
            })
        })
    }

    /// Returns the state after an operation, if it can be done now.
    fn done(&self, paths: &mut Paths, core: usize, at: usize) -> Option<Machine> {
        let path = paths.of(core, &self.cores[core].answers);
        let mut after = self.clone();
        after.cores[core].done |= 1 << at;
        match path.ops[at] {
            Op::Fence(_) => return None,
            Op::Sleep(line) => (*after.at(line) == 1).then_some(())?,
            Op::Store(place, value) => *after.at(place) = value,
            Op::Load(place) => {
                let forwarded = self.cores[core]
                    .open(&path)
                    .take_while(|&earlier| earlier < at)
                    .filter_map(|earlier| match path.ops[earlier] {
                        Op::Store(other, value) if other == place => Some(value),
                        _ => None,
                    })
                    .last();
                let value = forwarded.unwrap_or(*after.at(place));
                after.answer(paths, core, (at, value))?;
            }
            Op::Amo(place, change, ..) => {
                let old = *after.at(place);
                *after.at(place) = change.of(old);
                if path.ops[at].answers() {
                    after.answer(paths, core, (at, old))?;
                }
            }
        }
        Some(after)
    }

    /// Answers an operation: as was guessed, or for the first time.
    fn answer(&mut self, paths: &mut Paths, core: usize, (at, value): (usize, u32)) -> Option<()> {
        let path = paths.of(core, &self.cores[core].answers);
        let number = path.ops[..at].iter().filter(|op| op.answers()).count();
        let answers = &mut self.cores[core].answers;
        match answers.get(number) {
            Some(guess) => (*guess == value).then_some(()),
            None => {
                answers.push(value);
                // Nothing has come of it; it is done again when the value is another.
                (paths.of(core, answers).end != End::Again).then_some(())
            }
        }
    }

    fn at(&mut self, place: Place) -> &mut u32 {
        match place {
            Place::Word(word) => &mut self.words[usize::from(word)],
            Place::Line(core) => &mut self.lines[usize::from(core)],
        }
    }

    /// Returns `true` if nothing is guessed.
    pub(super) fn is_certain(&self, paths: &mut Paths) -> bool {
        self.cores.iter().enumerate().all(|(core, own)| own.knows(&paths.of(core, &own.answers)))
    }

    /// Returns the state of a core that can do nothing more.
    pub(super) fn rest(&self, paths: &mut Paths, core: usize) -> Rest {
        let own = &self.cores[core];
        let path = paths.of(core, &own.answers);
        match own.open(&path).next().map(|at| path.ops[at]) {
            None => Rest::Done,
            Some(Op::Sleep(_)) => Rest::Sleeps,
            Some(_) => Rest::Waits,
        }
    }
}

/// The state of a core at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    /// Its code is at its end.
    Done,
    /// It waits for an interrupt.
    Sleeps,
    /// It waits for a value that does not come.
    Waits,
}
