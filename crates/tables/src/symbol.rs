//! Names of entry points in a domain's ELF, agreed by generated code and image.
//!
//! A dot of a component's path becomes two underscores.

use fusee_model::{ComponentId, System};

/// The entry of the boot thread, in the boot domain.
pub const BOOT: &str = "__fusee_boot";

/// The name at which a control thread that waits in a loop begins its next job: on its stack as the
/// wait has left it.
pub const RESUME: &str = "fusee_resume";

/// Returns a component's name as a part of a C identifier.
pub fn identifier(name: &str) -> String {
    name.replace('.', "__")
}

/// Returns the entry of a component's control thread.
pub fn job(system: &System, component: ComponentId) -> String {
    format!("__fusee_job_{}", identifier(&system.component(component).name))
}

/// Returns the name at which the code of a component's control thread that waits in a loop begins,
/// before its first wait; it is not entered there, but takes as long from there as from its entry.
pub fn first_job(system: &System, component: ComponentId) -> String {
    format!("__fusee_first_{}", identifier(&system.component(component).name))
}

/// Returns the name at which a component's control thread that waits in a loop ends one job and
/// begins the next.
pub fn next_job(system: &System, component: ComponentId) -> String {
    format!("__fusee_next_{}", identifier(&system.component(component).name))
}

/// Returns the entry of the gate that sets a component up; the phase (0 to 2) is its method.
pub fn init(system: &System, component: ComponentId) -> String {
    format!("__fusee_init_{}", identifier(&system.component(component).name))
}

/// Returns the entry of the gate behind a provided interface.
pub fn gate(system: &System, component: ComponentId, interface: &str) -> String {
    format!("__fusee_gate_{}_{interface}", identifier(&system.component(component).name))
}

/// Returns a method of a provided interface that components of the same domain call directly.
pub fn direct(system: &System, component: ComponentId, interface: &str, method: &str) -> String {
    format!("__fusee_direct_{}_{interface}_{method}", identifier(&system.component(component).name))
}

/// Returns the entry of the thread that runs an event's callbacks.
pub fn event(system: &System, component: ComponentId, interface: &str) -> String {
    format!("__fusee_event_{}_{interface}", identifier(&system.component(component).name))
}

/// Returns the address of shared memory or device registers behind a dataport.
pub fn window(system: &System, component: ComponentId, interface: &str) -> String {
    format!("__fusee_window_{}_{interface}", identifier(&system.component(component).name))
}

/// Returns the word that a mutex is.
pub fn word(system: &System, component: ComponentId, mutex: &str) -> String {
    format!("__fusee_word_{}_{mutex}", identifier(&system.component(component).name))
}

/// Returns a component's pool of memory that devices may reach.
pub fn dma_pool(system: &System, component: ComponentId) -> String {
    format!("__fusee_dma_pool_{}", identifier(&system.component(component).name))
}

/// Returns the word in which an image tells a component how far its pool's physical addresses are
/// from its own.
pub fn dma_offset(system: &System, component: ComponentId) -> String {
    format!("{DMA_OFFSET}{}", identifier(&system.component(component).name))
}

/// The prefix of the names of such words.
pub const DMA_OFFSET: &str = "__fusee_dma_offset_";

/// Returns the address of a component's console buffer.
pub fn console(system: &System, component: ComponentId) -> String {
    format!("__fusee_console_{}", identifier(&system.component(component).name))
}
