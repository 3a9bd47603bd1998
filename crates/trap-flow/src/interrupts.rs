//! Interrupts of devices and of the timer.

use crate::Arch;
use crate::defect::seeded;
use crate::leave::{go_back, leave, wake};
use core::num::NonZero;
use fusee_image_format::MachineKind;
use fusee_kernel::{ThreadIndex, Time};

/// Handles the timer's interrupt.
#[inline(always)]
pub fn timer<'m, A: Arch<'m>>(arch: A) -> A::Exit {
    tick(arch)
}

/// Handles a device's interrupt.
#[inline(always)]
pub fn device<'m, A: Arch<'m>>(mut arch: A) -> A::Exit {
    let now = arch.now();
    // Claimed once, for both paths: a second claim would take the next interrupt.
    let source = arch.claim();
    if let Some(line) = source.and_then(|source| arch.line(source.get()))
        && let Some((switch, bits)) = arch.flow().interrupt_fast(now, line)
    {
        return wake(arch, switch, bits);
    }
    device_slow(arch, now, source)
}

/// Handles an interrupt without a thread that takes the core immediately: none waits, or the
/// interrupt has no notification, or was withdrawn.
#[inline(never)]
fn device_slow<'m, A: Arch<'m>>(mut arch: A, now: Time, source: Option<NonZero<u16>>) -> A::Exit {
    // None: the device has withdrawn its interrupt. The trap has only taken time then.
    if let Some(source) = source.map(NonZero::get) {
        let line = arch.line(source);
        let changed = line.map(|line| arch.flow().interrupt_slow(now, line));
        arch.keep_account(now);
        match changed {
            // Nobody else runs by it, so the interrupted thread goes on without a choice.
            Some(Ok(changed)) if arch.flow().is_over(&changed) => {}
            Some(Ok(changed)) => {
                return seeded!(
                    LostInterrupt,
                    {
                        let _ = changed;
                        go_back(arch)
                    },
                    leave(arch, now, changed)
                );
            }
            // A full count, or a source without a line: there is no thread to be told, so it is
            // recorded.
            Some(Err(_)) | None => record_stray(&mut arch, now, source),
        }
    }
    go_back(arch)
}

/// Time has passed: the run may be over, or something of the kernel's is due.
pub fn tick<'m, A: Arch<'m>>(mut arch: A) -> A::Exit {
    let now = arch.now();
    // The end of the run goes before what the kernel has to do: nothing after it counts.
    if arch.is_due(now) {
        return end(arch, now);
    }
    let changed = arch.flow().timer(now);
    arch.keep_account(now);
    if arch.flow().is_over(&changed) {
        return go_back(arch);
    }
    leave(arch, now, changed)
}

/// The run is over, or what the boot thread is in has used up its time: it has faulted.
#[cold]
#[inline(never)]
fn end<'m, A: Arch<'m>>(mut arch: A, now: Time) -> A::Exit {
    if let Some(status) = arch.ends(now) {
        return arch.halt(status, 0, 0);
    }
    // The boot thread may be out of the component already, or wait. Then there is nothing to fault.
    if let Err(changed) = arch.end_set_up(now) {
        return leave(arch, now, changed);
    }
    arch.out_of_time()
}

/// Records an interrupt without a notification, which stays masked.
#[cold]
pub fn record_stray<'m, A: Arch<'m>>(arch: &mut A, now: Time, source: u16) {
    arch.record(now, MachineKind::StrayInterrupt, ThreadIndex::NONE, source, 0);
}
