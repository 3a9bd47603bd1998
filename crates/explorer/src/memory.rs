//! Locks and looks between cores, in every order a machine may choose.
//!
//! The operations are those of [`fusee_kernel::exchange`], the same source as on the machine, over
//! words of a memory that is here. Each core's code is run again and again: up to the first answer
//! that it needs and has not got, which says what it would do next. Whatever of it the rules of
//! RISC-V's memory model leave unordered is done in any order, also loads before the branch that
//! leads to them: then an answer is guessed, and must turn out so. Stores wait for what they
//! depend on, which is found by trying the other answers.
//!
//! What is not modeled: instruction fetch, accesses of different sizes, reservations, and waiting
//! for a lock where cores take turns.

mod machine;
mod op;
mod path;
mod paths;
mod program;
mod search;
pub mod systems;

pub use machine::Step;
pub use op::{Bits, Change, Fence, Op, Place, Weakness};
pub use program::{Cell, Program, Wires};
pub use search::{Report, Violation, explore};
pub use systems::System;
