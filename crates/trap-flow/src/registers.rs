//! The registers of a thread's frame while the thread does not run.

/// The number of words that a call carries in registers.
const WORDS: usize = fusee_image_format::abi::REGISTER_WORDS;

/// A place for the registers of one frame of a thread.
///
/// The caller's frame keeps a call until the thread goes on: its words, the number of further
/// words, which lie in memory, and the slot and method that it names.
pub trait Registers: Copy {
    /// Returns the words that are kept.
    fn words(self) -> [usize; WORDS];

    /// Keeps the words of a call.
    fn keep_words(self, words: [usize; WORDS]);

    /// Returns the number of further words.
    fn further(self) -> usize;

    /// Keeps the number of further words.
    fn keep_further(self, further: usize);

    /// Returns the slot of the call under way.
    fn slot(self) -> u16;

    /// Returns the method of the call under way.
    fn method(self) -> u16;

    /// Returns the slot and method of the call under way, as the call has them in one word.
    fn request(self) -> usize;

    /// Returns `true` if the thread made no call: an interrupt came, and all registers are saved.
    fn is_interrupted(self) -> bool;

    /// Returns the operation of the call under way.
    fn operation(self) -> usize;

    /// Copies what a call preserves to another frame of the same thread: a mutex moves the thread
    /// to another frame while it stays where it is.
    fn carry_over(self, to: Self);

    /// Puts the thread right before the invocation that it has made, as if it had been interrupted
    /// there: it makes it again.
    fn step_back(self);

    /// Returns the place of the next deeper frame, of a thread that has one.
    fn callees(self) -> Self;

    /// Returns the place of the frame below, of a thread that has one.
    fn callers(self) -> Self;
}
