//! The time of passing a gate of each protocol, and of coming back.
//!
//! The kernel's entries for that are long because of gates that are held, inherited, handed on. Of
//! a gate at which nobody waits none of these paths is one. So each is bounded once more for each
//! gate of the image:
//!
//! - `invoke`: as if all slots that name a gate named this one. A call reads one slot, of which
//!   that is true.
//!   Nobody holds a gate that is not exclusive, which the explorer asks of every state.
//! - `return`: for each thread that can be inside, and each depth at which it can be there: who
//!   runs, where its topmost frame is, and of which gate that is are known at the trap. Components
//!   enter what their capabilities name, and nothing else, so these are all ways to be inside.
//!
//! The longest of all gates of a protocol is the protocol's.

use std::collections::BTreeSet;

use fusee_image_format::Blob;
use fusee_kernel::{Capability, GateIndex, GateKind};
use fusee_model::Protocol;
use fusee_tables::described;
use fusee_wcet::execute::Bound;
use fusee_wcet_kernel::{Case, Entry, Kernel, Known};

use super::clock::Clock;
use super::layout::Layout;
use super::sizes::{self, Capabilities};
use super::{Refused, refused};
use crate::problem::Problem;

/// Larger systems have no bounds by protocol: each case is an execution.
const MOST_CASES: usize = 400;

/// The assumption behind bounds at gates that many may pass at the same time.
const FREE: &str = "nobody holds a gate that is `propagated`: the kernel's own check of its state, \
                    which the explorer makes in every state of the systems that it explores";

/// An entry where it is about gates of one protocol.
pub struct Passage {
    /// The entry's name.
    pub entry: &'static str,
    /// The protocol in question.
    pub protocol: Protocol,
    /// The bound of the passage.
    pub bound: Bound,
}

impl Passage {
    /// Returns the name of the passage.
    pub fn name(&self) -> String {
        format!("{}.{}", self.entry, self.protocol.name())
    }
}

/// The entries that are about gates.
const ENTRIES: [&str; 4] = [CALLS[0], CALLS[1], "return", "return_with_message"];
/// Those that pass a gate.
const CALLS: [&str; 2] = ["invoke", "invoke_with_message"];

/// Returns the passages of all protocols that gates of the image have.
///
/// # Errors
/// The host's failure.
pub(super) fn find(
    kernel: &mut Kernel,
    entries: &[Entry],
    clock: Clock,
) -> Result<Vec<Passage>, Refused> {
    let tables = sizes::tables(kernel.program(), clock.platform()).map_err(refused)?;
    let malformed = |_| Problem::tool("the image has no tables of a system".to_owned());
    let blob = Blob::parse(&tables).map_err(malformed)?;
    let cases = Cases { blob: &blob, entries }.of(kernel).unwrap_or_default();
    if cases.len() > MOST_CASES {
        return Ok(Vec::new());
    }
    let kinds = ENTRIES.iter().flat_map(|&entry| Protocol::ALL.map(|protocol| (entry, protocol)));
    let mut passages = Vec::new();
    for (entry, protocol) in kinds {
        let its = cases.iter().filter(|(of, case)| *of == protocol && case.entry.name == entry);
        let cases: Vec<Case> = its.map(|(_, case)| case.clone()).collect();
        let bound = clock.longest_case(kernel, &cases);
        let bound = bound.map_err(|failure| Problem::tool(failure.to_string()))?;
        let with_premise = |mut bound: Bound| {
            if protocol == Protocol::Propagated && CALLS.contains(&entry) {
                bound.grounds.assumptions.insert(FREE.to_owned());
            }
            Passage { entry, protocol, bound }
        };
        passages.extend(bound.map(with_premise));
    }
    Ok(passages)
}

/// The ways into the kernel that are about gates of a system.
struct Cases<'s> {
    blob: &'s Blob<'s>,
    entries: &'s [Entry],
}

impl Cases<'_> {
    /// Returns all cases, each with the protocol of its gate. None: the kernel does not tell the
    /// layout of its memory, or the system is too large, or has locks: the holder of one has its
    /// frame, or its record over the gate's in a frame.
    fn of(&self, kernel: &Kernel) -> Option<Vec<(Protocol, Case)>> {
        let is_lock = |may| matches!(may, Capability::Mutex(_) | Capability::Thread(..));
        if self.blob.capabilities.iter().flatten().any(is_lock) {
            return None;
        }
        let layout = Layout::of(kernel)?;
        let mut all = Vec::new();
        for gate in self.passed() {
            let tables = layout.with_only(gate, self.blob)?;
            let many = self.protocol(gate)? == Protocol::Propagated;
            let memory = many.then(|| layout.free(gate));
            let memory = memory.into_iter().collect::<Option<Vec<_>>>()?;
            all.extend(self.cases(&CALLS, gate, (memory, tables))?);
        }
        for (thread, depth, gate) in self.inside()? {
            let frame = thread * (u64::from(self.blob.header.depth) + 1) + depth;
            let mut memory = layout.runs(thread, frame)?.to_vec();
            memory.push(layout.inside(frame, gate)?);
            all.extend(self.cases(&ENTRIES[2..], gate, (memory, Vec::new()))?);
        }
        Some(all)
    }

    /// Entries at one gate.
    fn cases(
        &self,
        names: &[&str],
        gate: GateIndex,
        (memory, tables): (Vec<Known>, Vec<(u64, u8)>),
    ) -> Option<Vec<(Protocol, Case)>> {
        let case = |entry: &Entry| {
            let case =
                Case { entry: entry.clone(), memory: memory.clone(), tables: tables.clone() };
            Some((self.protocol(gate)?, case))
        };
        let entries = self.entries.iter().filter(|entry| names.contains(&entry.name.as_str()));
        entries.map(case).collect()
    }

    fn protocol(&self, gate: GateIndex) -> Option<Protocol> {
        let gate = self.blob.gates.get(gate.at())?;
        (gate.config.kind == GateKind::Interface).then(|| described(gate.config.protocol))
    }

    /// Iterates over the capabilities of a component's code.
    fn capabilities(&self, component: usize) -> impl Iterator<Item = Capability> {
        Capabilities { blob: self.blob }.of(component)
    }

    /// Returns the gates that a component's code may pass.
    fn gates(&self, component: usize) -> impl Iterator<Item = GateIndex> {
        self.capabilities(component).filter_map(|may| match may {
            Capability::Gate(gate) => Some(gate),
            _ => None,
        })
    }

    /// Iterates over all gates that some thread may pass.
    fn passed(&self) -> BTreeSet<GateIndex> {
        (0..self.blob.components.len()).flat_map(|component| self.gates(component)).collect()
    }

    /// Returns the threads that can be inside each gate, with their numbers of frames; `None`: too
    /// many.
    fn inside(&self) -> Option<BTreeSet<(u64, u64, GateIndex)>> {
        let mut all = BTreeSet::new();
        for (thread, number) in self.blob.threads.iter().flatten().zip(0..) {
            let mut components = BTreeSet::from([thread.config.component.at()]);
            for depth in 1..=u64::from(self.blob.header.depth) {
                let mut next = BTreeSet::new();
                for &component in &components {
                    for gate in self.gates(component) {
                        all.insert((number, depth, gate));
                        next.insert(self.blob.gates.get(gate.at())?.config.component.at());
                    }
                }
                if all.len() > MOST_CASES {
                    return None;
                }
                components = next;
            }
        }
        Some(all)
    }
}
