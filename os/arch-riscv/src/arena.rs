//! The kernel's memory: from the end of its variables to the image's tables.
//!
//! At first the code that starts the kernel lies at its beginning. That memory goes to the threads'
//! registers: nobody writes them before the first job, and when that begins the code has done its
//! work ([`Registers::take`]).

use crate::registers::Registers;
use core::mem::MaybeUninit;
use core::ptr::NonNull;
use fusee_system::{Memory, OutOfMemory};

// # Safety
// The linker script defines all of them; only their addresses are used.
unsafe extern "C" {
    static mut __data_start: u8;
    static mut __arena_start: u8;
    static mut __start_up_end: u8;
    static mut __arena_end: u8;
    static mut __stack_bottom: usize;
}

/// The value of the stack's last word until something overwrites it.
const UNTOUCHED: usize = 0x5afe_57ac;

/// The rest of the kernel's memory, not yet handed out. There is one.
pub(crate) struct Arena {
    next: usize,
    end: usize,
}

impl Arena {
    /// All of it, and so many words of it for the threads' registers.
    ///
    /// # Safety
    /// This is called once.
    pub(crate) unsafe fn new(registers: usize) -> Result<(Arena, Registers), OutOfMemory> {
        let start = (&raw const __arena_start) as usize;
        let (code, end) = ((&raw const __start_up_end) as usize, (&raw const __arena_end) as usize);
        let bytes = registers.checked_mul(size_of::<usize>()).ok_or(OutOfMemory(usize::MAX))?;
        let next = start
            .checked_add(bytes)
            .filter(|next| *next <= end)
            .ok_or(OutOfMemory(bytes))?
            .max(code);
        let first = NonNull::new(&raw mut __arena_start).ok_or(OutOfMemory(bytes))?.cast();
        // SAFETY:
        // 1. The range is the arena's, by this function's own contract nobody else has it, and what
        //    is handed out later lies behind it. Start and end are aligned for words: the linker
        //    script aligns both.
        // 2. All code within it belongs to the start.
        let registers = unsafe { Registers::new(first, (next - start) / size_of::<usize>()) };
        // SAFETY:
        // 1. The last word of the stack is far from what is on it, and nobody else's.
        unsafe { (&raw mut __stack_bottom).write_volatile(UNTOUCHED) };
        Ok((Arena { next, end }, registers))
    }

    /// Returns `true` if the end of the stack has never been reached since there is an arena.
    pub(crate) fn leaves_stack_whole(&self) -> bool {
        // SAFETY:
        // 1. The word is nobody else's, and `new` has written it.
        unsafe { (&raw const __stack_bottom).read_volatile() == UNTOUCHED }
    }

    /// Bytes of memory that the kernel writes to, up to now: its variables, its stack, and what has
    /// been handed out.
    pub(crate) fn used(&self) -> usize {
        self.next - (&raw const __data_start) as usize
    }
}

impl Memory for Arena {
    fn filled<T: Copy + 'static>(
        &mut self,
        count: usize,
        value: T,
    ) -> Result<&'static mut [T], OutOfMemory> {
        let first = self.next.next_multiple_of(align_of::<T>());
        let bytes = count.checked_mul(size_of::<T>()).ok_or(OutOfMemory(usize::MAX))?;
        let end =
            first.checked_add(bytes).filter(|end| *end <= self.end).ok_or(OutOfMemory(bytes))?;
        self.next = end;
        // SAFETY:
        // 1. `first` to `end` lies in the arena, which is main memory that the linker gives to
        //    nobody else.
        // 2. `next` only grows, so no two calls hand out the same bytes, and there is only one
        //    arena.
        // 3. The start is aligned for `T`, and uninitialized values of `T` need no initialization.
        let place = unsafe { core::slice::from_raw_parts_mut(first as *mut MaybeUninit<T>, count) };
        for item in place.iter_mut() {
            item.write(value);
        }
        // SAFETY:
        // 1. All items have just been written.
        Ok(unsafe { place.assume_init_mut() })
    }
}
