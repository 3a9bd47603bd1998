//! A system in memory: the kernel, and where its objects are.

use crate::decode::{self, Places};
use crate::{Memory, Recorder, Refusal, Watch};
use fusee_image_format::{Blob, CopyRange, MachineKind, abi};
use fusee_kernel::{ComponentIndex, Error, Event, Kernel, Outcome, StackIndex, ThreadIndex, Time};

/// A stack. The kernel copies messages by physical addresses that the build has computed, and needs no pointer of any
/// component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(align(64))]
pub struct Stack {
    /// Virtual address with which the stack pointer begins.
    pub stack_pointer: usize,
    /// Virtual address of the thread-local data.
    pub thread_pointer: usize,
    /// Physical address of the message area.
    pub message: usize,
    /// Virtual address at which a thread begins on it: each stack belongs to one gate, or is one thread's home.
    pub entry: usize,
    /// The address space there.
    pub space: usize,
}

/// The kernel and what only the machine needs.
pub struct System {
    /// The decisions.
    pub kernel: Kernel<'static, Recorder>,
    /// When the machine itself must look at the clock.
    pub watch: Watch,
    places: Places,
    boot_thread: ThreadIndex,
}

impl System {
    /// Decodes the tables and starts the kernel. Nothing runs yet: the first timer event releases the first jobs.
    ///
    /// # Errors
    /// Tables that make no system, or too little memory.
    pub fn new(memory: &mut impl Memory, blob: &Blob<'_>, recorder: Recorder) -> Result<System, Refusal> {
        let tables = decode::tables(memory, blob)?;
        tables.check()?;
        let state = decode::state(memory, tables.sizes())?;
        Ok(System {
            kernel: Kernel::start(tables, state, recorder)?,
            watch: Watch::new(&blob.header),
            places: Places::of(memory, blob)?,
            boot_thread: ThreadIndex(blob.header.boot_thread),
        })
    }

    /// When the timer must fire: for the kernel, or for the machine itself.
    #[inline]
    pub fn deadline(&self, outcome: &Outcome) -> Time {
        outcome.timer.min(self.watch.next())
    }

    /// A system call without a message, by its number.
    ///
    /// # Errors
    /// What the kernel refuses; none inside: no operation has this number.
    pub fn call(&mut self, now: Time, operation: usize, slot: u16) -> Result<Outcome, Option<Error>> {
        let event = match operation {
            abi::COMPLETE => return self.complete(now).map_err(Some),
            abi::SIGNAL => Event::Signal(slot),
            abi::WAIT => Event::Wait(slot),
            abi::POLL => Event::Poll(slot),
            abi::YIELD => Event::Yield,
            abi::LOCK => Event::Lock(slot),
            abi::UNLOCK => Event::Unlock(slot),
            _ => return Err(None),
        };
        self.kernel.handle(now, event).map_err(Some)
    }

    fn complete(&mut self, now: Time) -> Result<Outcome, Error> {
        let thread = self.kernel.current();
        let outcome = self.kernel.complete(now)?;
        if thread == self.boot_thread {
            self.watch.started();
            let sink = self.kernel.sink();
            sink.set_started(now);
            sink.machine(now, MachineKind::Started, thread, u16::MAX, 0);
        }
        Ok(outcome)
    }

    /// Where a thread's jobs begin.
    #[inline]
    pub fn home(&self, thread: ThreadIndex) -> &Stack {
        &self.places.homes[thread.at()]
    }

    /// A gate's stack.
    #[inline]
    pub fn gate_stack(&self, stack: StackIndex) -> &Stack {
        &self.places.stacks[stack.at()]
    }

    /// The stack on which a thread is.
    #[inline]
    pub fn stack(&self, thread: ThreadIndex) -> &Stack {
        self.stack_below(thread, 0)
    }

    /// The stack on which a thread was before its topmost invocation.
    #[inline]
    pub fn callers_stack(&self, thread: ThreadIndex) -> &Stack {
        self.stack_below(thread, 1)
    }

    /// The stack of the topmost frame but `skipped` that has one; a locked mutex has none.
    fn stack_below(&self, thread: ThreadIndex, skipped: usize) -> &Stack {
        let frames = self.kernel.frames(thread).iter().rev();
        let stacks = frames.map(|frame| &self.places.stacks[frame.stack.at()]).filter(|stack| stack.message != 0);
        stacks.skip(skipped).next().unwrap_or(&self.places.homes[thread.at()])
    }

    /// What a restart of the component writes.
    pub fn copies(&self, component: ComponentIndex) -> &'static [CopyRange] {
        self.places.copies[component.at()]
    }

    /// The interrupt line of a source of the interrupt controller.
    #[inline]
    pub fn line(&self, source: u16) -> Option<u16> {
        self.places.lines.get(source as usize).copied().filter(|line| *line != u16::MAX)
    }

    /// The interrupt controller's numbers of all lines.
    pub fn sources(&self) -> &'static [u16] {
        self.places.sources
    }

    /// The interrupt source that the running component may acknowledge with this slot.
    ///
    /// # Errors
    /// The slot holds no such capability.
    pub fn acknowledge(&self, slot: u16) -> Result<u16, Error> {
        match self.kernel.capability(slot)? {
            fusee_kernel::Capability::Acknowledge(line) => {
                self.places.sources.get(line as usize).copied().ok_or(Error::NoSuchObject)
            }
            _ => Err(Error::NoCapability),
        }
    }
}
