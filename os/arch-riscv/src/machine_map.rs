//! The machine for which the kernel is compiled, by the platform's descriptor.

use fusee_image_format::{CoreTraits, MemoryMap, Platform};

/// The only platform that this kernel is compiled for.
pub(crate) const PLATFORM: Platform = Platform::COMPILED_FOR;
/// Where its devices are.
pub(crate) const MAP: MemoryMap = PLATFORM.memory_map();
/// What its cores can do.
pub(crate) const TRAITS: CoreTraits = PLATFORM.traits();
