//! The parts of the kernel that are there for each protocol.
//!
//! The kernel is compiled with all protocols at once, and they share most of their code.
//! So an instruction is counted by the functions that it comes from, also where they were
//! inlined: it belongs to the first group below that one of them is in. What a protocol
//! adds to a kernel that has `propagated` gates only are the groups that it needs.

use std::path::Path;

use fusee_model::Protocol;
use fusee_wcet::lines::Line;

use super::program::KernelProgram;
use crate::problem::Problem;

/// Functions that are there for the same reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Group {
    /// Suspended waiting for a turn (mpcp).
    Turns,
    /// Finding a present request, and telling its core (mrsp).
    Presence,
    /// Gates between cores.
    Between,
    /// Ceilings that keep others out of free gates (PCP).
    Bars,
    /// Priorities that are inherited.
    Inheritance,
    /// The urgency that a gate gives its holder by itself.
    Ceilings,
    /// Waiting for a gate, and getting it.
    Waiting,
}

const GROUPS: [(Group, &[&str]); 7] = [
    (Group::Turns, &["look_for_turn", "wait_for_turn", "have_turn"]),
    (Group::Presence, &["first_present", "next_to_take"]),
    (Group::Between, &["cores/", "between.rs", "shared.rs"]),
    (Group::Bars, &["kernel/src/ceilings.rs"]),
    (
        Group::Inheritance,
        &[
            "boost",
            "boost_last",
            "raise_floors",
            "raise_waiter",
            "change_effective",
            "change_at_notification",
            "pressure",
            "derive",
            "insert_by_priority",
            "change_priority",
        ],
    ),
    (Group::Ceilings, &["demand", "claim", "claimed", "pins"]),
    (
        Group::Waiting,
        &[
            "block_fast",
            "invoke_slow",
            "end_of_chain",
            "wait_at",
            "enter_by_hand_over",
            "hand_on_fast",
            "return_slow",
            "hand_on",
        ],
    ),
];

/// Returns the groups of functions that gates with a protocol need and `propagated` ones do not.
fn needs(protocol: Protocol) -> &'static [Group] {
    match protocol {
        Protocol::Propagated => &[],
        Protocol::Fifo => &[Group::Waiting],
        Protocol::Inherited => &[Group::Waiting, Group::Inheritance],
        Protocol::Fixed | Protocol::Srp | Protocol::NonPreemptive => {
            &[Group::Waiting, Group::Inheritance, Group::Ceilings]
        }
        Protocol::Ceiling => &[Group::Waiting, Group::Inheritance, Group::Bars],
        Protocol::Msrp => &[Group::Between, Group::Ceilings],
        Protocol::Mrsp => &[Group::Between, Group::Ceilings, Group::Presence],
        Protocol::Mpcp => &[Group::Between, Group::Ceilings, Group::Turns],
    }
}

/// Bytes of code by group.
#[derive(Debug, Clone, Default)]
pub(super) struct Shares([u64; GROUPS.len()]);

impl Shares {
    /// Counts in a kernel's program what stays when it has started.
    ///
    /// # Errors
    /// It can't be read.
    pub(super) fn of(path: &Path) -> Result<Self, Problem> {
        let mut shares = Self::default();
        for one in KernelProgram::read(path)?.instructions() {
            let within = |names: &[&str]| one.lines.iter().any(|line| is(line, names));
            if let Some(group) = GROUPS.iter().position(|(_, names)| within(names)) {
                shares.0[group] += one.size;
            }
        }
        Ok(shares)
    }

    /// Bytes that a protocol adds to a kernel with `propagated` gates only.
    pub(super) fn bytes(&self, protocol: Protocol) -> u64 {
        let needs = needs(protocol);
        let needed = GROUPS.iter().zip(self.0).filter(|((group, _), _)| needs.contains(group));
        needed.map(|(_, bytes)| bytes).sum()
    }
}

/// Returns `true` if a line is of one of these functions, or files where a name says so.
fn is(line: &Line, names: &[&str]) -> bool {
    let function = line.function.rsplit("::").next().unwrap_or_default();
    names.iter().any(|name| {
        let file = name.contains(['/', '.']) && line.file.contains(&format!("/{name}"));
        file || function == *name
    })
}
