//! The machine that `--machine` names.

use std::path::Path;

use fusee_diagnostics::{Diagnostic, SourceMap};
use fusee_isa::Architecture;
use fusee_wcet::execute::{self, Bound, Facts, Failure, Trying};
use fusee_wcet::machine::description::{self, BUILT_IN, Description};
use fusee_wcet::machine::{Instructions, Machine, Pipeline};
use fusee_wcet::program::Program;

use crate::rules;

/// A machine as users name it.
#[derive(Debug, Clone)]
pub struct Named {
    /// `instructions`, one that is built in, or a file `FILE.toml`.
    pub name: String,
    /// Wait states of each beat of its memory, if it is built in.
    pub wait_states: u32,
    /// The stack pointer at entry, which tells a data cache where the stack is.
    pub stack_pointer: Option<u64>,
}

/// A machine, ready to be made for a program.
pub enum Chosen {
    /// It counts instructions.
    Instructions,
    /// It is described.
    Described {
        /// Its description, whose numbers are known to fit.
        description: Box<Description>,
        /// The stack pointer at entry, if it is known.
        stack: Option<u64>,
    },
}

impl Chosen {
    /// Finds the machine, or reads its file.
    ///
    /// # Errors
    /// There is none, or it is for other programs.
    pub fn load(
        named: &Named,
        isa: Architecture,
        sources: &mut SourceMap,
    ) -> Result<Self, Vec<Diagnostic>> {
        let described = |description| Self::Described {
            description: Box::new(description),
            stack: named.stack_pointer,
        };
        let name = named.name.as_str();
        if name == Instructions.name() {
            return Ok(Self::Instructions);
        }
        if let Some(description) = description::built_in(name, named.wait_states) {
            if isa != description::BUILT_IN_FOR {
                let message =
                    format!("the machine `{name}` does not execute {} programs", isa.name());
                let note = format!(
                    "it is for {}; use `instructions`, or describe the machine in a file",
                    description::BUILT_IN_FOR.name()
                );
                return Err(vec![
                    Diagnostic::error(fusee_wcet::OTHER_MACHINE, message).with_note(note),
                ]);
            }
            return Ok(described(description));
        }
        if !name.ends_with(".toml") {
            let message = format!("there is no machine `{name}`");
            let known =
                [Instructions.name()].into_iter().chain(BUILT_IN).collect::<Vec<_>>().join("`, `");
            let note = format!("known are `{known}`, and files that end in `.toml`");
            return Err(vec![Diagnostic::error(fusee_wcet::NO_MACHINE, message).with_note(note)]);
        }
        let text = std::fs::read_to_string(name).map_err(|error| {
            vec![
                Diagnostic::error(rules::UNREADABLE, format!("`{name}` can't be read"))
                    .with_note(error.to_string()),
            ]
        })?;
        let file = sources.add(Path::new(name), text);
        description::read(sources, file).map(described).map_err(|error| vec![error])
    }

    /// Returns its name, as it is shown.
    pub fn name(&self) -> &str {
        match self {
            Self::Instructions => Instructions.name(),
            Self::Described { description, .. } => &description.name,
        }
    }

    /// Returns the unit of its times.
    pub fn unit(&self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Described { .. } => "cycles",
        }
    }

    /// Bounds an entry of a program.
    ///
    /// # Errors
    /// The host's failure.
    pub fn bound(
        &self,
        program: &Program,
        entry: u64,
        facts: &Facts,
        trying: Trying<'_>,
    ) -> Result<Bound, Failure> {
        match self {
            Self::Instructions => execute::bound(program, &Instructions, entry, facts, trying),
            Self::Described { description, stack } => {
                // A description that does not fit together was refused when it was read.
                let machine = Pipeline::new(Description::clone(description), program, *stack)
                    .ok_or(Failure::Defect)?;
                execute::bound(program, &machine, entry, facts, trying)
            }
        }
    }
}
