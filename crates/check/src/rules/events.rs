//! Events: emitters, waits, frequencies.

pub(crate) mod awaits_itself;
pub(crate) mod awaits_release;
pub(crate) mod interrupts_uncounted;
pub(crate) mod never_emitted;
pub(crate) mod too_often;
pub(crate) mod too_rare;
