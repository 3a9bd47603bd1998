//! Which part of the kernel is there for which protocol.
//!
//! The kernel is compiled with all protocols at once, and they share most of their code.
//! So an instruction is counted by the functions that it comes from, also where they were
//! inlined: it belongs to the first group below that one of them is in. What a protocol
//! adds to a kernel that has `propagated` gates only are the groups that it needs.

use std::path::Path;

use fusee_model::Protocol;
use fusee_wcet::lines::{Line, Lines};
use fusee_wcet::program::Program;

use crate::problem::Problem;

/// Functions that are there for the same reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Group {
    /// Who waits suspended for its turn (mpcp).
    Turns,
    /// To find who is present, and to tell it (mrsp).
    Presence,
    /// Gates between cores.
    Between,
    /// Priorities that are inherited.
    Inheritance,
    /// What a gate demands of its holder by itself.
    Ceilings,
    /// Who waits for a gate, and gets it.
    Waiting,
}

const GROUPS: [(Group, &[&str]); 6] = [
    (Group::Turns, &["look_for_turn", "wait_for_turn", "have_turn"]),
    (Group::Presence, &["first_present", "next_to_take"]),
    (Group::Between, &["cores/", "between.rs", "shared.rs"]),
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
            "block_at_once",
            "invoke_otherwise",
            "end_of_chain",
            "wait_at",
            "enter_by_hand_over",
            "hand_on_at_once",
            "return_otherwise",
            "hand_on",
        ],
    ),
];

/// What gates with a protocol need that `propagated` ones do not.
fn needs(protocol: Protocol) -> Option<&'static [Group]> {
    Some(match protocol {
        Protocol::Propagated => &[],
        Protocol::Fifo => &[Group::Waiting],
        Protocol::Inherited => &[Group::Waiting, Group::Inheritance],
        Protocol::Fixed | Protocol::Srp | Protocol::NonPreemptive => {
            &[Group::Waiting, Group::Inheritance, Group::Ceilings]
        }
        Protocol::Msrp => &[Group::Between, Group::Ceilings],
        Protocol::Mrsp => &[Group::Between, Group::Ceilings, Group::Presence],
        Protocol::Mpcp => &[Group::Between, Group::Ceilings, Group::Turns],
        _ => return None,
    })
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
        let wrong = |why: String| Problem::tool(format!("the kernel `{}` {why}", path.display()));
        let bytes =
            std::fs::read(path).map_err(|error| wrong(format!("can't be read: {error}")))?;
        let program = Program::load(&bytes).map_err(|error| wrong(format!("is none: {error}")))?;
        let (lines, range) = (Lines::read(&bytes), program.code().next().unwrap_or(0..0));
        let (mut shares, mut at) = (Self::default(), range.start);
        while at < range.end {
            let size = program.instruction(at).map_or(2, |one| u64::from(one.size));
            let chain = lines.at(at);
            let group = GROUPS.iter().position(|(_, names)| chain.iter().any(|l| is(l, names)));
            if let Some(group) = group {
                shares.0[group] += size;
            }
            at += size;
        }
        Ok(shares)
    }

    /// Whether it is known what a protocol needs.
    pub(super) fn knows(protocol: Protocol) -> bool {
        needs(protocol).is_some()
    }

    /// Bytes that a protocol adds to a kernel with `propagated` gates only.
    pub(super) fn bytes(&self, protocol: Protocol) -> u64 {
        let needs = needs(protocol).unwrap_or_default();
        let needed = GROUPS.iter().zip(self.0).filter(|((group, _), _)| needs.contains(group));
        needed.map(|(_, bytes)| bytes).sum()
    }
}

/// Whether a line is of one of these functions, or files where a name says so.
fn is(line: &Line, names: &[&str]) -> bool {
    let function = line.function.rsplit("::").next().unwrap_or_default();
    names.iter().any(|name| {
        let file = name.contains(['/', '.']) && line.file.contains(&format!("/{name}"));
        file || function == *name
    })
}
