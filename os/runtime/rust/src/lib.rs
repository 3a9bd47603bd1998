//! The library of components in Rust.
//!
//! A component never calls this crate's lower half: the build generates a crate `camkes` for each
//! component, with a function for everything that the description lets it call and a trait for
//! everything that it must provide. Both halves go through the same stubs as components in C, so
//! that there is one way of passing messages. This crate holds the part that all of them share:
//! printing, time, the last error, memory of dataports, and a scheduler's calls for those that
//! dispatch others.
#![no_std]

mod owned;
pub mod scheduler;

pub use owned::{Lent, List, Text};

use core::ffi::c_char;
use core::fmt;

// # Safety
// The C runtime has these functions with these signatures; the first two take no pointers.
unsafe extern "C" {
    safe fn fusee_take_error() -> i32;
    safe fn fusee_compute(instructions: usize);
    fn fusee_write_console(text: *const c_char, length: usize);
}

/// Returns the error of this thread's last failed operation in this component; 0: none has failed
/// since the last question.
pub fn take_error() -> i32 {
    fusee_take_error()
}

/// Executes exactly so many instructions, the call and the return included; at least 8.
pub fn compute(instructions: usize) {
    fusee_compute(instructions);
}

/// Returns the time since the machine started, in nanoseconds on QEMU.
#[cfg(fusee_clock)]
pub fn now() -> u64 {
    let clock = clock() as *const u32;
    loop {
        // SAFETY:
        // 1. Every component has the page of the clock, which is two words, and only reads it.
        let (high, low, again) = unsafe {
            (clock.add(1).read_volatile(), clock.read_volatile(), clock.add(1).read_volatile())
        };
        if high == again {
            return u64::from(high) << 32 | u64::from(low);
        }
    }
}

/// Returns the address of the clock in memory; the build says it.
#[cfg(fusee_clock)]
const fn clock() -> usize {
    let digits = env!("FUSEE_CLOCK").as_bytes();
    let (mut at, mut address) = (0, 0);
    while at < digits.len() {
        address = address * 10 + (digits[at] - b'0') as usize;
        at += 1;
    }
    address
}

/// Returns the time since the machine started, in nanoseconds on QEMU.
#[cfg(not(fusee_clock))]
pub fn now() -> u64 {
    #[cfg(target_pointer_width = "64")]
    {
        let now: u64;
        // SAFETY:
        // 1. The counter may be read by components and reading it changes nothing.
        unsafe { core::arch::asm!("rdcycle {}", out(reg) now, options(nomem, nostack)) };
        now
    }
    #[cfg(target_pointer_width = "32")]
    loop {
        let (high, low, again): (u32, u32, u32);
        // SAFETY:
        // 1. The counters may be read by components and reading them changes nothing.
        unsafe {
            core::arch::asm!("rdcycleh {}", "rdcycle {}", "rdcycleh {}",
                out(reg) high, out(reg) low, out(reg) again, options(nomem, nostack));
        }
        if high == again {
            return u64::from(high) << 32 | u64::from(low);
        }
    }
}

/// A line on its way to the console: `line().text("at ").number(5).end()`.
///
/// It takes a stack whose size is known from the code. [`print`](crate::print!) and
/// [`println`](crate::println!) format anything, but the formatting of the core library calls
/// through pointers, so a thread that uses them needs a stack size in the description.
pub struct Console {
    text: [u8; 96],
    used: usize,
}

impl Console {
    /// Returns an empty line.
    pub const fn new() -> Self {
        Self { text: [0; 96], used: 0 }
    }

    /// Adds a text.
    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        self.add(text.as_bytes());
        self
    }

    /// Adds a whole number.
    #[must_use]
    pub fn number(mut self, number: i64) -> Self {
        let mut digits = [0; 20];
        let mut rest = number.unsigned_abs();
        let mut first = digits.len();
        while first > 0 {
            first = first.wrapping_sub(1);
            if let Some(digit) = digits.get_mut(first) {
                *digit = b'0'.wrapping_add((rest % 10) as u8);
            }
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if number < 0 {
            self.add(b"-");
        }
        self.add(digits.get(first..).unwrap_or(&[]));
        self
    }

    /// Ends the line and prints it.
    pub fn end(mut self) {
        self.add(b"\n");
        self.flush();
    }

    fn add(&mut self, text: &[u8]) {
        for &byte in text {
            if self.used >= self.text.len() {
                self.flush();
            }
            if let Some(place) = self.text.get_mut(self.used) {
                *place = byte;
                // Never at the end; a check here would panic, and the panic's own line comes
                // through here.
                self.used = self.used.wrapping_add(1);
            }
        }
    }

    /// Hands over what was collected.
    pub fn flush(&mut self) {
        // SAFETY:
        // 1. The first `used` bytes of `text` are initialized, and `used` is at most its length.
        // 2. The function only reads them.
        unsafe { fusee_write_console(self.text.as_ptr().cast(), self.used) };
        self.used = 0;
    }
}

impl Default for Console {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.add(text.as_bytes());
        Ok(())
    }
}

/// Begins a line.
pub const fn line() -> Console {
    Console::new()
}

/// Prints to the component's console.
#[macro_export]
macro_rules! print {
    ($($argument:tt)*) => {{
        let mut console = $crate::Console::new();
        let _ = core::fmt::Write::write_fmt(&mut console, format_args!($($argument)*));
        console.flush();
    }};
}

/// Prints a line to the component's console.
#[macro_export]
macro_rules! println {
    ($($argument:tt)*) => {{
        let mut console = $crate::Console::new();
        let _ = core::fmt::Write::write_fmt(&mut console, format_args!($($argument)*));
        let _ = core::fmt::Write::write_str(&mut console, "\n");
        console.flush();
    }};
}

/// Shared memory. Others change it at any time, so it is read and written byte by byte and never
/// borrowed.
#[derive(Clone, Copy)]
pub struct Shared {
    start: *mut u8,
    bytes: usize,
}

impl Shared {
    /// Returns the memory of a dataport; for generated code.
    ///
    /// # Safety
    /// The bytes are mapped, and are used in no other way than through `Shared`.
    pub const unsafe fn new(start: *mut u8, bytes: usize) -> Self {
        Self { start, bytes }
    }

    /// Returns its size in bytes.
    pub fn len(self) -> usize {
        self.bytes
    }

    /// Returns `true` if it has no bytes.
    pub fn is_empty(self) -> bool {
        self.bytes == 0
    }

    /// Returns a byte; `None` beyond the end.
    pub fn read(self, at: usize) -> Option<u8> {
        // SAFETY:
        // 1. `at` is below the size, so the byte is part of the mapped memory (contract of `new`).
        (at < self.bytes).then(|| unsafe { self.start.add(at).read_volatile() })
    }

    /// Changes a byte; false beyond the end.
    pub fn write(self, at: usize, byte: u8) -> bool {
        if at < self.bytes {
            // SAFETY:
            // 1. `at` is below the size, so the byte is part of the mapped memory (contract of
            //    `new`).
            unsafe { self.start.add(at).write_volatile(byte) };
        }
        at < self.bytes
    }
}

/// Returns the elements of an array that a caller passed; for generated code.
///
/// # Safety
/// `start` points to `count` initialized elements that stay as they are for `'a`, or `count` is 0.
pub unsafe fn elements<'a, T>(start: *const T, count: usize) -> &'a [T] {
    if count == 0 || start.is_null() {
        return &[];
    }
    // SAFETY:
    // 1. `start` is not null, and the contract of this function is that of `from_raw_parts`.
    unsafe { core::slice::from_raw_parts(start, count) }
}

#[panic_handler]
fn panic(information: &core::panic::PanicInfo<'_>) -> ! {
    // The message would need the core library's formatting, and with it a stack of unknown size.
    let line = line().text("panicked");
    match information.location() {
        Some(place) => {
            line.text(" at ").text(place.file()).text(":").number(place.line().into()).end()
        }
        None => line.end(),
    }
    loop {
        // SAFETY:
        // 1. A breakpoint ends this invocation or job as a fault; nothing after it runs.
        unsafe { core::arch::asm!("ebreak") };
    }
}
