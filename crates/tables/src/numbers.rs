//! The numbers of one core's kernel among those of all.
//!
//! Each core's kernel counts its own threads, has gates between cores behind all others, and where
//! there are such gates its own levels. Runs and their records speak of threads, gates and
//! priorities of the whole system.

use fusee_kernel::{Kind, Object, Record, ThreadIndex};

/// The numbers of one core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoreNumbers {
    /// The number of the core.
    pub core: u16,
    /// For each of its threads, its number among those of the system.
    pub threads: Vec<u16>,
    /// Its number of the first gate between cores.
    pub first_gate: u16,
    /// For each gate between cores, its number in the description and the threads in its seats.
    pub globals: Vec<(u16, Vec<u16>)>,
    /// The priority of each level; empty: itself.
    pub levels: Vec<u8>,
}

impl CoreNumbers {
    /// Returns the number of one of its threads; none: there is none.
    pub fn thread(&self, thread: ThreadIndex) -> u16 {
        self.threads.get(thread.at()).copied().unwrap_or(u16::MAX)
    }

    /// Returns the gate between cores that one of its gates stands for, with the threads in its
    /// seats.
    fn global(&self, gate: u16) -> Option<&(u16, Vec<u16>)> {
        self.globals.get(usize::from(gate.checked_sub(self.first_gate)?))
    }

    /// Returns the description's number of one of its gates.
    pub fn gate(&self, gate: u16) -> u16 {
        self.global(gate).map_or(gate, |&(gate, _)| gate)
    }

    /// Returns a record of its kernel in the system's numbers.
    pub fn told(&self, record: Record) -> Record {
        let thread = |number: u64| self.thread(ThreadIndex(number as u16));
        let object = match record.kind.object() {
            Object::Gate => self.gate(record.object),
            Object::Thread => thread(u64::from(record.object)),
            Object::Core => self.core,
            Object::Nothing | Object::Notification | Object::Component => record.object,
        };
        let value = match record.kind {
            Kind::Block | Kind::HandOver => u64::from(thread(record.value)),
            Kind::Boost => {
                let level = self.levels.get(record.value as usize);
                level.map_or(record.value, |&level| u64::from(level))
            }
            Kind::Take | Kind::LayDown | Kind::Finish => {
                let seats = self.global(record.object).map(|(_, seats)| seats);
                let owner = seats.and_then(|seats| seats.get(record.value as usize));
                owner.map_or(u64::MAX, |&owner| u64::from(owner))
            }
            _ => record.value,
        };
        let thread = ThreadIndex(if record.thread.is_some() {
            self.thread(record.thread)
        } else {
            ThreadIndex::NONE.0
        });
        Record { thread, object, value, ..record }
    }
}
