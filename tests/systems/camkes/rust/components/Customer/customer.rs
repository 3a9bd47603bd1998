//! Books until an event says that it is enough; says so in a callback, too.
#![no_std]

use camkes as _;
use core::ffi::{c_char, c_int, c_void};

#[repr(C)]
struct Entry {
    amount: i32,
    day: u16,
    sign: c_char,
}

extern "C" {
    static board: *mut c_void;
    fn printf(form: *const c_char, ...) -> c_int;
    fn free(pointer: *mut c_void);
    fn full_poll() -> c_int;
    fn full_wait();
    fn ledger_book(entry: Entry) -> c_int;
    fn ledger_history(count: *mut usize, amounts: *mut *mut c_int);
    fn ledger_motto(name: *const c_char) -> *mut c_char;
}

/// # Safety
/// Only the control thread calls it.
#[no_mangle]
pub unsafe extern "C" fn run() -> c_int {
    let early = full_poll();
    for (amount, sign) in [(30, b'+'), (5, b'-'), (17, b'+')] {
        let sum = ledger_book(Entry { amount, day: 7, sign: sign as c_char });
        printf(b"booked %d, the sum is %d\n\0".as_ptr().cast(), amount, sum);
    }
    full_wait();
    printf(
        b"full: %d before, the board says %d\n\0".as_ptr().cast(),
        early,
        board.cast::<i32>().read_volatile(),
    );
    let (mut count, mut amounts) = (0, core::ptr::null_mut());
    ledger_history(&mut count, &mut amounts);
    for at in 0..count {
        printf(b"%d. %d\n\0".as_ptr().cast(), at as c_int + 1, *amounts.add(at));
    }
    free(amounts.cast());
    let motto = ledger_motto(b"customer\0".as_ptr().cast());
    printf(b"the bank says: %s\n\0".as_ptr().cast(), motto);
    free(motto.cast());
    0
}
