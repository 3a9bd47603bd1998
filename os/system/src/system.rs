//! A system in memory: the kernel, and the places of its objects.

#[cfg(feature = "cores")]
use crate::Globals;
use crate::decode::{self, Places};
use crate::{Memory, Piece, Policy, Recorder, Refusal, Stack, Watch};
use fusee_image_format::{Blob, Header, MachineKind};
use fusee_kernel::{
    Capability, Changed, ComponentIndex, Error, Flow, Heard, Kernel, NextChosen, ResumeReason,
    StackIndex, Status, ThreadIndex, Time,
};
use fusee_trap_flow::Host;

/// The listener to the kernel's events: the schedulers.
#[cfg(feature = "schedulers")]
pub type Listening = fusee_kernel::tcaps::Trees<'static>;
/// The absence of a listener.
#[cfg(not(feature = "schedulers"))]
pub type Listening = ();

/// The kernel and the data that only the machine needs.
///
/// Nobody else has the kernel's state: whatever happens goes by its [`Flow`], and what comes of
/// that is settled before anybody goes on.
pub struct System {
    pub(crate) kernel: Kernel<'static, Policy, Recorder>,
    pub(crate) listening: Listening,
    /// When the machine itself must look at the clock.
    pub watch: Watch,
    places: Places,
    boot_thread: ThreadIndex,
    /// The core's part in the gates between cores.
    #[cfg(feature = "cores")]
    pub globals: Globals,
    /// The address of each gate's word; 0: it has none.
    #[cfg(feature = "mutex-words")]
    pub(crate) words: &'static [u32],
}

impl System {
    /// The offset of the kernel in it, in bytes.
    pub const KERNEL: usize = core::mem::offset_of!(System, kernel);

    /// Decodes the tables and starts the kernel. Nothing runs yet: the first timer event releases
    /// the first jobs.
    ///
    /// # Errors
    /// Tables that make no system, or too little memory.
    #[cfg(not(any(feature = "cores", feature = "schedulers")))]
    pub fn new(
        memory: &mut impl Memory,
        blob: &Blob<'_>,
        recorder: Recorder,
    ) -> Result<System, Refusal> {
        let tables = decode::tables(memory, blob, |capability| capability)?;
        tables.check()?;
        let state = decode::state(memory, tables.sizes())?;
        Ok(System {
            kernel: Kernel::start(tables, state, recorder)?,
            listening: (),
            watch: Watch::new(&blob.header),
            places: Places::of(memory, blob)?,
            boot_thread: ThreadIndex(blob.header.boot_thread),
            #[cfg(feature = "mutex-words")]
            words: decode::words(memory, blob)?,
        })
    }

    /// Decodes the tables and starts the kernel and its schedulers. Nothing runs yet: the first
    /// timer event releases the first jobs.
    ///
    /// # Errors
    /// Tables that make no system, or too little memory.
    #[cfg(feature = "schedulers")]
    pub fn new(
        memory: &mut impl Memory,
        (blob, trees): (&Blob<'_>, &fusee_image_format::TreeBlob<'_>),
        recorder: Recorder,
    ) -> Result<System, Refusal> {
        let tables = decode::tables(memory, blob, |capability| capability)?;
        tables.check()?;
        let state = decode::state(memory, tables.sizes())?;
        let mut kernel = Kernel::start(tables, state, recorder)?;
        let listening = crate::trees::start(memory, trees, &mut kernel)?;
        Ok(System {
            kernel,
            listening,
            watch: Watch::new(&blob.header),
            places: Places::of(memory, blob)?,
            boot_thread: ThreadIndex(blob.header.boot_thread),
            #[cfg(feature = "mutex-words")]
            words: decode::words(memory, blob)?,
        })
    }

    /// Decodes the tables of one of several cores and starts its kernel. Nothing runs yet: the
    /// first timer event releases the first jobs.
    ///
    /// # Errors
    /// Tables that make no system, or too little memory.
    #[cfg(feature = "cores")]
    pub fn new(
        memory: &mut impl Memory,
        (blob, core): (&Blob<'_>, &fusee_image_format::CoreBlob<'_>),
        recorder: Recorder,
    ) -> Result<System, Refusal> {
        let globals = Globals::of(memory, blob, core)?;
        let shared = globals.tables;
        let tables =
            decode::tables(memory, blob, |capability| crate::globals::shown(capability, &shared))?;
        tables.check()?;
        let state = decode::state(memory, tables.sizes())?;
        let parts = (tables, globals.tables);
        Ok(System {
            kernel: fusee_kernel::cores::start(parts, state, globals.home, recorder)?,
            listening: (),
            watch: Watch::new(&blob.header),
            places: Places::of(memory, blob)?,
            boot_thread: ThreadIndex(blob.header.boot_thread),
            globals,
            #[cfg(feature = "mutex-words")]
            words: decode::words(memory, blob)?,
        })
    }

    /// The kernel with its part in the gates between cores.
    #[cfg(feature = "cores")]
    pub fn between(&mut self) -> fusee_kernel::cores::CoreKernel<'_, 'static, Policy, Recorder> {
        let Globals { tables, home, debts, .. } = &mut self.globals;
        fusee_kernel::cores::CoreKernel::over(&mut self.kernel, tables, (home, debts))
    }

    /// Returns the stack of an activation in its own gate.
    #[cfg(feature = "cores")]
    pub fn stack_of(&self, global: fusee_kernel::GlobalIndex) -> &'static Stack {
        &self.places.stacks[self.globals.stack(global)]
    }

    /// One of the stacks of an activation in gates below its own, by its number.
    #[cfg(feature = "cores")]
    pub fn stack_below(&self, number: usize) -> &'static Stack {
        self.globals.stack_below(number)
    }

    /// Lets no event release a job before time 0, but those by which threads set themselves up:
    /// these the boot component signals, which is the last.
    pub fn hold_arrivals(&mut self, header: &Header) {
        let tables = *self.kernel.tables();
        let boot = tables.components.last().map_or(&[][..], |boot| boot.capabilities);
        for (number, notification) in tables.notifications.iter().enumerate() {
            let signals =
                |slot: &Capability| matches!(slot, Capability::Signal(of, _) if of.at() == number);
            if notification.releases.is_some() && !boot.iter().any(signals) {
                self.kernel.hold_arrivals(notification.releases, header.startup);
            }
        }
    }

    /// When the timer must fire: for the kernel, or for the machine itself.
    #[cfg(not(feature = "schedulers"))]
    #[inline]
    pub fn deadline(&self) -> Time {
        self.kernel.next_timer().min(self.watch.next())
    }

    /// When the timer must fire: for the kernel, for the machine itself, or for a scheduler.
    #[cfg(feature = "schedulers")]
    pub fn deadline(&self) -> Time {
        let own = self.kernel.next_timer().min(self.watch.next());
        own.min(self.listening.next_timer(&self.kernel))
    }

    /// When the timer must fire while the core is in an activation of a gate between cores.
    #[cfg(feature = "cores")]
    #[inline]
    pub fn deadline_in_activation(&self) -> Time {
        self.kernel.next_timer().min(self.watch.next_in_activation())
    }

    /// Returns the flow from an event to the thread that goes on.
    #[inline(always)]
    pub fn flow(&mut self) -> Flow<'_, 'static, Policy, Recorder, Listening> {
        Flow::over(&mut self.kernel, &mut self.listening)
    }

    /// The end of every event that was not done at once.
    #[inline(always)]
    pub fn reschedule(&mut self, now: Time, changed: Changed) -> NextChosen {
        let heard = self.hear(now, changed);
        self.reschedule_heard(now, heard)
    }

    /// Does the first half of that: the listener is told.
    #[cfg_attr(feature = "schedulers", inline(never))]
    #[cfg_attr(not(feature = "schedulers"), inline(always))]
    pub fn hear(&mut self, now: Time, changed: Changed) -> Heard {
        self.flow().hear(now, changed)
    }

    /// The second half: the highest runs.
    #[inline(always)]
    pub fn reschedule_heard(&mut self, now: Time, heard: Heard) -> NextChosen {
        self.flow().reschedule_heard(now, heard)
    }

    /// Returns the kernel, to look at.
    #[inline(always)]
    pub fn kernel(&self) -> &Kernel<'static, Policy, Recorder> {
        &self.kernel
    }

    /// Returns the recorder that records go to.
    #[inline(always)]
    pub fn sink(&mut self) -> &mut Recorder {
        self.kernel.sink()
    }

    /// Handles a system call without a message that is not one of those with fast paths, by its
    /// number. The next thread is then chosen.
    ///
    /// # Errors
    /// What the kernel refuses.
    #[inline(never)]
    pub fn call(&mut self, now: Time, operation: usize, slot: u16) -> Result<NextChosen, Error> {
        fusee_trap_flow::simple(self, now, operation, slot)
    }

    /// The thread that sets all components up limits what it calls next. It finds what was left
    /// before, in nanoseconds.
    ///
    /// # Errors
    /// Another one asks.
    #[cold]
    #[inline(always)]
    pub fn limit(&mut self, now: Time, amount: u32) -> Result<NextChosen, Error> {
        let boot = self.boot_thread;
        if self.kernel.current() != boot {
            return Err(Error::NoCapability);
        }
        let amount = (amount != u32::MAX).then_some(Time::from(amount));
        // It is set in 32 bits, and what is found is used only where it was set.
        let left = self.watch.limit(now, amount) as u32;
        Ok(self.flow().resume_with(boot, ResumeReason::Signal, left))
    }

    /// Ends the set-up of a component that has used up its time. If the boot thread runs there,
    /// that invocation is still to be ended. An error: it is back already, or it waits for a
    /// signal, and is ended as soon as it runs again, or it waits for another thread, and has a
    /// little more time.
    #[cold]
    #[inline(never)]
    pub fn end_set_up(&mut self, now: Time) -> Result<(), Changed> {
        let boot = self.boot_thread;
        let waits = self.kernel.thread(boot).status == Status::AtNotification;
        self.watch.spend(now, waits);
        if self.kernel.current() != boot {
            return Err(self.flow().end_wait(now, boot));
        }
        let inside = self.kernel.thread(boot).depth() > 0;
        if inside { Ok(()) } else { Err(self.flow().pass_time()) }
    }

    /// Returns the stack on which a thread's jobs begin.
    #[inline]
    pub fn home(&self, thread: ThreadIndex) -> &'static Stack {
        &self.places.homes[thread.at()]
    }

    /// Returns a gate's stack.
    #[inline]
    pub fn gate_stack(&self, stack: StackIndex) -> &'static Stack {
        &self.places.stacks[stack.at()]
    }

    /// Returns a thread's stack: that of a gate, or none for its own.
    #[inline(always)]
    pub fn stack_or_home(&self, stack: StackIndex, thread: ThreadIndex) -> &'static Stack {
        self.places.stacks.get(stack.at()).unwrap_or_else(|| self.home(thread))
    }

    /// Returns the stack on which a thread is.
    #[inline(always)]
    pub fn stack(&self, thread: ThreadIndex) -> &'static Stack {
        self.stack_or_home(self.kernel.top(thread).stack, thread)
    }

    /// The next piece of the component's restart; none: its initial data have been put back.
    #[inline(never)]
    pub fn piece(&mut self, component: ComponentIndex) -> Option<Piece> {
        self.places.restarts.piece(component)
    }

    /// The section at a restart that is due, under its lock, with what is to put a piece of the
    /// component's initial data back.
    #[cfg(feature = "cores")]
    pub fn at_restart(
        &mut self,
        now: Time,
        shared: &mut crate::SharedRestart,
        write: impl FnOnce(&Piece),
    ) -> fusee_kernel::cores::Restarting {
        let Globals { tables, home, debts, .. } = &mut self.globals;
        let mut between =
            fusee_kernel::cores::CoreKernel::over(&mut self.kernel, tables, (home, debts));
        let component = between.restarted();
        let (restarts, crate::SharedRestart { restart, progress }) =
            (&mut self.places.restarts, shared);
        let done = between.at_restart(now, restart, || {
            let piece = restarts.next_piece(component, progress);
            piece.as_ref().map(write).is_some()
        });
        if done.done {
            self.record_restart_of(now, component);
        }
        done
    }

    /// Records that the component that the thread is in is as it was at first.
    #[inline(never)]
    pub fn record_restart(&mut self, now: Time, thread: ThreadIndex) {
        self.record_restart_of(now, self.kernel.component_of(thread));
    }

    #[inline(always)]
    fn record_restart_of(&mut self, now: Time, component: ComponentIndex) {
        let bytes = self.places.restarts.bytes(component);
        self.kernel.sink().machine(
            now,
            MachineKind::Restarted,
            ThreadIndex::NONE,
            component.0,
            bytes,
        );
    }

    /// Returns the interrupt line of a source of the interrupt controller.
    #[inline]
    pub fn line(&self, source: u16) -> Option<u16> {
        self.places.lines.get(source as usize).copied().filter(|line| *line != u16::MAX)
    }

    /// Returns the interrupt controller's numbers of all lines.
    pub fn sources(&self) -> &'static [u16] {
        self.places.sources
    }

    /// Returns the interrupt source that the running component may acknowledge with this slot.
    ///
    /// # Errors
    /// The slot holds no such capability.
    pub fn acknowledge(&self, slot: u16) -> Result<u16, Error> {
        match self.kernel.capability(slot)? {
            Capability::Acknowledge(line) => {
                self.places.sources.get(line as usize).copied().ok_or(Error::NoSuchObject)
            }
            _ => Err(Error::NoCapability),
        }
    }
}

impl Host<'static> for System {
    type Policy = Policy;
    type Sink = Recorder;
    type Listener = Listening;

    const HAS_SLEEPERS: bool = cfg!(feature = "lock-services");

    #[inline(always)]
    fn running(&self) -> ThreadIndex {
        self.kernel.current()
    }

    #[inline(always)]
    fn flow(&mut self) -> Flow<'_, 'static, Policy, Recorder, Listening> {
        System::flow(self)
    }

    #[inline(always)]
    fn reschedule(&mut self, now: Time, changed: Changed) -> NextChosen {
        System::reschedule(self, now, changed)
    }

    #[inline(always)]
    fn completed(&mut self, now: Time, thread: ThreadIndex) {
        if thread == self.boot_thread {
            self.watch.started();
            let sink = self.kernel.sink();
            sink.set_started(now);
            sink.machine(now, MachineKind::Started, thread, u16::MAX, 0);
        }
    }
}
