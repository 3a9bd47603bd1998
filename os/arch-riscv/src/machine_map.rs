//! The machine for which the kernel is compiled, by the platform's descriptor.

use fusee_image_format::{CoreTraits, MemoryMap, Platform};

/// The only platform that this kernel is compiled for.
pub(crate) const PLATFORM: Platform = Platform::COMPILED_FOR;
/// The addresses of its devices.
pub(crate) const MAP: MemoryMap = PLATFORM.memory_map();
/// The abilities of its cores.
pub(crate) const TRAITS: CoreTraits = PLATFORM.traits();
