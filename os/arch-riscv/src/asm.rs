//! Words of assembly that differ between 32 and 64 bits.

/// Stores a register at a word of the context that `sp` points to.
#[cfg(target_pointer_width = "64")]
macro_rules! save {
    ($register:literal, $word:literal) => {
        concat!("sd ", $register, ", ", $word, "*8(sp)")
    };
}
#[cfg(target_pointer_width = "32")]
macro_rules! save {
    ($register:literal, $word:literal) => {
        concat!("sw ", $register, ", ", $word, "*4(sp)")
    };
}

/// Loads a register from a word of the context that `sp` points to.
#[cfg(target_pointer_width = "64")]
macro_rules! load {
    ($register:literal, $word:literal) => {
        concat!("ld ", $register, ", ", $word, "*8(sp)")
    };
}
#[cfg(target_pointer_width = "32")]
macro_rules! load {
    ($register:literal, $word:literal) => {
        concat!("lw ", $register, ", ", $word, "*4(sp)")
    };
}

pub(crate) use {load, save};
