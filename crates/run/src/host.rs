//! The host's program for each platform's machine.

use fusee_platform::Host;

use crate::machine::{Machine, collect};
use crate::{Image, Ram, RunError, board, qemu};

/// Starts the machine of an image with this memory.
///
/// # Errors
/// The program can't be started, or is missing.
pub(crate) fn start(image: &Image, ram: &Ram) -> Result<Machine, RunError> {
    match image.platform().descriptor().host {
        Host::Emulator(emulator) => {
            let arguments = qemu::with_cores(image.cores.len());
            qemu::start(emulator, ram, &arguments, collect)
        }
        Host::Board(about) => board::start(about, image, ram),
    }
}
