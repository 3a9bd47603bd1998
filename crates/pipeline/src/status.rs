//! The meaning of the exit status.

use std::process::ExitCode;

/// The status with which a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// The command succeeded, and everything holds.
    Fine,
    /// Not schedulable, or a bound or a deadline missed.
    Missed,
    /// The input or the arguments are wrong.
    BadInput,
    /// A tool is missing or failed, or a file can't be written.
    ToolFailed,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Fine => 0,
            Status::Missed => 1,
            Status::BadInput => 2,
            Status::ToolFailed => 3,
        })
    }
}
