//! The place of each thread in its code, and the rest of the present step.
//!
//! This is all the state that the simulator has of a thread. Whether it runs,
//! waits or is suspended, only the kernel knows.

use crate::locks::{Locks, Slept};
use crate::program::{Address, Entry, Op, Program};
use crate::{Execution, Options};
use fusee_generate::Random;

/// One thread's place.
#[derive(Debug, Clone)]
struct Place {
    /// The next step.
    at: Address,
    /// Execution left before it.
    remaining: u64,
    /// Return addresses, the innermost last; a direct call has no frame in the kernel.
    frames: Vec<Frame>,
}

#[derive(Debug, Clone, Copy)]
struct Frame {
    back: Address,
    way: Way,
}

/// The way in which a thread got to its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Through a gate.
    Gate,
    /// By a direct call.
    Direct,
    /// By locking the mutex in this slot.
    Mutex(u16),
}

/// The request of a thread to the kernel once it has executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Request {
    /// To execute for [`Interpreter::remaining`].
    Execute,
    /// Through the gate of this capability; the step is [`Interpreter::enter`]ed if the kernel
    /// agrees.
    Invoke(u16, Entry),
    /// Back through the innermost gate.
    Return,
    /// To lock the mutex of this capability and go on in its section.
    Lock(u16, Entry),
    /// To unlock the mutex of this capability, at the end of the section.
    Unlock(u16),
    /// To signal with this capability.
    Signal(u16),
    /// To wait with this capability.
    Wait(u16),
    /// To sleep on the account of the thread of this capability.
    Depend(u16),
    /// To wake the thread of this capability.
    Wake(u16),
    /// Nothing: a lock was refused.
    Denied,
    /// Nothing: it did what it must not.
    Fault,
    /// The job is done.
    Complete,
}

/// All threads' places.
pub(crate) struct Interpreter {
    program: Program,
    locks: Locks,
    places: Vec<Place>,
    execution: Execution,
    random: Random,
}

impl Interpreter {
    /// Returns all threads before their first job.
    pub(crate) fn new(mut program: Program, depth: usize, options: &Options) -> Interpreter {
        let place = |&at: &Address| Place { at, remaining: 0, frames: Vec::with_capacity(depth) };
        let places = program.tasks.iter().map(place).collect();
        Interpreter {
            locks: std::mem::take(&mut program.locks),
            program,
            places,
            execution: options.execution,
            random: Random::new(options.seed, 0),
        }
    }

    /// Returns the time that a thread has left to execute before its next step.
    #[inline]
    pub(crate) fn remaining(&mut self, thread: usize) -> &mut u64 {
        &mut self.places[thread].remaining
    }

    /// Returns `true` if a thread is in the component that it comes from.
    pub(crate) fn is_home(&self, thread: usize) -> bool {
        self.places[thread].frames.iter().all(|frame| frame.way != Way::Gate)
    }

    /// Puts a thread at the start of its job.
    pub(crate) fn restart(&mut self, thread: usize) {
        let place = &mut self.places[thread];
        place.at = self.program.tasks[thread];
        place.remaining = 0;
        place.frames.clear();
    }

    /// Goes on until the thread has something to execute or something to ask.
    pub(crate) fn request(&mut self, thread: usize) -> Request {
        loop {
            let place = &mut self.places[thread];
            if place.remaining > 0 {
                return Request::Execute;
            }
            let op = self.program.ops[place.at as usize];
            place.at += 1;
            match op {
                Op::Compute { best, worst } => {
                    place.remaining = draw(self.execution, &mut self.random, best, worst)
                }
                Op::Invoke { slot, entry } => return Request::Invoke(slot, entry),
                Op::Call { entry } => self.enter(thread, entry, Way::Direct),
                Op::Lock { slot, entry } => return Request::Lock(slot, entry),
                Op::Emit { slot } => return Request::Signal(slot),
                Op::Wait { slot } => return Request::Wait(slot),
                Op::Branch { act, wanted, by } => {
                    if self.locks.act(thread, act) == wanted {
                        place.at = place.at.wrapping_add_signed(by);
                    }
                }
                Op::Depend { row } => {
                    let whom = self.locks.sleeps(thread);
                    return Request::Depend(self.program.slot(row, whom));
                }
                Op::Wake { row } => {
                    return Request::Wake(self.program.slot(row, self.locks.whom(thread)));
                }
                Op::Denied => return Request::Denied,
                Op::Fault => return Request::Fault,
                Op::End => match place.frames.last().map(|frame| frame.way) {
                    None => return Request::Complete,
                    Some(Way::Gate) => return Request::Return,
                    Some(Way::Mutex(slot)) => return Request::Unlock(slot),
                    Some(Way::Direct) => self.leave(thread),
                },
            }
        }
    }

    /// A thread that has asked to sleep is told what has come of it.
    pub(crate) fn slept(&mut self, thread: usize, how: Slept) {
        self.locks.slept(thread, how);
    }

    /// Into a method or a section.
    pub(crate) fn enter(&mut self, thread: usize, entry: Entry, way: Way) {
        let to = match self.execution {
            Execution::Random if entry.count > 1 => {
                let choice = self.random.below(u64::from(entry.count)) as u32;
                self.program.choose(entry, choice)
            }
            _ => entry.longest,
        };
        let place = &mut self.places[thread];
        place.frames.push(Frame { back: place.at, way });
        place.at = to;
    }

    /// Back to the caller, or behind the section.
    pub(crate) fn leave(&mut self, thread: usize) {
        let place = &mut self.places[thread];
        if let Some(frame) = place.frames.pop() {
            place.at = frame.back;
        }
    }

    /// The thread makes its last request again.
    pub(crate) fn repeat(&mut self, thread: usize) {
        self.places[thread].at -= 1;
    }

    /// Out of the innermost gate, from wherever its code is.
    pub(crate) fn abandon(&mut self, thread: usize) {
        let place = &mut self.places[thread];
        place.remaining = 0;
        while let Some(frame) = place.frames.pop() {
            place.at = frame.back;
            if frame.way == Way::Gate {
                break;
            }
        }
    }
}

fn draw(execution: Execution, random: &mut Random, best: u64, worst: u64) -> u64 {
    match execution {
        Execution::Worst => worst,
        Execution::Random => random.between(best, worst),
    }
}
