//! What the kernel's paths cost on the platform.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fusee_diagnostics::Diagnostic;
use fusee_model::costs::CostTable;
use fusee_model::{Policy, System};
use fusee_platform::{ByPolicy, KernelPolicy, Platform, for_cores};
use fusee_tables::kernel_policy;

use crate::rules;

/// The cost tables of a platform: systems run on different kernels, each with its own paths.
#[derive(Debug, Clone)]
pub struct Costs {
    one: Tables,
    several: Vec<(u32, Tables)>,
    words: CostTable,
    services: CostTable,
    trees: CostTable,
}

/// The tables of kernels for as many cores.
#[derive(Debug, Clone)]
struct Tables {
    priorities: CostTable,
    deadlines: CostTable,
    ceilings: CostTable,
}

impl Tables {
    fn of(tables: ByPolicy) -> Result<Self, Box<Diagnostic>> {
        let priorities = own(tables.priorities)?;
        // A table of another policy than a system's promises nothing, and the analysis says so.
        let deadlines = tables.deadlines.map_or_else(|| Ok(priorities.clone()), own)?;
        // One without the protocol is silent about what its gates cost.
        let ceilings = tables.ceilings.map_or_else(|| Ok(priorities.clone()), own)?;
        Ok(Tables { priorities, deadlines, ceilings })
    }
}

impl Costs {
    /// One table for all systems. Where it is of another policy than a system, the analysis
    /// promises nothing, and says so.
    pub fn same(table: CostTable) -> Costs {
        Costs::of_policies(table.clone(), table)
    }

    /// One table for all systems whose priorities decide, and one where deadlines do.
    fn of_policies(priorities: CostTable, deadlines: CostTable) -> Costs {
        let all = Tables { ceilings: priorities.clone(), priorities, deadlines };
        let [words, services, trees] = std::array::from_fn(|_| all.priorities.clone());
        Costs { words, services, trees, several: Vec::new(), one: all }
    }

    /// An idealised kernel, as on `sim`: no path costs anything.
    pub fn nothing() -> Costs {
        Costs::same(CostTable::zero("sim"))
    }

    /// What systems of one core count with whose priorities decide, without gates that bar others.
    pub fn of_priorities(&self) -> &CostTable {
        &self.one.priorities
    }

    /// The digest of the only image for which they hold, if there is one.
    pub fn image(&self) -> Option<&str> {
        self.one.priorities.image.as_deref().or(self.one.deadlines.image.as_deref())
    }

    /// What a system counts with: where cores have different policies, with the larger number of
    /// each path, since many paths concern several cores.
    pub fn of(&self, system: &System) -> Cow<'_, CostTable> {
        // They are for one core, where priorities decide.
        if !system.schedulers.is_empty() {
            return Cow::Borrowed(&self.trees);
        }
        let all: BTreeSet<KernelPolicy> =
            (0..system.cores()).map(|core| kernel_policy(system, core)).collect();
        let by_priority = all.iter().find(|&&policy| policy != KernelPolicy::EarliestDeadline);
        let tables = self.on(system.cores());
        let deadlines = &tables.deadlines;
        match by_priority.map(|&policy| self.by_priority(policy, tables)) {
            None => Cow::Borrowed(deadlines),
            Some(table) if all.len() == 1 => Cow::Borrowed(table),
            Some(table) if table == deadlines => Cow::Borrowed(table),
            Some(table) => Cow::Owned(CostTable::of_both(table, deadlines)),
        }
    }

    /// The tables for so many cores. Where none is for as many, those for the most cores, with
    /// which the analysis says that they are for fewer.
    fn on(&self, cores: u32) -> &Tables {
        for_cores(&self.several, cores).filter(|_| cores > 1).unwrap_or(&self.one)
    }

    /// What a kernel by priorities counts with.
    fn by_priority<'t>(&'t self, policy: KernelPolicy, tables: &'t Tables) -> &'t CostTable {
        match policy {
            KernelPolicy::FixedPriority | KernelPolicy::EarliestDeadline => &tables.priorities,
            KernelPolicy::PriorityCeiling => &tables.ceilings,
            KernelPolicy::MutexWords => &self.words,
            KernelPolicy::LockServices => &self.services,
        }
    }
}

/// The tables in files, or without any those that come with a platform.
///
/// # Errors
/// See [`named`] and [`given`].
pub fn chosen(paths: &[PathBuf], platform: Option<Platform>) -> Result<Costs, Box<Diagnostic>> {
    if paths.is_empty() { named(platform) } else { given(paths) }
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
    let one = Tables::of(costs.one)?;
    let several = costs.several.iter().map(|&(most, tables)| Ok((most, Tables::of(tables)?)));
    let several = several.collect::<Result<_, Box<Diagnostic>>>()?;
    let words = costs.words.map_or_else(|| Ok(one.priorities.clone()), own)?;
    // One without them is silent about what they take.
    let services = costs.services.map_or_else(|| Ok(one.priorities.clone()), own)?;
    let trees = costs.trees.map_or_else(|| Ok(one.priorities.clone()), own)?;
    Ok(Costs { one, several, words, services, trees })
}

/// The tables in files: one, or one for each policy.
///
/// # Errors
/// One can't be read, or is none, or there are two of the same policy.
pub fn given(paths: &[PathBuf]) -> Result<Costs, Box<Diagnostic>> {
    let tables: Result<Vec<_>, _> = paths.iter().map(|path| read(path)).collect();
    let tables = tables.map_err(Box::new)?;
    match tables.as_slice() {
        [table] => Ok(Costs::same(table.clone())),
        [one, other] if one.policy != other.policy => {
            let by_priority = one.policy == Policy::FixedPriority;
            let (one, other) = if by_priority { (one, other) } else { (other, one) };
            Ok(Costs::of_policies(one.clone(), other.clone()))
        }
        all => {
            let policy = all.first().map(|table| table.policy).unwrap_or_default();
            Err(Box::new(twice(paths, policy)))
        }
    }
}

/// More tables than policies.
fn twice(paths: &[PathBuf], policy: Policy) -> Diagnostic {
    let names: Vec<_> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
    let message = format!("two cost tables are of the same policy: {}", names.join(", "));
    Diagnostic::error(rules::COSTS, message).with_note(format!(
        "cores that order threads in different ways need one table with `policy = \"{}\"` and one \
         of the other policy",
        policy.name()
    ))
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
