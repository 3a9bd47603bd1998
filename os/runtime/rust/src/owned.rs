//! Texts and lists that travel between components: owned, on the heap.
//!
//! The results of an invocation, and the answers of a server, are handed over: C says so with
//! `malloc` on one side and `free` on the other. Here the same memory has an owner that frees it.
//! Both sides may be in either language, so the memory is always the C library's. There is no panic
//! when it is short: a text is then empty and a list shorter than it was to be, as its length says.

use core::ffi::{CStr, c_char, c_void};
use core::fmt;
use core::ops::{Deref, DerefMut};
use core::ptr;

// # Safety
// The C library has these functions with these signatures.
unsafe extern "C" {
    fn malloc(bytes: usize) -> *mut c_void;
    fn realloc(block: *mut c_void, bytes: usize) -> *mut c_void;
    fn free(block: *mut c_void);
}

/// A text that its holder may keep, change and give away; as C has it, a pointer to bytes that end
/// with zero.
#[repr(transparent)]
pub struct Text {
    start: *mut c_char,
}

impl Text {
    /// Returns a copy of a text.
    pub fn new(text: &CStr) -> Text {
        let bytes = text.to_bytes_with_nul();
        // SAFETY:
        // 1. Any size may be asked for.
        let start: *mut c_char = unsafe { malloc(bytes.len()) }.cast();
        if !start.is_null() {
            // SAFETY:
            // 1. The new block is as long as the text, and apart from it.
            unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), start.cast::<u8>(), bytes.len()) };
        }
        Text { start }
    }

    /// No text yet: reads as the empty one.
    pub const fn empty() -> Text {
        Text { start: ptr::null_mut() }
    }

    /// Takes over a text that C hands over; for generated code.
    ///
    /// # Safety
    /// `start` is null, or the C library's own block with a zero in it, which nobody else has.
    pub const unsafe fn from_c(start: *mut c_char) -> Text {
        Text { start }
    }

    /// Hands the text over to C; for generated code.
    pub fn into_c(self) -> *mut c_char {
        core::mem::ManuallyDrop::new(self).start
    }

    /// Returns a text that C holds a pointer to; for generated code.
    ///
    /// # Safety
    /// `place` holds what [`Text::from_c`] asks for, and nobody else looks at it for `'a`.
    pub unsafe fn at<'a>(place: *mut *mut c_char) -> &'a mut Text {
        // SAFETY:
        // 1. `Text` is a pointer to characters and nothing else, and the contract gives the place
        //    to `'a`.
        unsafe { &mut *place.cast() }
    }

    /// Returns the place where C puts an answer; the old text is freed. For generated code.
    pub fn for_answer(&mut self) -> *mut *mut c_char {
        *self = Text::empty();
        &raw mut self.start
    }

    /// Returns the place where C finds a text that it replaces by another; for generated code.
    pub fn for_exchange(&mut self) -> *mut *mut c_char {
        if self.start.is_null() {
            *self = Text::new(c"");
        }
        &raw mut self.start
    }
}

impl Deref for Text {
    type Target = CStr;

    fn deref(&self) -> &CStr {
        if self.start.is_null() {
            return c"";
        }
        // SAFETY:
        // 1. It is not null, so it points to a text that this value owns (contract of `from_c`, or
        //    `new`).
        unsafe { CStr::from_ptr(self.start) }
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        // SAFETY:
        // 1. The block is the C library's and owned by this value alone; null may be freed.
        unsafe { free(self.start.cast()) };
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}

/// Elements in a row that their holder may keep, change and give away.
pub struct List<T> {
    start: *mut T,
    length: usize,
}

impl<T> List<T> {
    /// Returns an empty list.
    pub const fn new() -> List<T> {
        List { start: ptr::null_mut(), length: 0 }
    }

    /// Adds an element; false if there is no memory for it.
    pub fn push(&mut self, element: T) -> bool {
        let bytes =
            self.length.checked_add(1).and_then(|length| length.checked_mul(size_of::<T>()));
        let Some(bytes) = bytes else { return false };
        // SAFETY:
        // 1. The block is null or the C library's and owned by this value alone.
        let start: *mut T = unsafe { realloc(self.start.cast(), bytes.max(1)) }.cast();
        if start.is_null() {
            return false;
        }
        self.start = start;
        // SAFETY:
        // 1. The block has room for one element more than there are; the C library aligns it for
        //    all of C's types.
        unsafe { start.add(self.length).write(element) };
        self.length = self.length.wrapping_add(1);
        true
    }

    /// Returns the place where C puts the length of an answer; the old list is freed. For generated
    /// code.
    pub fn for_answer(&mut self) -> *mut usize {
        *self = List::new();
        &raw mut self.length
    }

    /// Returns the place where C finds the length; for generated code.
    pub fn for_exchange(&mut self) -> *mut usize {
        &raw mut self.length
    }

    /// Returns the place where C finds the elements; for generated code.
    pub fn elements(&mut self) -> *mut *mut T {
        &raw mut self.start
    }
}

impl<T: Clone> List<T> {
    /// Returns a copy of elements, as far as there is memory.
    pub fn of(elements: &[T]) -> List<T> {
        let mut list = List::new();
        for element in elements {
            if !list.push(element.clone()) {
                break;
            }
        }
        list
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        List::new()
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY:
        // 1. The first `length` elements of the block are initialized and owned by this value.
        unsafe { crate::elements(self.start, self.length) }
    }
}

impl<T> DerefMut for List<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        if self.start.is_null() {
            return &mut [];
        }
        // SAFETY:
        // 1. The first `length` elements of the block are initialized and owned by this value.
        unsafe { core::slice::from_raw_parts_mut(self.start, self.length) }
    }
}

impl<T> Drop for List<T> {
    fn drop(&mut self) {
        let elements: *mut [T] = &raw mut **self;
        // SAFETY:
        // 1. The elements are initialized, owned by this value alone, and never looked at again.
        // 2. The block is the C library's; null may be freed.
        unsafe {
            ptr::drop_in_place(elements);
            free(self.start.cast());
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}

/// A list that C keeps as a length and a pointer, while Rust works with it; for generated code.
pub struct Lent<T> {
    list: List<T>,
    length: *mut usize,
    start: *mut *mut T,
}

impl<T> Lent<T> {
    /// Takes the list over; it goes back with the end of this value.
    ///
    /// # Safety
    /// Both places hold a list that a [`List`] may own, and nobody else looks at them meanwhile.
    pub unsafe fn new(length: *mut usize, start: *mut *mut T) -> Lent<T> {
        // SAFETY:
        // 1. The caller gives both places.
        let list = unsafe { List { start: *start, length: *length } };
        Lent { list, length, start }
    }
}

impl<T> Deref for Lent<T> {
    type Target = List<T>;

    fn deref(&self) -> &List<T> {
        &self.list
    }
}

impl<T> DerefMut for Lent<T> {
    fn deref_mut(&mut self) -> &mut List<T> {
        &mut self.list
    }
}

impl<T> Drop for Lent<T> {
    fn drop(&mut self) {
        let list = core::mem::ManuallyDrop::new(core::mem::take(&mut self.list));
        // SAFETY:
        // 1. The places are the caller's of `new`; the list is theirs again, and is not dropped
        //    here.
        unsafe {
            *self.length = list.length;
            *self.start = list.start;
        }
    }
}
