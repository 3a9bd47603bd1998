//! Chains of tasks whose arrivals are known to the tick.
//!
//! If each sampling task arrives at its offset and every period from there on, the wait at a link
//! is not its longest, but what it is: the next arrival of the reader, or the last one of the
//! writer. Following them for each arrival of the first (or last) task until everything repeats
//! gives times that are never above the sums. Executions still vary, and responses stand for them.
//!
//! Source: Kloda, Bertout and Sorel, "Latency analysis for data chains of real-time periodic
//! tasks", 2018; for results at deadlines the times are exact (Martinez, Sanudo and Bertogna 2018).

use super::{Group, InvalidChain, Link, Stage, groups};
use crate::{effort, exact};

/// The longest time from a change outside to the completion of the first job at the end of the
/// chain that has seen it, if stage k arrives at `offsets[k]` and every
/// [`separation`](Stage::separation) from there on. Offsets of triggered stages are not used.
///
/// # Errors
/// The chain is empty, has no clock or not as many offsets as stages, or is too long to be
/// followed.
pub fn reaction_time(stages: &[Stage], offsets: &[u64]) -> Result<u64, InvalidChain> {
    Ok(reaction(stages, offsets)?.time)
}

/// The same with the waits that it has: for the first clock, and at each link.
///
/// # Errors
/// As for [`reaction_time`].
pub fn reaction(stages: &[Stage], offsets: &[u64]) -> Result<Followed, InvalidChain> {
    let clocks = clocks(stages, offsets)?;
    let first = &clocks[0];
    longest(first, &clocks, |arrival| {
        // A change right behind the reading of the job before was missed by that one.
        let missed = i128::from(first.group.separation);
        let (mut at, mut waits) = (arrival, vec![missed]);
        for pair in clocks.windows(2) {
            let output = at + i128::from(pair[0].group.delay(pair[1].group.link));
            at = pair[1].from(output);
            waits.push(at - output);
        }
        (at + end(&clocks) - arrival + missed, waits)
    })
}

/// The longest time from the reading of a first task's job to the completion of a job at the end of
/// the chain that uses what was read, with arrivals as for [`reaction_time`].
///
/// # Errors
/// As for [`reaction_time`].
pub fn data_age(stages: &[Stage], offsets: &[u64]) -> Result<u64, InvalidChain> {
    Ok(age(stages, offsets)?.time)
}

/// The same with the waits that it has at each link.
///
/// # Errors
/// As for [`reaction_time`].
pub fn age(stages: &[Stage], offsets: &[u64]) -> Result<Followed, InvalidChain> {
    let clocks = clocks(stages, offsets)?;
    longest(&clocks[clocks.len() - 1], &clocks, |arrival| {
        let (mut at, mut waits) = (arrival, Vec::new());
        for pair in clocks.windows(2).rev() {
            let output = at - i128::from(pair[0].group.delay(pair[1].group.link));
            at = pair[0].until(output);
            waits.push(output - at);
        }
        waits.reverse();
        (arrival + end(&clocks) - at, waits)
    })
}

/// The longest time of a chain that was followed, in ticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Followed {
    /// All of it.
    pub time: u64,
    /// The parts of it that are waits for a clock, in the order of the chain.
    pub waits: Vec<u64>,
}

/// Arrivals that are followed at most.
const MOST_ARRIVALS: u64 = 10_000_000;

/// A group whose first task arrives at known times.
struct Clock {
    group: Group,
    offset: u64,
}

impl Clock {
    /// The first arrival from a time on.
    fn from(&self, time: i128) -> i128 {
        time + (i128::from(self.offset) - time).rem_euclid(i128::from(self.group.separation))
    }

    /// The last arrival until a time.
    fn until(&self, time: i128) -> i128 {
        time - (time - i128::from(self.offset)).rem_euclid(i128::from(self.group.separation))
    }
}

fn clocks(stages: &[Stage], offsets: &[u64]) -> Result<Vec<Clock>, InvalidChain> {
    if stages.len() != offsets.len() {
        return Err(InvalidChain::Offsets { offsets: offsets.len(), stages: stages.len() });
    }
    let heads = stages.iter().zip(offsets).filter(|(stage, _)| stage.link != Link::Triggered);
    let heads: Vec<u64> = heads.map(|(_, &offset)| offset).collect();
    let groups = groups(stages)?;
    if stages[0].link == Link::Triggered || groups.iter().any(|group| group.separation == 0) {
        return Err(InvalidChain::NoClock);
    }
    Ok(groups.into_iter().zip(heads).map(|(group, offset)| Clock { group, offset }).collect())
}

/// From the last clock's arrival to the output at the end.
fn end(clocks: &[Clock]) -> i128 {
    clocks.last().map_or(0, |last| i128::from(last.group.response))
}

/// The longest of the times of all arrivals of a clock until everything repeats.
fn longest(
    of: &Clock,
    clocks: &[Clock],
    follow: impl Fn(i128) -> (i128, Vec<i128>),
) -> Result<Followed, InvalidChain> {
    let periods = clocks.iter().map(|clock| clock.group.separation);
    let cycle = exact::hyperperiod(periods).ok_or(InvalidChain::LongCycle)?;
    let arrivals = cycle / u128::from(of.group.separation);
    if arrivals > u128::from(MOST_ARRIVALS) {
        return Err(InvalidChain::LongCycle);
    }
    let mut longest = (0, Vec::new());
    for number in 0..arrivals {
        if !effort::step() {
            break;
        }
        let behind = number as i128 * i128::from(of.group.separation);
        let found = follow(i128::from(of.offset) + behind);
        if found.0 > longest.0 {
            longest = found;
        }
    }
    let fits = |time: i128| u64::try_from(time).map_err(|_| InvalidChain::Overflow);
    let waits = longest.1.into_iter().map(fits).collect::<Result<_, _>>()?;
    Ok(Followed { time: fits(longest.0)?, waits })
}
