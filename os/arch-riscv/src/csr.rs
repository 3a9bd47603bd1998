//! Control and status registers, each behind a function that says what it does.

use crate::machine_map::TRAITS;
use core::arch::asm;

macro_rules! read {
    ($register:literal) => {{
        let value: usize;
        // SAFETY:
        // 1. Reading this register has no effect on memory or on control flow.
        unsafe {
            core::arch::asm!(
                concat!("csrr {0}, ", $register),
                out(reg) value,
                options(nomem, nostack, preserves_flags),
            )
        };
        value
    }};
}

macro_rules! write {
    ($register:literal, $value:expr) => {{
        let value: usize = $value;
        // SAFETY:
        // 1. The register concerns user mode, or interrupts that the kernel takes only in user mode
        //    and when idle, so that no code of the kernel runs differently because of it.
        unsafe {
            core::arch::asm!(
                concat!("csrw ", $register, ", {0}"),
                in(reg) value,
                options(nostack, preserves_flags),
            )
        }
    }};
}
pub(crate) use {read, write};

/// Returns the cause of the trap.
pub(crate) fn cause() -> usize {
    read!("mcause")
}

/// Returns the address at which the trap came.
pub(crate) fn program_counter() -> usize {
    read!("mepc")
}

/// Returns the address or instruction that caused it.
pub(crate) fn trap_value() -> usize {
    read!("mtval")
}

#[cfg(feature = "cores")]
const MIE_SOFTWARE: usize = 1 << 3;
#[cfg(not(feature = "cores"))]
const MIE_SOFTWARE: usize = 0;
const MIE_TIMER: usize = 1 << 7;
const MIE_EXTERNAL: usize = 1 << 11;
const MSTATUS_MPIE: usize = 1 << 7;
const MSTATUS_TW: usize = 1 << 21;
const MSTATUS_TVM: usize = 1 << 20;
const COUNTER_CYCLE: usize = 1;

/// Sets the rights of user mode, and the interrupts that there are.
pub(crate) fn set_up_modes() {
    // Machine mode keeps all traps; interrupts are taken in user mode whatever `mie` in `mstatus`
    // says.
    write!("medeleg", 0);
    write!("mideleg", 0);
    write!("mie", MIE_SOFTWARE | MIE_TIMER | MIE_EXTERNAL);
    // `mret` goes to user mode; waiting for interrupts is the kernel's.
    write!("mstatus", MSTATUS_MPIE | MSTATUS_TW | MSTATUS_TVM);
    // The clock may be read by everyone.
    if TRAITS.cycle_register {
        write!("mcounteren", COUNTER_CYCLE);
        write!("scounteren", COUNTER_CYCLE);
    }
}

/// Devices whose interrupts are not masked, one bit each, where there is no interrupt controller.
macro_rules! device_mask {
    () => {
        "0xbc0"
    };
}

/// Lets these devices interrupt, and no others.
pub(crate) fn set_device_mask(devices: usize) {
    // SAFETY:
    // 1. The register concerns interrupts that the kernel takes only in user mode and when idle.
    unsafe { asm!(concat!("csrw ", device_mask!(), ", {0}"), in(reg) devices, options(nostack)) }
}

/// Masks the interrupts of these devices.
#[inline(always)]
pub(crate) fn mask_devices(devices: usize) {
    // SAFETY:
    // 1. As in `set_device_mask`.
    unsafe { asm!(concat!("csrc ", device_mask!(), ", {0}"), in(reg) devices, options(nostack)) }
}

/// Lets devices interrupt that were masked.
#[inline(always)]
pub(crate) fn unmask_devices(devices: usize) {
    // SAFETY:
    // 1. As in `set_device_mask`.
    unsafe { asm!(concat!("csrs ", device_mask!(), ", {0}"), in(reg) devices, options(nostack)) }
}

/// Devices that interrupt and are not masked, one bit each.
#[inline(always)]
pub(crate) fn interrupting_devices() -> usize {
    read!("0xfc0")
}

/// Interrupts that are pending.
pub(crate) struct Pending {
    /// The timer's.
    pub(crate) time: bool,
    /// A device's.
    pub(crate) device: bool,
    /// Another core's.
    #[cfg(feature = "cores")]
    pub(crate) software: bool,
}

/// Interrupts that are pending.
pub(crate) fn pending() -> Pending {
    let pending = read!("mip");
    Pending {
        time: pending & MIE_TIMER != 0,
        device: pending & MIE_EXTERNAL != 0,
        #[cfg(feature = "cores")]
        software: pending & MIE_SOFTWARE != 0,
    }
}

/// The cause of a call from user mode.
#[cfg(feature = "cores")]
pub(crate) const USER_CALL: usize = 8;

/// Returns the core's number.
#[cfg(feature = "cores")]
pub(crate) fn core() -> usize {
    read!("mhartid")
}

/// Orders earlier writes to memory before all later writes to devices.
#[cfg(feature = "cores")]
pub(crate) fn before_devices() {
    // SAFETY:
    // 1. A fence changes nothing but the order of accesses.
    unsafe { asm!("fence rw, o", options(nostack, preserves_flags)) }
}

/// Orders earlier writes to devices before all later reads of memory.
#[cfg(feature = "cores")]
pub(crate) fn after_devices() {
    // SAFETY:
    // 1. A fence changes nothing but the order of accesses.
    unsafe { asm!("fence o, r", options(nostack, preserves_flags)) }
}

/// Sleeps for ever: the others go on.
#[cfg(feature = "cores")]
pub(crate) fn park() -> ! {
    write!("mie", 0);
    loop {
        wait_for_interrupt();
    }
}

/// Sleeps until an interrupt is pending; not at all where the kernel's clock would sleep, too.
pub(crate) fn wait_for_interrupt() {
    if !TRAITS.clock_runs_asleep {
        return;
    }
    // SAFETY:
    // 1. Interrupts are not taken in machine mode, so that this only lets time pass.
    unsafe { asm!("wfi", options(nostack, preserves_flags)) }
}

/// Forgets all translations. Before the first address space is used, page tables are made, and they
/// never change: then it is once where each translation knows its address space.
pub(crate) fn flush_translations() {
    // SAFETY:
    // 1. The kernel itself runs without translation.
    unsafe { asm!("sfence.vma", options(nostack, preserves_flags)) }
}
