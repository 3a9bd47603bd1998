//! The costs of the kernel's paths on the platform.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fusee_diagnostics::Diagnostic;
use fusee_model::costs::CostTable;
use fusee_model::{Policy, System};
use fusee_platform::for_cores;
use fusee_platform::{Ceilings, Cores, KernelConfig, KernelPolicy, Locks};
use fusee_platform::{MeasuredCosts, Platform, Records};
use fusee_tables::kernel_config;

use crate::rules;

/// The cost tables of a platform: systems run on different kernels, each with its own paths.
#[derive(Debug, Clone)]
pub struct Costs {
    /// Those of the same kernel by the number of cores and then of threads that they hold for.
    tables: Vec<OfKernel>,
}

/// The costs of the paths of a kernel.
#[derive(Debug, Clone)]
struct OfKernel {
    kernel: KernelConfig,
    /// On at most so many cores.
    cores: u32,
    table: CostTable,
}

impl Costs {
    /// One table for all systems. Where it is of another policy than a system, the analysis
    /// promises nothing, and says so.
    pub fn same(table: CostTable) -> Costs {
        Costs { tables: vec![OfKernel { kernel: KernelConfig::PLAIN, cores: 1, table }] }
    }

    /// One table for all systems whose priorities decide, and one where deadlines do.
    fn of_policies(priorities: CostTable, deadlines: CostTable) -> Costs {
        let mut costs = Costs::same(priorities);
        let kernel = Records::Plain.under(KernelPolicy::EARLIEST_DEADLINE);
        costs.tables.push(OfKernel { kernel, cores: 1, table: deadlines });
        costs
    }

    /// Returns an idealised kernel, as on `sim`: no path costs anything.
    pub fn nothing() -> Costs {
        Costs::same(CostTable::zero("sim"))
    }

    /// Returns the costs of systems of one core under priorities, without gates that bar others.
    pub fn of_priorities(&self) -> &CostTable {
        &self.tables[0].table
    }

    /// Returns the digest of the only image for which they hold, if there is one.
    pub fn image(&self) -> Option<&str> {
        self.tables.iter().find_map(|one| one.table.image.as_deref())
    }

    /// Returns the costs of a system: where cores have different policies, with the larger number
    /// of each path, since many paths concern several cores.
    pub fn of(&self, system: &System) -> Cow<'_, CostTable> {
        let kernels: BTreeSet<KernelConfig> =
            (0..system.cores()).map(|core| kernel_config(system, core)).collect();
        // Priorities come before deadlines.
        let mut tables = kernels.into_iter().map(|kernel| self.of_kernel(kernel, system));
        let first = tables.next().unwrap_or_else(|| self.of_priorities());
        tables.fold(Cow::Borrowed(first), |all, other| match &*all == other {
            true => all,
            false => Cow::Owned(CostTable::of_both(&all, other)),
        })
    }

    /// Returns the table of a kernel. Where there is none, that of the kernel without ceilings and
    /// without more for locks on as many cores, or on one, and else the plain one's: they say of
    /// another policy that they promise nothing, and of protocols and calls that they do not know.
    fn of_kernel(&self, kernel: KernelConfig, system: &System) -> &CostTable {
        let on_one = KernelConfig { cores: Cores::One, ..kernel };
        let has = |cores: Cores| self.tables.iter().any(|one| one.kernel.cores == cores);
        let kernel = if has(kernel.cores) { kernel } else { on_one };
        let plain = KernelConfig { cores: kernel.cores, ..KernelConfig::PLAIN };
        let order = kernel.policy.order();
        let policy = KernelPolicy::new(order, Ceilings::None, Locks::Kernel);
        let ordered = KernelConfig { policy, ..plain };
        let found =
            [kernel, ordered, plain].into_iter().find_map(|kernel| self.as_large(kernel, system));
        found.unwrap_or_else(|| self.of_priorities())
    }

    /// Returns the table of a kernel that holds for the cores and threads of a system. Where none
    /// holds for as many cores, it is that for the most, and where none does for as many threads,
    /// that for the fewest, with which the analysis says that there are more.
    fn as_large(&self, kernel: KernelConfig, system: &System) -> Option<&CostTable> {
        let own = || self.tables.iter().filter(|one| one.kernel == kernel);
        let most = for_cores(own().map(|one| (one.cores, one.cores)), system.cores())?;
        let threads = fusee_bounds::threads(system);
        let holds =
            |one: &&OfKernel| one.table.limits.is_none_or(|limits| threads <= limits.threads);
        let mut on_as_many = own().filter(|one| one.cores == most);
        on_as_many.clone().find(holds).or(on_as_many.next()).map(|one| &one.table)
    }
}

/// Returns the tables in files, or without any those that come with a platform.
///
/// # Errors
/// See [`named`] and [`given`].
pub fn chosen(paths: &[PathBuf], platform: Option<Platform>) -> Result<Costs, Box<Diagnostic>> {
    if paths.is_empty() { named(platform) } else { given(paths) }
}

/// Returns the tables that come with a platform, of its plain kernels; no costs without one, on
/// `sim`.
///
/// # Errors
/// Nobody has measured the platform.
pub fn named(platform: Option<Platform>) -> Result<Costs, Box<Diagnostic>> {
    let machine = match platform {
        None => return Ok(Costs::nothing()),
        Some(machine) => machine,
    };
    let measured = machine.descriptor().costs;
    if measured.is_empty() {
        let message = format!("nobody has measured what the kernel's paths cost on `{machine}`");
        let note = format!(
            "measure it, `fusee measure --platform {machine} -o FILE.toml`, and analyse with \
             `--costs`"
        );
        return Err(Box::new(Diagnostic::error(rules::COSTS, message).with_note(note)));
    }
    let read = |one: &MeasuredCosts| {
        Ok(OfKernel { kernel: one.kernel, cores: one.cores, table: own(one.text)? })
    };
    Ok(Costs { tables: measured.iter().map(read).collect::<Result<_, Box<Diagnostic>>>()? })
}

/// Returns the tables in files: one, or one for each policy.
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

/// Returns a table that comes with a platform.
fn own(text: &str) -> Result<CostTable, Box<Diagnostic>> {
    let invalid = |error| {
        Box::new(Diagnostic::error(rules::COSTS, format!("Fusee's own cost table: {error}")))
    };
    CostTable::from_toml(text).map_err(invalid)
}

/// Returns the table in a file.
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
