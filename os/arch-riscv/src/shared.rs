//! The memory that cores share, and the objects that each must look at.
//!
//! These are the gates between them, and mailboxes for signals on their way to other cores. Every
//! core computes the same places from the same tables, in memory that only kernels have; the first
//! core fills it before the others begin. A gate's lock is a ticket lock: cores enter in the order
//! in which they have asked. Two locks are never held together.

use crate::context::{Context, FRAME_WORDS, LIVE_WORDS};
use crate::machine_map::PLATFORM;
use crate::{csr, devices};
use core::ptr::NonNull;
use core::sync::atomic::{AtomicU32, Ordering};
use fusee_image_format::{LINE_BYTES, PACKET_WORDS};
use fusee_kernel::cores::{
    At, GlobalConfig, GlobalGate, Ipi, Ipis, Locked, Mailbox, Pending as Waiting, Request, Visit,
};
use fusee_kernel::exchange::{Board, LOOK_WORDS, Lines, Ticket, tell};
use fusee_kernel::{GlobalIndex, MailboxIndex, RestartIndex, SeatIndex};
use fusee_system::{Globals, Memory, OutOfMemory, SharedRestart};

/// A mailbox that shares its line with nothing that others write.
#[repr(C, align(64))]
struct Line(Mailbox);

/// The objects that one core is to look at.
type Pending = Board<AtomicU32>;

/// The machine's lines from core to core.
struct Interrupts;

impl Lines for Interrupts {
    #[inline(always)]
    fn interrupt(&self, core: usize) {
        devices::interrupt_core(core);
    }

    #[inline(always)]
    fn withdraw(&self, core: usize) {
        devices::withdraw(core);
    }

    #[inline(always)]
    fn before_devices(&self) {
        csr::before_devices();
    }

    #[inline(always)]
    fn after_devices(&self) {
        csr::after_devices();
    }
}

/// The content that travels with a request and back: the words of a call.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct Packet {
    /// Those in registers.
    pub(crate) words: [usize; 6],
    /// The number of further words, which lie in memory.
    pub(crate) further: usize,
    /// The method, and the caller.
    pub(crate) who: usize,
    /// Physical address of the caller's message area.
    pub(crate) message: usize,
}

const _: () = assert!(size_of::<Packet>() == PACKET_WORDS * size_of::<usize>());

impl Packet {
    const EMPTY: Packet = Packet { words: [0; 6], further: 0, who: 0, message: 0 };
}

/// The addresses of a restart's parts.
#[derive(Clone, Copy)]
struct RestartPlace {
    lock: &'static Ticket<AtomicU32>,
    state: NonNull<SharedRestart>,
}

/// The addresses of a gate's parts.
#[derive(Clone, Copy)]
struct Place {
    lock: &'static Ticket<AtomicU32>,
    gate: NonNull<GlobalGate>,
    requests: NonNull<Request>,
    visits: NonNull<Visit>,
    packets: NonNull<Packet>,
    /// For each level below the gate's own, the number of the activation's stack there.
    stacks: NonNull<usize>,
    contexts: NonNull<usize>,
    seats: usize,
    depth: usize,
}

/// This core's view of the shared state.
pub(crate) struct Shared {
    core: usize,
    finished: &'static AtomicU32,
    pending: &'static [Pending],
    places: &'static [Place],
    mailboxes: &'static [Line],
    restarts: &'static [RestartPlace],
}

/// Hands out the shared memory, part by part.
struct Cutter {
    next: usize,
    end: usize,
    /// `true` if this core fills what it is given.
    fills: bool,
}

impl Cutter {
    /// So many values on lines of their own.
    ///
    /// # Safety
    /// The rest of the memory is for kernels alone, each value is written here before another core
    /// begins, and all cores ask for the same in the same order.
    unsafe fn cut<T>(
        &mut self,
        count: usize,
        value: impl Fn() -> T,
    ) -> Result<NonNull<T>, OutOfMemory> {
        let first = self.next.next_multiple_of(LINE_BYTES);
        let bytes = count.checked_mul(size_of::<T>()).ok_or(OutOfMemory(usize::MAX))?;
        let end = first.checked_add(bytes).filter(|end| *end <= self.end);
        self.next = end.ok_or(OutOfMemory(bytes))?;
        let place = NonNull::new(first as *mut T).ok_or(OutOfMemory(bytes))?;
        if self.fills {
            for number in 0..count {
                // SAFETY:
                // 1. By this function's own contract the memory is this core's as yet; it is
                //    aligned, and the value lies within it.
                unsafe { place.add(number).write(value()) }
            }
        }
        Ok(place)
    }
}

impl Shared {
    /// Returns the places of all gates, filled by the first core.
    ///
    /// # Safety
    /// The range that the head of the image's tables names is main memory outside of what
    /// components may reach, for this alone; it is called once on each core, and on the others only
    /// when the first has come back from it.
    pub(crate) unsafe fn new(
        memory: &mut impl Memory,
        globals: &Globals,
    ) -> Result<Shared, OutOfMemory> {
        let header = &globals.header;
        let mut cutter = Cutter {
            next: header.shared as usize,
            end: (header.shared + header.shared_bytes) as usize,
            fills: header.core == 0,
        };
        let (cores, configs) = (usize::from(header.cores), globals.configs());
        // SAFETY:
        // 1. By this function's own contract.
        // 2. What is referred to from here on is changed through atomics only.
        let (finished, pending, mailboxes) = unsafe {
            let finished = cutter.cut(1, || AtomicU32::new(0))?;
            let none = || Board([const { AtomicU32::new(0) }; LOOK_WORDS]);
            let pending = cutter.cut(cores, none)?;
            let count = globals.mailboxes().len();
            let mailboxes = cutter.cut(count, || Line(Mailbox::empty()))?;
            (
                finished.as_ref(),
                core::slice::from_raw_parts(pending.as_ptr(), cores),
                core::slice::from_raw_parts(mailboxes.as_ptr(), count),
            )
        };
        let core = header.core.into();
        // SAFETY:
        // 1. By this function's own contract.
        let restarts = unsafe { RestartPlace::cut_all(memory, &mut cutter, globals.restarts())? };
        let Some(first) = configs.first() else {
            return Ok(Shared { core, finished, pending, places: &[], mailboxes, restarts });
        };
        // SAFETY:
        // 1. By this function's own contract.
        let first = unsafe { Place::cut(&mut cutter, first)? };
        let places = memory.filled(configs.len(), first)?;
        for (place, config) in places.iter_mut().zip(configs).skip(1) {
            // SAFETY:
            // 1. By this function's own contract.
            *place = unsafe { Place::cut(&mut cutter, config)? };
        }
        Ok(Shared { core, finished, pending, places, mailboxes, restarts })
    }

    /// The core is about to begin. What others have told it before, it has not heard.
    pub(crate) fn begin(&self) {
        if self.is_told() {
            devices::interrupt_core(self.core);
        }
    }

    fn is_told(&self) -> bool {
        self.pending[self.core].0.iter().any(|word| word.load(Ordering::Acquire) != 0)
    }

    /// Counts the cores whose run is over.
    pub(crate) fn finished(&self) -> &'static AtomicU32 {
        self.finished
    }

    /// Returns the number of cores.
    pub(crate) fn cores(&self) -> usize {
        self.pending.len()
    }

    /// Does something under a gate's lock.
    pub(crate) fn locked<T>(
        &self,
        global: GlobalIndex,
        section: impl FnOnce(&mut Locked<'_>) -> T,
    ) -> T {
        let place = &self.places[global.at()];
        let ticket = place.lock.enter(|| self.wait_a_little());
        // SAFETY:
        // 1. All cores have cut the same places, so these are values that were written.
        // 2. Whoever has the lock has the only references to them, and they end before it is given
        //    on: `section` cannot keep them.
        let done = unsafe {
            let visits = core::slice::from_raw_parts_mut(place.visits.as_ptr(), place.depth);
            let requests = core::slice::from_raw_parts_mut(place.requests.as_ptr(), place.seats);
            section(&mut Locked { gate: &mut *place.gate.as_ptr(), requests, visits })
        };
        place.lock.leave(ticket);
        done
    }

    /// Does something under a restart's lock.
    pub(crate) fn at_restart<T>(
        &self,
        restart: RestartIndex,
        section: impl FnOnce(&mut SharedRestart) -> T,
    ) -> T {
        let place = &self.restarts[restart.at()];
        let ticket = place.lock.enter(|| self.wait_a_little());
        // SAFETY:
        // 1. All cores have cut the same places, so this is a value that was written.
        // 2. Whoever has the lock has the only reference to it, which ends before it is given on.
        let done = section(unsafe { &mut *place.state.as_ptr() });
        place.lock.leave(ticket);
        done
    }

    /// Waits for another core, which holds a lock for a few dozen instructions. Where cores take
    /// turns, that one has to have a turn first: this core then gives its own away, by sleeping
    /// until it has interrupted itself.
    pub(crate) fn wait_a_little(&self) {
        if PLATFORM.descriptor().parallel {
            return core::hint::spin_loop();
        }
        devices::interrupt_core(self.core);
        csr::wait_for_interrupt();
        devices::withdraw(self.core);
        csr::after_devices();
        // Another core may have told it something meanwhile.
        if self.is_told() {
            devices::interrupt_core(self.core);
        }
    }

    /// Tells cores to look.
    pub(crate) fn tell(&self, ipis: Ipis) {
        self.tell_all(ipis.iter());
    }

    /// Tells as many cores as there are to look.
    #[inline(always)]
    pub(crate) fn tell_all(&self, ipis: impl Iterator<Item = Ipi>) {
        for ipi in ipis {
            let Some(pending) = self.pending.get(usize::from(ipi.core)) else { continue };
            let bit = Waiting::number(ipi.at);
            let word = &pending.0[(bit / u32::BITS) as usize];
            tell(word, 1 << (bit % u32::BITS), &Interrupts, ipi.core.into());
        }
    }

    /// Returns the mailbox of a number; none: it is a restart's.
    pub(crate) fn mailbox(&self, mailbox: MailboxIndex) -> Option<&Mailbox> {
        self.mailboxes.get(mailbox.at()).map(|line| &line.0)
    }

    /// One thing at which this core is to look, of which it is pending no more.
    pub(crate) fn look(&self) -> Option<At> {
        let number = Board::look(self.pending, &Interrupts, self.core)?;
        Some(Waiting::at(number, self.places.len()))
    }

    /// Returns the packet of a seat's words. It belongs to the seat's core before that asks and
    /// when it has come back, and in between to the core that executes the activation. They are its
    /// core's before it asks and when it has come back, and in between of the core that executes
    /// the activation.
    pub(crate) fn packet(&self, global: GlobalIndex, seat: SeatIndex) -> NonNull<Packet> {
        let place = &self.places[global.at()];
        debug_assert!(seat.at() < place.seats);
        // SAFETY:
        // 1. There is a packet for each seat, and the tables name no others.
        unsafe { place.packets.add(seat.at()) }
    }

    /// Returns the registers of a gate's activation at a depth: for the core that executes it.
    pub(crate) fn context(&self, global: GlobalIndex, depth: u8) -> Context {
        let place = &self.places[global.at()];
        debug_assert!(usize::from(depth) <= place.depth);
        // SAFETY:
        // 1. There are so many words for each level that the activation may reach, with room for
        //    the live registers behind, and who executes it is the only one to use them.
        unsafe { Context::new(place.contexts.add(usize::from(depth) * FRAME_WORDS)) }
    }

    /// Returns the number of the stack on which an activation is at a depth below its own gate.
    pub(crate) fn stack(&self, global: GlobalIndex, depth: u8) -> NonNull<usize> {
        let place = &self.places[global.at()];
        debug_assert!((1..=place.depth).contains(&usize::from(depth)));
        // SAFETY:
        // 1. There is a number for each level below the gate's own.
        unsafe { place.stacks.add(usize::from(depth) - 1) }
    }
}

impl RestartPlace {
    /// So many of them.
    ///
    /// # Safety
    /// As for [`Cutter::cut`].
    unsafe fn cut_all(
        memory: &mut impl Memory,
        cutter: &mut Cutter,
        count: usize,
    ) -> Result<&'static [RestartPlace], OutOfMemory> {
        if count == 0 {
            return Ok(&[]);
        }
        // SAFETY:
        // 1. By this function's own contract.
        let places = memory.filled(count, unsafe { RestartPlace::cut(cutter)? })?;
        for place in places.iter_mut().skip(1) {
            // SAFETY:
            // 1. By this function's own contract.
            *place = unsafe { RestartPlace::cut(cutter)? };
        }
        Ok(places)
    }

    /// Returns the next one.
    ///
    /// # Safety
    /// As for [`Cutter::cut`].
    unsafe fn cut(cutter: &mut Cutter) -> Result<RestartPlace, OutOfMemory> {
        let free = || Ticket { next: AtomicU32::new(0), serving: AtomicU32::new(0) };
        // SAFETY:
        // 1. By this function's own contract.
        // 2. The lock is changed through atomics only.
        unsafe {
            let lock = cutter.cut(1, free)?.as_ref();
            Ok(RestartPlace { lock, state: cutter.cut(1, || SharedRestart::EMPTY)? })
        }
    }
}

impl Place {
    /// Returns the next gate's.
    ///
    /// # Safety
    /// As for [`Cutter::cut`].
    unsafe fn cut(cutter: &mut Cutter, config: &GlobalConfig<'_>) -> Result<Place, OutOfMemory> {
        let (seats, depth) = (config.seats.len(), usize::from(config.depth));
        let words = (depth + 1) * FRAME_WORDS + LIVE_WORDS;
        let free = || Ticket { next: AtomicU32::new(0), serving: AtomicU32::new(0) };
        // SAFETY:
        // 1. By this function's own contract.
        // 2. The lock is changed through atomics only.
        unsafe {
            Ok(Place {
                lock: cutter.cut(1, free)?.as_ref(),
                gate: cutter.cut(1, || GlobalGate::EMPTY)?,
                requests: cutter.cut(seats, || Request::EMPTY)?,
                visits: cutter.cut(depth, || Visit::EMPTY)?,
                packets: cutter.cut(seats, || Packet::EMPTY)?,
                stacks: cutter.cut(depth, || 0)?,
                contexts: cutter.cut(words, || 0)?,
                seats,
                depth,
            })
        }
    }
}
