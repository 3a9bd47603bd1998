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

/// Loads a register from a word of the context that `sp`, or another register, points to.
#[cfg(target_pointer_width = "64")]
macro_rules! load {
    ($register:literal, $word:literal) => {
        load!($register, $word, "sp")
    };
    ($register:literal, $word:literal, $base:literal) => {
        concat!("ld ", $register, ", ", $word, "*8(", $base, ")")
    };
}
#[cfg(target_pointer_width = "32")]
macro_rules! load {
    ($register:literal, $word:literal) => {
        load!($register, $word, "sp")
    };
    ($register:literal, $word:literal, $base:literal) => {
        concat!("lw ", $register, ", ", $word, "*4(", $base, ")")
    };
}

/// Loads an address of 32 bits.
#[cfg(target_pointer_width = "64")]
macro_rules! load_address {
    ($register:literal, $place:literal) => {
        concat!("lwu ", $register, ", ", $place)
    };
}
#[cfg(target_pointer_width = "32")]
macro_rules! load_address {
    ($register:literal, $place:literal) => {
        concat!("lw ", $register, ", ", $place)
    };
}

pub(crate) use {load, load_address, save};
