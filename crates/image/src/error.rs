//! The reasons for which there is no image.

use crate::devices::{self, Refused};
use crate::rules;
use fusee_diagnostics::{Diagnostic, Span};
use fusee_image_format::Platform;
use fusee_model::Origin;
use fusee_tables::TablesError;

/// The reason for which there is no image.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// The system has no tables.
    #[error(transparent)]
    Tables(#[from] TablesError),
    /// A linked program is damaged, or not as the layout asks.
    #[error("the program of {name} can't be used: {reason}")]
    Program {
        /// The domain, or the kernel.
        name: String,
        /// The reason as a sentence.
        reason: String,
    },
    /// A linked program is for another machine.
    #[error("the program of {name} is not for {}", platform.name())]
    WrongMachine {
        /// The domain, or the kernel.
        name: String,
        /// The machine that was asked for.
        platform: Platform,
    },
    /// A domain with software in it has no program.
    #[error("domain `{domain}` has no program")]
    NoProgram {
        /// The domain in question.
        domain: String,
    },
    /// An entry point is missing.
    #[error("the program of domain `{domain}` does not define `{symbol}`")]
    NoSymbol {
        /// The domain in question.
        domain: String,
        /// The symbol that is missing or wrong.
        symbol: String,
    },
    /// Code that can be written, or data that can be executed.
    #[error(
        "the program of domain `{domain}` has a part at {address:#x} that is both writable and \
         executable"
    )]
    WritableCode {
        /// The domain in question.
        domain: String,
        /// The address in question.
        address: u64,
    },
    /// The need of stack is not known.
    #[error("nobody knows how much stack {owner} needs: {reason}")]
    UnknownStack {
        /// The owner of the stack.
        owner: String,
        /// The obstacle to a bound.
        reason: String,
        /// The attribute to set.
        attribute: String,
        /// The place of the component's description.
        origin: Origin,
    },
    /// A stack size was given that does not suffice.
    #[error("{owner} needs {needed} bytes of stack, `{attribute}` gives it {given}")]
    SmallStack {
        /// The owner of the stack.
        owner: String,
        /// Bytes that are needed.
        needed: u64,
        /// Bytes that were given.
        given: u64,
        /// The attribute that was set.
        attribute: String,
        /// The place that set it.
        origin: Origin,
    },
    /// Something is larger than its place.
    #[error("{what} needs {needed} bytes, there is room for {room}")]
    TooLarge {
        /// The thing that does not fit.
        what: String,
        /// Bytes that are needed.
        needed: u64,
        /// Bytes that are there.
        room: u64,
    },
    /// More memory regions than the machine's protection unit has registers for.
    #[error("the devices take {needed} protection registers, {room} are there")]
    TooManyRegions {
        /// Registers that are needed.
        needed: usize,
        /// Registers that are there.
        room: usize,
    },
    /// Restarting one component would put back the data of others.
    #[error("component `{component}` is to be restarted, but shares its memory with `{other}`")]
    RestartInGroup {
        /// The component in question.
        component: String,
        /// Another one of its group.
        other: String,
        /// The place of the component's description.
        origin: Origin,
    },
    /// A restart would take too long.
    #[error(
        "restarting component `{component}` would put back {bytes} bytes, at most {most} are \
         allowed"
    )]
    LongRestart {
        /// The component in question.
        component: String,
        /// Bytes of writable data.
        bytes: u64,
        /// The largest value that is allowed.
        most: u64,
        /// The place of the component's description.
        origin: Origin,
    },
    /// An interrupt number that the machine does not have.
    #[error("{} has no interrupt {line}", platform.name())]
    NoInterrupt {
        /// The number of the line.
        line: u16,
        /// The machine that the image is for.
        platform: Platform,
    },
    /// A device lies where no component may have one.
    #[error("no component gets {bytes} bytes at {address:#x} of {}: {why}", platform.name())]
    NoDevice {
        /// Its physical address.
        address: u64,
        /// The length in bytes.
        bytes: u64,
        /// The machine that the image is for.
        platform: Platform,
        /// The reason for the refusal.
        why: Refused,
    },
}

impl ImageError {
    /// Returns the message for the user; `span` follows origins into the description.
    pub fn diagnostic(&self, span: &dyn Fn(Origin) -> Option<Span>) -> Diagnostic {
        let (rule, note, origin) = self.parts();
        let diagnostic = Diagnostic::error(rule.code, self.to_string());
        let diagnostic = match note {
            Some(note) => diagnostic.with_note(note),
            None => diagnostic,
        };
        match span(origin) {
            Some(place) => diagnostic.at(place, ""),
            None => diagnostic,
        }
    }

    /// Returns the rule, what to do, and the place to point at.
    fn parts(&self) -> (&'static fusee_diagnostics::Rule, Option<String>, Origin) {
        use ImageError::*;
        let none = Origin::NONE;
        match self {
            Tables(error) => (&rules::NO_TABLES, None, error.origin()),
            Program { .. } | NoProgram { .. } => (&rules::BAD_PROGRAM, None, none),
            WrongMachine { platform, .. } => {
                let note = format!(
                    "build everything for one platform: `fusee build --platform {}`",
                    platform.name()
                );
                (&rules::WRONG_MACHINE, Some(note), none)
            }
            NoSymbol { symbol, .. } => (
                &rules::NO_ENTRY,
                Some(format!("`{symbol}` comes with the generated code of the domain")),
                none,
            ),
            WritableCode { .. } => (&rules::WRITABLE_CODE, None, none),
            UnknownStack { attribute, origin, .. } => {
                let note = format!(
                    "set `{attribute}`, or `system.stack_size` for all stacks that nothing else \
                     sizes"
                );
                (&rules::UNKNOWN_STACK, Some(note), *origin)
            }
            SmallStack { needed, attribute, origin, .. } => {
                (&rules::SMALL_STACK, Some(format!("`{attribute} = {needed}` suffices")), *origin)
            }
            TooLarge { .. } => (&rules::TOO_LARGE, None, none),
            TooManyRegions { .. } => (&rules::TOO_MANY_REGIONS, None, none),
            RestartInGroup { origin, .. } => (&rules::RESTART_IN_GROUP, None, *origin),
            LongRestart { origin, .. } => (&rules::LONG_RESTART, None, *origin),
            NoInterrupt { .. } => (&rules::NO_DEVICE, None, none),
            NoDevice { platform, .. } => {
                let note = format!("{} has: {}", platform.name(), devices::listed(*platform));
                (&rules::NO_DEVICE, Some(note), none)
            }
        }
    }
}
