//! Parts of which tables are written down.

use fusee_kernel::{
    Capability, ComponentConfig, ComponentIndex, GateConfig, GateIndex, GateKind, NEVER, OnFault,
    Protocol, Release, ThreadConfig,
};

/// Returns a thread that may be released at any time.
pub(crate) const fn thread(component: u16, priority: u8) -> ThreadConfig {
    ThreadConfig {
        component: ComponentIndex(component),
        priority,
        core: 0,
        release: Release::Sporadic { separation: 0, jitter: 0 },
        deadline: NEVER,
        budget: None,
    }
}

/// Returns a gate with as many stacks as threads may be inside.
pub(crate) const fn gate(component: u16, protocol: Protocol) -> GateConfig {
    let stacks = if protocol.is_exclusive() { 1 } else { 4 };
    GateConfig { component: ComponentIndex(component), protocol, stacks, kind: GateKind::Interface }
}

/// Returns a gate of the priority ceiling protocol.
pub(crate) const fn ceiling(component: u16, ceiling: u8) -> GateConfig {
    gate(component, Protocol::Ceiling { ceiling })
}

/// Returns a gate with a deadline floor.
pub(crate) const fn srp(component: u16, ceiling: u8) -> GateConfig {
    gate(component, Protocol::Srp { ceiling })
}

/// Returns a mutex of a component, or its gate about a thread.
pub(crate) const fn mutex(component: u16) -> GateConfig {
    GateConfig { kind: GateKind::Mutex, ..gate(component, Protocol::Inherited) }
}

/// Returns the capability to lock a mutex.
pub(crate) const fn lock(gate: u16) -> Capability {
    Capability::Mutex(GateIndex(gate))
}

/// Returns the capability to pass a gate.
pub(crate) const fn invoke(gate: u16) -> Capability {
    Capability::Gate(GateIndex(gate))
}

/// Returns a component.
pub(crate) const fn component(
    on_fault: OnFault,
    capabilities: &'static [Capability],
) -> ComponentConfig<'static> {
    ComponentConfig { on_fault, capabilities }
}
