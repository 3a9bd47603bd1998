//! One file for each rule: its page, and the function that finds its breaches.

pub(crate) mod ceilings;
pub(crate) mod cores;
pub(crate) mod events;
pub(crate) mod gates;
pub(crate) mod interfaces;
pub(crate) mod policies;
pub(crate) mod priorities;
pub(crate) mod schedulers;
pub(crate) mod structure;
pub(crate) mod threads;
pub(crate) mod timing;
pub(crate) mod trust;
