//! The reasons for which a system has no tables.

use fusee_model::{ComponentId, Origin};

/// The reason for which a system has no tables.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TablesError {
    /// A thread could be inside more gates than a kernel's frame counter holds.
    #[error("gates nest deeper than 255")]
    TooDeep,
    /// There are more objects of a kind than the kernel can name.
    #[error("there are more than 32,766 {0}")]
    TooMany(&'static str),
    /// There are more distinct relative deadlines than the kernel tells apart.
    #[error(
        "there are {0} distinct relative deadlines, and the kernel tells {max} apart",
        max = fusee_kernel::PRIORITIES - 1,
    )]
    Deadlines(usize),
    /// A gate is for several cores, and these tables are those of one.
    #[error(
        "`{word}` is for gates between cores, and this is a system of one core: choose another \
         protocol, such as `fixed`"
    )]
    BetweenCores {
        /// The protocol's word in descriptions.
        word: &'static str,
        /// The place that set it.
        origin: Origin,
    },
    /// An object that belongs to one core is used from several.
    #[error("`{name}` is used from cores {first} and {second}, and belongs to one")]
    Shared {
        /// A gate or an event.
        name: String,
        /// One of the cores.
        first: u32,
        /// The other core.
        second: u32,
        /// The place of its declaration.
        origin: Origin,
    },
    /// A semaphore is said to be for a core none of whose tasks gets to it.
    #[error("no task of core {core} gets to `{name}`, and it is to wait for it")]
    NobodyWaits {
        /// The name of the semaphore.
        name: String,
        /// The core of its users.
        core: u32,
        /// The place that set it.
        origin: Origin,
    },
    /// A component that a fault ends or restarts is entered from a core that cannot be told.
    #[error(
        "`{name}` is entered from core {core} and others, and only the first 32 are told when a \
         fault ends it: set `on_fault = \"continue\"`, or use it from one core"
    )]
    Faults {
        /// The name of the component.
        name: String,
        /// The number of the core.
        core: u32,
        /// The place of its declaration.
        origin: Origin,
    },
    /// There are more cores than the kernel can name.
    #[error("there are {0} cores, and the kernel can name 255")]
    TooManyCores(u32),
    /// Cores have more to look at than a kernel tells apart.
    #[error(
        "there are {0} gates between cores, events that are signalled from other cores, and \
         components of several cores that do not go on after a fault, and a core can be told to \
         look at 64"
    )]
    Looks(usize),
    /// A core has more urgencies than its kernel tells apart.
    #[error(
        "a core has {0} distinct priorities, ceilings and boosts, and the kernel tells {max} apart",
        max = fusee_kernel::PRIORITIES,
    )]
    Urgencies(usize),
    /// There are more domains than address slots.
    #[error(
        "there are {0} protection domains, and an image has room for {max}",
        max = fusee_image_format::virtual_map::SLOTS,
    )]
    Domains(usize),
    /// A domain's shared memory, device pages and console buffers exceed what is left of all
    /// addresses.
    #[error(
        "shared memory and device pages of domain `{domain}` need {needed} bytes of addresses, and \
         {room} are left"
    )]
    Windows {
        /// The domain's name.
        domain: String,
        /// Bytes needed outside of the domain's own slot, guard pages included.
        needed: u64,
        /// Bytes of addresses that no other domain takes.
        room: u64,
    },
    /// An attribute has a value of another kind than its reader needs.
    #[error("`{name}` takes {takes}")]
    Attribute {
        /// The component that has the attribute.
        component: ComponentId,
        /// The name of the attribute.
        name: String,
        /// The values that it takes.
        takes: &'static str,
        /// The place that set it.
        origin: Origin,
    },
    /// A device that software maps has no address.
    #[error("device `{component}.{interface}` has no address: set `{component}.{interface}_paddr`")]
    NoAddress {
        /// The component of the device.
        component: String,
        /// The dataport of the device.
        interface: String,
        /// The place of its declaration.
        origin: Origin,
    },
    /// A device's registers do not start at a page.
    #[error("device `{component}.{interface}` is at {address:#x}, which is no multiple of 4096")]
    Unaligned {
        /// The component of the device.
        component: String,
        /// The dataport of the device.
        interface: String,
        /// Its physical address.
        address: u64,
        /// The place that set the address.
        origin: Origin,
    },
    /// Rights to shared memory that a protected system cannot give.
    #[error("`{name}` asks for memory that can be executed")]
    Executable {
        /// The name of the attribute.
        name: String,
        /// The place that set it.
        origin: Origin,
    },
    /// Two devices signal different events by the same interrupt.
    #[error("interrupt {line} signals two events")]
    SharedInterrupt {
        /// The interrupt's number.
        line: u16,
        /// The place that set it.
        origin: Origin,
    },
}

impl TablesError {
    /// Returns the place in the description to point at.
    pub fn origin(&self) -> Origin {
        match self {
            TablesError::Attribute { origin, .. }
            | TablesError::NoAddress { origin, .. }
            | TablesError::Unaligned { origin, .. }
            | TablesError::Executable { origin, .. }
            | TablesError::SharedInterrupt { origin, .. }
            | TablesError::BetweenCores { origin, .. }
            | TablesError::Shared { origin, .. }
            | TablesError::NobodyWaits { origin, .. }
            | TablesError::Faults { origin, .. } => *origin,
            _ => Origin::NONE,
        }
    }
}
