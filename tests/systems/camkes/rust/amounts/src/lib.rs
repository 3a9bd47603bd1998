//! Amounts with their signs.
#![no_std]

/// The amount with its sign.
pub fn signed(amount: i32, sign: u8) -> i32 {
    if sign == b'-' { -amount } else { amount }
}
