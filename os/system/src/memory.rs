//! Memory that is handed out once and never taken back.

/// There is not enough; the bytes that were wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfMemory(pub usize);

/// Memory for the kernel's tables and state.
pub trait Memory {
    /// So many values, all equal.
    ///
    /// # Errors
    /// When there is not enough memory left.
    fn filled<T: Copy + 'static>(
        &mut self,
        count: usize,
        value: T,
    ) -> Result<&'static mut [T], OutOfMemory>;
}
