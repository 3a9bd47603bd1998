//! A program with what always holds of its memory, if that is known.
//!
//! A program that starts finds what its file loads. Code that runs again and again
//! on the same memory, as a kernel does, finds what an [`Invariant`] says of it.
//! Whoever asks what memory holds is told both.

use std::ops::Deref;

use crate::invariant::Invariant;
use crate::program::Program;

/// A program and its memory, on which code is executed.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'p> {
    program: &'p Program,
    invariant: Option<&'p Invariant>,
}

impl<'p> Setting<'p> {
    /// Returns a program of whose memory nothing holds but what its file says.
    pub fn new(program: &'p Program) -> Self {
        Self { program, invariant: None }
    }

    /// Returns a program of whose memory something always holds.
    pub fn with(program: &'p Program, invariant: &'p Invariant) -> Self {
        Self { program, invariant: Some(invariant) }
    }

    /// Returns what always holds of memory.
    pub fn invariant(self) -> Option<&'p Invariant> {
        self.invariant
    }

    /// Returns the program in question.
    pub fn program(self) -> &'p Program {
        self.program
    }
}

impl Deref for Setting<'_> {
    type Target = Program;

    fn deref(&self) -> &Program {
        self.program
    }
}
