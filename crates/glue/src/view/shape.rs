//! The fields of a component for templates, and their meaning.

use super::attribute::Attribute;
use super::ctype::Types;
use super::method::Method;
use super::synthetic::Body;
use fusee_model::{DataType, Interface, InterfaceKind, System};
use serde::Serialize;

/// A component instance.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Component {
    /// The full name, and as a part of symbols.
    pub(crate) name: String,
    pub(crate) symbol: String,
    /// The component type.
    pub(crate) kind: String,
    /// The core of its thread.
    pub(crate) core: u32,
    /// The number that CAmkES gives it as a process: 2 for the description's first component.
    pub(crate) process: usize,
    /// Bytes of a register.
    pub(crate) word: u32,
    /// The text behind each `#include`.
    pub(crate) headers: Vec<String>,
    pub(crate) structs: Vec<String>,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) control: bool,
    /// The threads that its thread dispatches, if it is a scheduler.
    pub(crate) dispatches: Option<Dispatches>,
    pub(crate) provides: Vec<Provided>,
    pub(crate) uses: Vec<Used>,
    pub(crate) emits: Vec<Emitted>,
    pub(crate) consumes: Vec<Consumed>,
    pub(crate) dataports: Vec<Dataport>,
    pub(crate) mutexes: Vec<Mutex>,
    /// The symbols of those that are words.
    pub(crate) words: Vec<String>,
    /// `true` if each entry tells which thread it is.
    pub(crate) names_self: bool,
    /// `true` if it may let threads sleep on each other's account.
    pub(crate) dependencies: bool,
    /// The slot of each thread, where it may: all bits set for those that it may not name.
    pub(crate) threads: Vec<u16>,
    /// The priority of each of these in the description.
    pub(crate) priorities: Vec<u8>,
    pub(crate) semaphores: Vec<Semaphore>,
    /// Functions of initialization that the component has, by phase.
    pub(crate) phases: Vec<Vec<String>>,
    /// The body of a component without sources.
    pub(crate) job: Option<Body>,
    /// The event that releases the control thread, where its code waits for it in a loop; empty:
    /// where it does not.
    pub(crate) awaits: String,
    /// The function behind that wait.
    pub(crate) next_job: String,
    /// The name at which its code begins for an analysis.
    pub(crate) first_job: String,
    /// Entries that must keep their names.
    pub(crate) entries: Vec<String>,
    /// `true` if it registers handlers of errors, and the interfaces that may have one of their
    /// own.
    pub(crate) handles_errors: bool,
    pub(crate) error_interfaces: Vec<String>,
    /// `true` if it asks where its part of the heap is.
    pub(crate) asks_heap: bool,
    /// Bytes of the pool that devices reach; `None`: it asks for none.
    pub(crate) dma_bytes: Option<u64>,
}

/// A scheduler's threads, by the numbers that the kernel has for them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Dispatches {
    /// The scheduler's own account.
    pub(crate) own: usize,
    pub(crate) threads: Vec<Dispatched>,
    /// The time that it gives in each period, in order.
    pub(crate) slots: Vec<Slot>,
    /// Ticks of the period; 0: there is none.
    pub(crate) period: u64,
}

/// A thread that is dispatched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Dispatched {
    /// Its component, as a part of symbols.
    pub(crate) symbol: String,
    pub(crate) number: usize,
    pub(crate) priority: u64,
    /// 0: no clock releases it.
    pub(crate) period: u64,
    /// Its first release.
    pub(crate) first: u64,
    /// Since its release; 0: there is none.
    pub(crate) deadline: u64,
}

/// Time that a thread gets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Slot {
    pub(crate) thread: usize,
    pub(crate) priority: u64,
    pub(crate) amount: u64,
}

/// The memory of one end of a connection, as one side sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Buffer {
    /// The linker's name of the memory.
    pub(crate) window: String,
    /// Its size as a C expression.
    pub(crate) bytes: String,
}

/// A provided procedure interface.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Provided {
    pub(crate) name: String,
    /// The name of its trait in Rust: `Bus` for `bus`.
    pub(crate) trait_name: String,
    /// The gate's entry.
    pub(crate) entry: String,
    /// `true` if it is called directly, past the kernel.
    pub(crate) direct: bool,
    pub(crate) methods: Vec<Method>,
    /// Each method's entry for direct calls.
    pub(crate) direct_entries: Vec<String>,
    /// Bodies, for a component without sources.
    pub(crate) bodies: Vec<Body>,
    /// `true` if the component asks for its callers, and what it is told, by the end of the
    /// connection.
    pub(crate) wants_sender: bool,
    pub(crate) badges: Vec<u64>,
    /// The ends that each thread can come through, as the bytes of a table; of a gate that asks.
    pub(crate) ways: Vec<Vec<u8>>,
    /// The first of them.
    pub(crate) first_ways: Vec<usize>,
    /// The memory that arguments go through, by the end of the connection; empty: they go in
    /// messages.
    pub(crate) buffers: Vec<Buffer>,
    /// The size of the largest, as a C expression.
    pub(crate) buffer_bytes: String,
}

/// A used procedure interface.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Used {
    pub(crate) name: String,
    /// The slot of its gate; none if it is unconnected, a device's or called directly.
    pub(crate) slot: Option<u16>,
    /// The callee's functions, for direct calls.
    pub(crate) direct_entries: Vec<String>,
    pub(crate) optional: bool,
    pub(crate) methods: Vec<Method>,
    /// The number of its end among the connections to its gate; 0 where the gate's component does
    /// not ask.
    pub(crate) end: usize,
    /// The memory that arguments go through; none: they go in messages.
    pub(crate) buffer: Option<Buffer>,
}

/// A source of events.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Emitted {
    pub(crate) name: String,
    pub(crate) slots: Vec<u16>,
}

/// A sink of events.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Consumed {
    pub(crate) name: String,
    pub(crate) slot: Option<u16>,
    pub(crate) optional: bool,
    /// The entry of the thread that serves it.
    pub(crate) entry: String,
    /// Slots to signal a registration and to wait for one; none: no callback is registered.
    pub(crate) registration: Option<[u16; 2]>,
    /// Slot to acknowledge the interrupt.
    pub(crate) acknowledge: Option<u16>,
    /// `true` if the component has `NAME_handle`, which the thread calls each time.
    pub(crate) handler: bool,
}

/// Shared memory or a device's registers.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Dataport {
    pub(crate) name: String,
    /// The C type that it points to.
    pub(crate) c: String,
    /// Its size as a C expression.
    pub(crate) size: String,
    pub(crate) optional: bool,
    /// The linker's name of the memory; empty for an unconnected one.
    pub(crate) window: String,
    /// The number that `dataport_ptr_t` has for it, the same in all components.
    pub(crate) id: i64,
}

/// A mutex of the component.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Mutex {
    pub(crate) name: String,
    pub(crate) slot: u16,
    /// Slots to take and to give one that outlives the invocation that locked it.
    pub(crate) held: Option<[u16; 2]>,
    /// The symbol of one that is a word.
    pub(crate) word: Option<String>,
}

/// A semaphore of the component.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Semaphore {
    pub(crate) name: String,
    pub(crate) take: u16,
    pub(crate) give: u16,
    pub(crate) binary: bool,
}

impl Consumed {
    pub(super) fn unconnected(of: &Interface) -> Self {
        Consumed { name: of.name.clone(), optional: of.optional, ..Consumed::default() }
    }
}

pub(super) fn dataport(system: &System, types: Types<'_>, of: &Interface) -> Dataport {
    let sized = of.type_name.strip_prefix("Buf(").and_then(|rest| rest.strip_suffix(')'));
    let c = match sized {
        Some(_) => "void".to_owned(),
        None => types.c(&DataType::Named(of.type_name.clone())),
    };
    let id = match of.kind {
        InterfaceKind::Dataport(Some(dataport)) => i64::from(dataport.0),
        _ => -1,
    };
    // A device's registers are as many as its description says.
    let known = match of.kind {
        InterfaceKind::Dataport(Some(dataport)) if sized.is_some() => {
            system.dataports[dataport.index()].size
        }
        _ => None,
    };
    let size = known.map(|bytes| bytes.to_string()).or(sized.map(str::to_owned));
    Dataport {
        name: of.name.clone(),
        size: size.unwrap_or_else(|| format!("sizeof({c})")),
        c,
        optional: of.optional,
        window: String::new(),
        id,
    }
}
