//! What the kernel's paths cost on the platform.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use fusee_diagnostics::Diagnostic;
use fusee_model::System;
use fusee_model::costs::CostTable;
use fusee_platform::{KernelPolicy, Platform};
use fusee_tables::kernel_policy;

use crate::rules;

/// The cost tables of a platform: systems run on different kernels, each with its own paths.
#[derive(Debug, Clone)]
pub struct Costs {
    priorities: CostTable,
    deadlines: CostTable,
    ceilings: CostTable,
    words: CostTable,
    cores: CostTable,
}

impl Costs {
    /// One table for all systems. Where it is of another policy than a system, the analysis
    /// promises nothing, and says so.
    pub fn same(table: CostTable) -> Costs {
        let own = || table.clone();
        Costs { priorities: own(), deadlines: own(), ceilings: own(), words: own(), cores: table }
    }

    /// An idealised kernel, as on `sim`: no path costs anything.
    pub fn nothing() -> Costs {
        Costs::same(CostTable::zero("sim"))
    }

    /// What systems of one core count with whose priorities decide, without gates that bar others.
    pub fn of_priorities(&self) -> &CostTable {
        &self.priorities
    }

    /// What a system counts with: where cores have different policies, with the larger number of
    /// each path, since many paths concern several cores.
    pub fn of(&self, system: &System) -> Cow<'_, CostTable> {
        let all: BTreeSet<KernelPolicy> =
            (0..system.cores()).map(|core| kernel_policy(system, core)).collect();
        let by_priority = all.iter().find(|&&policy| policy != KernelPolicy::EarliestDeadline);
        let several = system.cores() > 1;
        match by_priority.map(|&policy| self.by_priority(policy, several)) {
            None => Cow::Borrowed(&self.deadlines),
            Some(table) if all.len() == 1 => Cow::Borrowed(table),
            Some(table) if table == &self.deadlines => Cow::Borrowed(table),
            Some(table) => Cow::Owned(CostTable::of_both(table, &self.deadlines)),
        }
    }

    /// What a kernel by priorities counts with.
    fn by_priority(&self, policy: KernelPolicy, several: bool) -> &CostTable {
        match policy {
            KernelPolicy::FixedPriority | KernelPolicy::EarliestDeadline if several => &self.cores,
            KernelPolicy::FixedPriority | KernelPolicy::EarliestDeadline => &self.priorities,
            KernelPolicy::PriorityCeiling => &self.ceilings,
            KernelPolicy::MutexWords | KernelPolicy::LockServices => &self.words,
        }
    }
}

/// The tables that come with a platform, of its plain kernels; no costs without one, on `sim`.
///
/// # Errors
/// Nobody has measured the platform.
pub fn named(platform: Option<Platform>) -> Result<Costs, Box<Diagnostic>> {
    let machine = match platform {
        None => return Ok(Costs::nothing()),
        Some(machine) => machine,
    };
    let Some(costs) = machine.descriptor().costs else {
        let message = format!("nobody has measured what the kernel's paths cost on `{machine}`");
        let note = format!(
            "measure it, `fusee measure --platform {machine} -o FILE.toml`, and analyse with \
             `--costs`"
        );
        return Err(Box::new(Diagnostic::error(rules::COSTS, message).with_note(note)));
    };
    let priorities = own(costs.plain)?;
    // A table of another policy than a system's promises nothing, and the analysis says so.
    let deadlines = costs.deadlines.map_or_else(|| Ok(priorities.clone()), own)?;
    // One without the protocol is silent about what its gates cost.
    let ceilings = costs.ceilings.map_or_else(|| Ok(priorities.clone()), own)?;
    let words = costs.words.map_or_else(|| Ok(priorities.clone()), own)?;
    // Where cores take turns, no path takes longer for what the others do.
    let cores = costs.cores.map_or_else(|| Ok(priorities.clone()), own)?;
    Ok(Costs { priorities, deadlines, ceilings, words, cores })
}

/// A table that comes with a platform.
fn own(text: &str) -> Result<CostTable, Box<Diagnostic>> {
    let invalid = |error| {
        Box::new(Diagnostic::error(rules::COSTS, format!("Fusee's own cost table: {error}")))
    };
    CostTable::from_toml(text).map_err(invalid)
}

/// The table in a file.
///
/// # Errors
/// It can't be read, or is none.
pub fn read(path: &Path) -> Result<CostTable, Diagnostic> {
    let named = |what: &str| format!("`{}` {what}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| {
        Diagnostic::error(rules::UNREADABLE, named("can't be read")).with_note(error.to_string())
    })?;
    CostTable::from_toml(&text).map_err(|error| {
        let diagnostic = Diagnostic::error(rules::COSTS, named("is not a cost table"));
        diagnostic
            .with_note(error.to_string())
            .with_note("a table names every path, in nanoseconds")
    })
}
