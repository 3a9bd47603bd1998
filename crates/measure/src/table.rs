//! From measured paths to a platform's cost table.
//!
//! An entry of the table is the longest that was ever seen of its path, from the
//! instruction before the call to the first one behind it, whoever executes that
//! one: the stubs on the user's side and a timer that is up to one of its ticks late
//! are in it. Where the model adds entries up, as for an invocation that has to
//! wait, the sum is what covers the measured whole.

use fusee_model::costs::{CostTable, ProtocolCosts, Provenance};
use fusee_model::{Duration, Protocol};

use crate::Path;

/// A path that the table needs was not measured.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the path `{0}` was not measured")]
pub struct NotMeasured(pub String);

/// Lookup of the longest.
struct Measured<'p>(&'p [Path]);

impl Measured<'_> {
    fn longest(&self, name: &str) -> Result<u64, NotMeasured> {
        let path = self.0.iter().find(|path| path.name == name);
        path.map(|path| path.max).ok_or_else(|| NotMeasured(name.to_owned()))
    }

    fn longest_of(&self, names: &[&str]) -> Result<u64, NotMeasured> {
        names.iter().try_fold(0, |longest, name| Ok(longest.max(self.longest(name)?)))
    }

    fn protocols(&self, way: &str) -> Result<ProtocolCosts, NotMeasured> {
        let of = |protocol: Protocol| self.longest(&format!("{way}.{}", protocol.name())).map(Duration);
        let nested = Duration(self.longest(&format!("{way}.nested_level"))?);
        Ok(ProtocolCosts {
            propagated: of(Protocol::Propagated)?,
            // Coming back from an exclusive gate looks at all that are still held.
            fixed: of(Protocol::Fixed)?.max(nested),
            inherited: of(Protocol::Inherited)?.max(nested),
            fifo: of(Protocol::Fifo)?.max(nested),
        })
    }
}

/// The lengths of the longer chains of inheritance that are measured.
const CHAINS: [u64; 2] = [4, 7];

/// The table that covers all measured paths.
///
/// # Errors
/// A path is missing.
pub fn cost_table(platform: &str, paths: &[Path]) -> Result<CostTable, NotMeasured> {
    let measured = Measured(paths);
    let (invoke, return_) = (measured.protocols("invoke")?, measured.protocols("return")?);
    let signal = measured.longest_of(&["signal.nobody", "signal.pending", "poll.pending", "poll.nothing"])?;
    let one = measured.longest("block.chain1")?;
    let mut step = 0;
    for length in CHAINS {
        let whole = measured.longest(&format!("block.chain{length}"))?;
        step = step.max(whole.saturating_sub(one).div_ceil(length - 1));
    }
    let waits = |protocol: &str| measured.longest(&format!("block.{protocol}"));
    let queued = measured.longest(QUEUED)?;
    let inherited = one.max(waits("inherited")?).max(queued).saturating_sub(invoke.inherited.ns() + step);
    let block = inherited.max(waits("fifo")?.saturating_sub(invoke.fifo.ns()));
    let served = |protocol: &str, back: Duration| {
        measured.longest(&format!("handoff.{protocol}")).map(|whole| whole.saturating_sub(back.ns()))
    };
    let queue = measured.longest(SERVED)?.saturating_sub(return_.inherited.ns());
    let handoff = served("inherited", return_.inherited)?.max(served("fifo", return_.fifo)?).max(queue);
    Ok(CostTable {
        platform: platform.to_owned(),
        provenance: Provenance::Measured,
        release: Duration(measured.longest_of(&["release", "release.quiet", "away.continue"])?),
        completion: Duration(measured.longest("completion")?),
        invoke,
        return_,
        block: Duration(block),
        handoff: Duration(handoff),
        inherit_step: Duration(step),
        signal: Duration(signal),
        wait: Duration(measured.longest_of(&["wait.blocks", "wait.pending"])?),
        wake: Duration(measured.longest("signal_to_waiter")?.saturating_sub(signal)),
        budget_end: Duration(measured.longest_of(&["budget_end.suspend", "away.continue"])?),
        fault: Duration(measured.longest_of(&["fault.continue", "fault.restart"])?),
        time_slice: Duration(measured.longest("time_slice")?),
    })
}

/// The longest queue that a system of the size that is meant can have: all but the holder and one that runs.
const QUEUED: &str = "queue.waits.30";
/// Handing on in it.
const SERVED: &str = "queue.served.30";
