//! The reasons for which a run could not be made, or came to no end.

use std::io;

use fusee_diagnostics::Diagnostic;
use fusee_image_format::Status;

use crate::rules;

/// The reason for which there is no run to show.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The image is no ELF file, or not one of ours.
    #[error("`{path}` is not a bootable image: {reason}")]
    Image {
        /// The path of the file.
        path: String,
        /// The error in it.
        reason: String,
    },
    /// The image is for another machine.
    #[error("the image is for `{image}`, not for `{wanted}`")]
    Platform {
        /// The machine that the image was built for.
        image: &'static str,
        /// The machine that was asked for.
        wanted: &'static str,
    },
    /// The emulator is not installed.
    #[error("`{program}` is not installed")]
    NoEmulator {
        /// QEMU's program.
        program: &'static str,
    },
    /// The Verilog of the machine's cores is not installed.
    #[error("{why}")]
    NoVerilog {
        /// The missing part, and the remedy.
        why: String,
    },
    /// The machine is not emulated: it has no stops at instructions and no list of them.
    #[error("`{platform}` is not emulated, so no debugger gets at it")]
    NoEmulation {
        /// The platform's name.
        platform: &'static str,
    },
    /// The emulator gave up.
    #[error("the emulator gave up: {complaint}")]
    Emulator {
        /// The message of the emulator.
        complaint: String,
    },
    /// The machine did not switch itself off.
    #[error("the machine was still running after {seconds} s")]
    Endless {
        /// The time that the host waited, in seconds.
        seconds: u64,
    },
    /// The kernel wrote no result.
    #[error("the kernel wrote no result")]
    Silent,
    /// The kernel stopped the machine.
    #[error("the kernel stopped: {}", why(*status))]
    Stopped {
        /// The status of the kernel.
        status: Status,
        /// More on that.
        detail: u64,
        /// The place in the kernel, or an address.
        place: String,
    },
    /// A record is none.
    #[error("the record buffer holds something that is no record")]
    Records,
    /// The record buffer was too small.
    #[error("{dropped} records found no room")]
    Dropped {
        /// The number of records that were dropped.
        dropped: u64,
        /// The number of records that fit.
        records: u64,
    },
    /// The host failed.
    #[error("{0}")]
    Host(#[from] io::Error),
}

impl RunError {
    /// Returns the reason for which a machine did not start.
    pub(crate) fn of_start(machine: fusee_platform::Emulator, error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => RunError::NoEmulator { program: machine.program },
            _ => RunError::Host(error),
        }
    }

    /// Returns the message for the user.
    pub fn diagnostic(&self) -> Diagnostic {
        let error = |rule: &fusee_diagnostics::Rule| Diagnostic::error(rule.code, self.to_string());
        match self {
            RunError::Image { .. } => error(&rules::NOT_AN_IMAGE).with_note(
                "`fusee build SYSTEM` \
                writes one",
            ),
            RunError::Platform { image, .. } => error(&rules::WRONG_PLATFORM).with_note(format!(
                "leave `--platform` out to run it on `{image}`, or build it \
                                    again"
            )),
            RunError::NoEmulator { .. } => error(&rules::NO_EMULATOR).with_note(
                "install it: sudo apt-get install -y --no-install-recommends \
                            qemu-system-misc",
            ),
            RunError::NoVerilog { .. } => error(&rules::NO_EMULATOR),
            RunError::NoEmulation { .. } => error(&rules::NO_DEBUGGER).with_note(format!(
                "run it there without; to look into it, build it for another platform: `--platform \
                 {}`",
                fusee_platform::Platform::DEFAULT
            )),
            RunError::Emulator { .. } => error(&rules::EMULATOR_FAILED),
            RunError::Endless { .. } => error(&rules::ENDLESS),
            RunError::Silent | RunError::Records => error(&rules::KERNEL_STOPPED),
            RunError::Stopped { status: Status::StartLate, .. } => start_late(),
            RunError::Stopped {
                status: Status::NoProtection | Status::NoTranslation | Status::NoClock,
                ..
            } => error(&rules::KERNEL_STOPPED)
                .with_note(
                    "the kernel has looked at the machine before it started, and runs \
                                on no such machine",
                )
                .with_note(
                    "take QEMU's `virt` as it is, with its own core and `-icount \
                                shift=0`",
                ),
            RunError::Stopped { detail, place, .. } => {
                error(&rules::KERNEL_STOPPED).with_note(format!("detail {detail:#x}, at {place}"))
            }
            RunError::Dropped { records, .. } => error(&rules::RECORDS_DROPPED).with_note(format!(
                "{records} records fit; run for a shorter time, or without \
                                    `--trace`"
            )),
            RunError::Host(_) => error(&rules::EMULATOR_FAILED),
        }
    }

    /// Returns `true` if a tool or the machine is to blame, and not the input.
    pub fn is_tool_failure(&self) -> bool {
        !matches!(
            self,
            RunError::Image { .. }
                | RunError::Platform { .. }
                | RunError::NoEmulation { .. }
                | RunError::Dropped { .. }
        ) && !matches!(
            self,
            RunError::Stopped { status: Status::StartLate | Status::TooManyRegions, .. }
        )
    }
}

/// Returns a status in words, where it has some.
fn why(status: Status) -> String {
    match status {
        Status::NoProtection => {
            "this machine has no memory protection, or not enough for the system".to_owned()
        }
        Status::NoTranslation => {
            "this machine can't keep as many address spaces apart as the system has".to_owned()
        }
        Status::NoClock => {
            "this machine's clock stands still, or ticks at another speed".to_owned()
        }
        other => format!("{other:?}"),
    }
}

fn start_late() -> Diagnostic {
    let message =
        "the components had not finished their initialisation when the first jobs were due";
    Diagnostic::error(rules::START_LATE.code, message).with_note(
        "give them more time: `system.startup = \"20 ms\";` in the assembly's configuration",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_lacks_something_is_named_and_not_a_number() {
        for (status, what) in [
            (Status::NoProtection, "no memory protection"),
            (Status::NoTranslation, "address spaces"),
            (Status::NoClock, "clock"),
        ] {
            let error = RunError::Stopped { status, detail: 7, place: "0x0".to_owned() };
            assert!(error.to_string().contains(what) && error.is_tool_failure(), "{error}");
            let notes = format!("{:?}", error.diagnostic());
            assert!(notes.contains("runs on no such machine") && !notes.contains("0x7"), "{notes}");
        }
    }
}
