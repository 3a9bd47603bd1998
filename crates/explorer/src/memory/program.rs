//! A core's code over a memory that answers only what is known.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::Ordering;

use fusee_kernel::exchange::{Lines, Word};

use super::op::{Bits, Change, Fence, O, Op, Place, R, W, Weakness, compiled};
use super::path::{End, Path};

/// The code of a core, given its number.
pub type Program = fn(&Wires<'_>, usize);

/// The environment of a core's code: words, lines, and notes for the check at the end.
#[derive(Debug)]
pub struct Wires<'a> {
    answers: &'a [u32],
    weakness: Option<Weakness>,
    run: RefCell<Run>,
}

/// The state of a run so far.
#[derive(Debug, Default)]
struct Run {
    answered: usize,
    ops: Vec<Op>,
    notes: Vec<u32>,
}

/// The reason for which a run stops before its end.
struct Stop(End);

/// A word of the explored memory.
#[derive(Debug, Clone, Copy)]
pub struct Cell<'a> {
    wires: &'a Wires<'a>,
    number: u8,
}

impl<'a> Wires<'a> {
    /// Returns a word by its number.
    pub fn word(&'a self, number: u8) -> Cell<'a> {
        Cell { wires: self, number }
    }

    /// The core sleeps until it is interrupted.
    pub fn sleep(&self, core: usize) {
        self.run.borrow_mut().ops.push(Op::Sleep(Place::Line(core as u8)));
    }

    /// Notes a number for the check at the end.
    pub fn note(&self, what: u32) {
        self.run.borrow_mut().notes.push(what);
    }

    /// Ends the run because the awaited value is not there yet: the core looks again.
    pub fn again(&self) {
        resume_unwind(Box::new(Stop(End::Again)));
    }

    fn push(&self, op: Op, order: Ordering) {
        self.run.borrow_mut().ops.extend(compiled(op, order, self.weakness));
    }

    fn ask(&self, op: Op, order: Ordering) -> u32 {
        let next = {
            let mut run = self.run.borrow_mut();
            run.answered += 1;
            self.answers.get(run.answered - 1).copied()
        };
        let Some(answer) = next else {
            // A fence that goes with it comes behind it, once it is answered.
            let asks = compiled(op, order, self.weakness).into_iter().filter(|op| op.answers());
            self.run.borrow_mut().ops.extend(asks);
            resume_unwind(Box::new(Stop(End::Asks)));
        };
        self.push(op, order);
        answer
    }

    fn fence(&self, before: u8, after: u8, missing: Weakness) {
        if self.weakness != Some(missing) {
            self.run.borrow_mut().ops.push(Op::Fence(Fence { before, after }));
        }
    }
}

impl Word for Cell<'_> {
    fn load(&self, order: Ordering) -> u32 {
        self.wires.ask(Op::Load(Place::Word(self.number)), order)
    }

    fn store(&self, value: u32, order: Ordering) {
        self.wires.push(Op::Store(Place::Word(self.number), value), order);
    }

    fn fetch_add(&self, value: u32, order: Ordering) -> u32 {
        self.wires.ask(Op::Amo(Place::Word(self.number), Change::Add(value), Bits::NONE), order)
    }

    fn fetch_sub(&self, value: u32, order: Ordering) {
        let op = Op::Amo(Place::Word(self.number), Change::Sub(value), Bits::NONE);
        self.wires.push(op, order);
    }

    fn swap(&self, value: u32, order: Ordering) -> u32 {
        self.wires.ask(Op::Amo(Place::Word(self.number), Change::Swap(value), Bits::NONE), order)
    }

    fn fetch_or(&self, bits: u32, order: Ordering) {
        self.wires.push(Op::Amo(Place::Word(self.number), Change::Or(bits), Bits::NONE), order);
    }

    fn fetch_and(&self, bits: u32, order: Ordering) {
        self.wires.push(Op::Amo(Place::Word(self.number), Change::And(bits), Bits::NONE), order);
    }
}

impl Lines for Wires<'_> {
    fn interrupt(&self, core: usize) {
        self.push(Op::Store(Place::Line(core as u8), 1), Ordering::Relaxed);
    }

    fn withdraw(&self, core: usize) {
        self.push(Op::Store(Place::Line(core as u8), 0), Ordering::Relaxed);
    }

    fn before_devices(&self) {
        self.fence(R | W, O, Weakness::NoFenceBeforeDevices);
    }

    fn after_devices(&self) {
        self.fence(O, R, Weakness::NoFenceAfterDevices);
    }
}

/// Follows a core's code with these answers, up to the first that is missing.
pub(super) fn follow(
    (program, core): (Program, usize),
    answers: &[u32],
    weakness: Option<Weakness>,
) -> Path {
    let wires = Wires { answers, weakness, run: RefCell::default() };
    let ended = catch_unwind(AssertUnwindSafe(|| program(&wires, core)));
    let end = match ended {
        Ok(()) => End::Done,
        Err(reason) => match reason.downcast::<Stop>() {
            Ok(stop) => stop.0,
            Err(other) => resume_unwind(other),
        },
    };
    let run = wires.run.into_inner();
    Path { ops: run.ops, notes: run.notes, end }
}
