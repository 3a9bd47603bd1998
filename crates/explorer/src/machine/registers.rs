//! Registers on paper.

use std::cell::Cell;

use fusee_image_format::abi;
use fusee_trap_flow::Registers;

/// Words that a call carries in registers.
pub(super) type Words = [usize; abi::REGISTER_WORDS];

/// The value of registers that hold nothing that is known.
const GARBAGE: usize = usize::MAX;

/// In the place of a request: an interrupt came.
const INTERRUPTED: usize = usize::MAX;

/// The place of a frame's preserved registers, which is that of the live registers of the frame
/// below as long as that is the topmost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Area {
    /// The registers that a call preserves: a number that tells whose they are.
    Preserved(usize),
    /// Words, and the number of further ones.
    Live(Words, usize),
}

/// The registers of all threads, and what each frame's call asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Kept {
    areas: Vec<Cell<Area>>,
    requests: Vec<Cell<usize>>,
    operations: Vec<Cell<usize>>,
    /// The number of frames of a thread.
    depth: usize,
}

impl Kept {
    /// Registers of so many threads with so many frames each, before the start.
    pub(super) fn start(threads: usize, depth: usize) -> Kept {
        let frames = threads * depth;
        Kept {
            areas: vec![Cell::new(Area::Preserved(GARBAGE)); frames + threads + 2],
            requests: vec![Cell::new(0); frames + 1],
            operations: vec![Cell::new(0); frames + 1],
            depth,
        }
    }

    /// Returns the place of a frame's registers, by its place among the frames of all threads.
    pub(super) fn of(&self, frame: usize) -> Place<'_> {
        Place { kept: self, frame }
    }

    /// Returns a place for registers that nobody needs.
    pub(super) fn discarded(&self) -> Place<'_> {
        Place { kept: self, frame: self.requests.len() - 1 }
    }

    /// Returns the area of a frame's preserved registers.
    pub(super) fn area_of(&self, frame: usize) -> Area {
        self.area(frame).get()
    }

    /// Returns the area of a frame's live registers.
    pub(super) fn live_of(&self, frame: usize) -> Area {
        self.of(frame).live().get()
    }

    /// Returns what a frame's call has asked for, for the encoding of a state.
    pub(super) fn request(&self, frame: usize) -> usize {
        self.requests[frame].get()
    }

    /// Each thread has one area more than frames, behind its own.
    fn area(&self, frame: usize) -> &Cell<Area> {
        let thread = frame / self.depth.max(1);
        &self.areas[frame + thread]
    }
}

/// The place of one frame's registers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'k> {
    kept: &'k Kept,
    /// The place of the frame among those of all threads.
    pub(super) frame: usize,
}

impl Place<'_> {
    /// Returns the number of the registers that a call preserves, while they are kept.
    pub(super) fn preserved(self) -> usize {
        match self.kept.area(self.frame).get() {
            Area::Preserved(number) => number,
            Area::Live(..) => GARBAGE,
        }
    }

    /// A trap's first instructions: what a call preserves is kept, with what it asks for.
    pub(super) fn save_call(self, preserved: usize, operation: usize, request: usize) {
        self.kept.area(self.frame).set(Area::Preserved(preserved));
        self.kept.requests[self.frame].set(request);
        self.kept.operations[self.frame].set(operation);
    }

    /// An interrupt's first instructions: all registers are kept.
    pub(super) fn save_all(self, preserved: usize, words: Words) {
        self.save_call(preserved, 0, INTERRUPTED);
        self.live().set(Area::Live(words, 0));
    }

    fn live(&self) -> &Cell<Area> {
        // The area behind the thread's last frame is its own, too.
        let thread = self.frame / self.kept.depth.max(1);
        &self.kept.areas[self.frame + thread + 1]
    }

    fn live_words(self) -> (Words, usize) {
        match self.live().get() {
            Area::Live(words, further) => (words, further),
            Area::Preserved(_) => ([GARBAGE; abi::REGISTER_WORDS], GARBAGE),
        }
    }
}

impl Registers for Place<'_> {
    fn words(self) -> Words {
        self.live_words().0
    }

    fn keep_words(self, words: Words) {
        let (_, further) = self.live_words();
        self.live().set(Area::Live(words, further));
    }

    fn further(self) -> usize {
        self.live_words().1
    }

    fn keep_further(self, further: usize) {
        let (words, _) = self.live_words();
        self.live().set(Area::Live(words, further));
    }

    fn slot(self) -> u16 {
        self.request() as u16
    }

    fn method(self) -> u16 {
        (self.request() >> abi::METHOD_SHIFT) as u16
    }

    fn request(self) -> usize {
        self.kept.requests[self.frame].get()
    }

    fn is_interrupted(self) -> bool {
        self.request() == INTERRUPTED
    }

    fn operation(self) -> usize {
        self.kept.operations[self.frame].get()
    }

    fn carry_over(self, to: Self) {
        to.kept.area(to.frame).set(self.kept.area(self.frame).get());
        to.kept.requests[to.frame].set(self.request());
    }

    fn step_back(self) {
        self.kept.requests[self.frame].set(INTERRUPTED);
    }

    fn callees(self) -> Self {
        Place { frame: self.frame + 1, ..self }
    }

    fn callers(self) -> Self {
        Place { frame: self.frame - 1, ..self }
    }
}
