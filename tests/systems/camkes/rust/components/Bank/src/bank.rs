//! A ledger: what is booked, its sum in shared memory, an event when full.
#![no_std]

use core::ffi::{c_char, c_int, c_void};
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

/// As `entry.h` has it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Entry {
    amount: i32,
    day: u16,
    sign: c_char,
}

extern "C" {
    static board: *mut c_void;
    static limit: c_int;
    fn puts(text: *const c_char) -> c_int;
    fn printf(form: *const c_char, ...) -> c_int;
    fn malloc(bytes: usize) -> *mut c_void;
    fn strdup(text: *const c_char) -> *mut c_char;
    fn full_emit();
    fn vault_lock() -> c_int;
    fn vault_unlock() -> c_int;
}

const MOST: usize = 8;

static AMOUNTS: [AtomicI32; MOST] = [const { AtomicI32::new(0) }; MOST];
static COUNT: AtomicUsize = AtomicUsize::new(0);

#[no_mangle]
pub extern "C" fn pre_init() {
    // SAFETY:
    // 1. The text ends with a zero.
    unsafe { puts(b"before anything else\0".as_ptr().cast()) };
}

#[no_mangle]
pub extern "C" fn ledger__init() {
    // SAFETY:
    // 1. The form ends with a zero and takes one `int`; nobody writes the attribute.
    unsafe { printf(b"the limit is %d\n\0".as_ptr().cast(), limit) };
}

#[no_mangle]
pub extern "C" fn post_init() {
    // SAFETY:
    // 1. The text ends with a zero.
    unsafe { puts(b"open\0".as_ptr().cast()) };
}

#[no_mangle]
pub extern "C" fn ledger_book(entry: Entry) -> c_int {
    let amount = amounts::signed(entry.amount, entry.sign as u8);
    // SAFETY:
    // 1. The generated function takes nothing and may be called at any time.
    unsafe { vault_lock() };
    let place = COUNT.fetch_add(1, Ordering::Relaxed);
    if let Some(slot) = AMOUNTS.get(place) {
        slot.store(amount, Ordering::Relaxed);
    }
    let sum: i32 = AMOUNTS.iter().map(|amount| amount.load(Ordering::Relaxed)).sum();
    // SAFETY:
    // 1. The mutex was locked above.
    // 2. The dataport is mapped, has 4096 bytes, and begins at a page.
    unsafe {
        vault_unlock();
        board.cast::<i32>().write_volatile(sum);
        if sum >= limit {
            full_emit();
        }
    }
    sum
}

/// # Safety
/// Both pointers are to values of the caller's that nobody else uses.
#[no_mangle]
pub unsafe extern "C" fn ledger_history(count: *mut usize, amounts: *mut *mut c_int) {
    let used = COUNT.load(Ordering::Relaxed).min(MOST);
    let copy = malloc(used * core::mem::size_of::<c_int>()).cast::<c_int>();
    for (at, amount) in AMOUNTS.iter().take(used).enumerate() {
        copy.add(at).write(amount.load(Ordering::Relaxed));
    }
    *count = used;
    *amounts = copy;
}

/// # Safety
/// The name is a text that ends with a zero.
#[no_mangle]
pub unsafe extern "C" fn ledger_motto(name: *const c_char) -> *mut c_char {
    if cfg!(feature = "polite") && *name == b'c' as c_char {
        return strdup(b"thank you\0".as_ptr().cast());
    }
    strdup(b"next\0".as_ptr().cast())
}

#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    loop {}
}
