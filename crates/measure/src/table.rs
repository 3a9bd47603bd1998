//! From measured paths to a platform's cost table.
//!
//! An entry of the table is the longest that was ever seen of its path, from the
//! instruction before the call to the first one behind it, whoever executes that
//! one: the stubs on the user's side and a timer that is up to one of its ticks late
//! are in it. Where the model adds entries up, as for an invocation that has to
//! wait, the sum is what covers the measured whole. The table says how large the systems were
//! in which it was measured; for larger ones it promises nothing.

use std::collections::BTreeMap;

use fusee_model::costs::{
    CostTable, DependencyCosts, Limits, MessageCosts, MutexCosts, ProtocolCosts, Provenance,
};
use fusee_model::{Duration, Policy, Protocol};

use crate::Path;
use crate::experiments::most_waiters;
use crate::lifting::CEILINGS;
use crate::path::{NotMeasured, longest};

/// Lookup of the longest.
struct Measured<'p> {
    policy: Policy,
    paths: &'p [Path],
}

impl Measured<'_> {
    /// Returns the longest run of a path between threads without budgets and, where that was
    /// measured, with them.
    fn longest(&self, name: &str) -> Result<u64, NotMeasured> {
        longest(self.paths, name)
    }

    fn longest_of(&self, names: &[&str]) -> Result<u64, NotMeasured> {
        names.iter().try_fold(0, |longest, name| Ok(longest.max(self.longest(name)?)))
    }

    fn protocols(&self, way: &str) -> Result<ProtocolCosts, NotMeasured> {
        let of =
            |protocol: Protocol| self.longest(&format!("{way}.{}", protocol.name())).map(Duration);
        let nested = Duration(self.longest(&format!("{way}.nested_level"))?);
        let mut costs = ProtocolCosts::of_each(|_| None);
        for protocol in Protocol::ALL {
            // Coming back from an exclusive gate looks at all that are still held.
            let held = if protocol.is_exclusive() { nested } else { Duration::ZERO };
            match of(protocol) {
                Err(_) if ProtocolCosts::may_lack(protocol, self.policy) => {}
                cost => costs.set(protocol, cost?.max(held)),
            }
        }
        Ok(costs)
    }
}

/// From here on the words of a message bear its fixed costs, too.
const LONG: u64 = 6;

/// Returns costs that cover all measured messages. A word counts with the share that it has in the
/// costs of a long message; the further cost of short ones is charged to each invocation.
fn message(paths: &[Path]) -> Result<MessageCosts, NotMeasured> {
    let mut measured = Vec::new();
    for path in paths {
        let words = path.name.strip_prefix("message.").and_then(|rest| rest.rsplit_once('.'));
        if let Some(words) = words.and_then(|(_, words)| words.parse::<u64>().ok()) {
            measured.push((words, path.max));
        }
    }
    let missing = || NotMeasured("message".to_owned());
    let nothing = measured.iter().find(|(words, _)| *words == 0).ok_or_else(missing)?.1;
    let more = |longest: u64| longest.saturating_sub(nothing);
    let long = measured.iter().filter(|(words, _)| *words >= LONG);
    let word =
        long.map(|&(words, longest)| more(longest).div_ceil(words)).max().ok_or_else(missing)?;
    let rest =
        measured.iter().map(|&(words, longest)| more(longest).saturating_sub(words * word)).max();
    Ok(MessageCosts { invocation: Duration(rest.unwrap_or(0)), word: Duration(word) })
}

/// Returns the cost of one way through a gate that every kernel has.
fn passing(way: &ProtocolCosts, protocol: Protocol) -> u64 {
    way.of(protocol).unwrap_or_default().ns()
}

/// The further cost of gates that bar others from more than themselves.
struct Lifting {
    /// To be kept out.
    block: u64,
    /// The cost of leaving one that a thread waits for, which then asks again.
    handoff: u64,
    /// The cost of each further waiting thread.
    wake: u64,
}

impl Lifting {
    /// `None`: the kernel has no such gates.
    fn of(
        measured: &Measured<'_>,
        invoke: &ProtocolCosts,
        return_: &ProtocolCosts,
    ) -> Result<Option<Lifting>, NotMeasured> {
        let Some((enter, leave)) = invoke.of(Protocol::Ceiling).zip(return_.of(Protocol::Ceiling))
        else {
            return Ok(None);
        };
        let one = measured.longest("ceiling.lifted.1")?;
        let all = measured.longest(&format!("ceiling.lifted.{CEILINGS}"))?;
        // Who asks again is charged for that as for the first time.
        let left = measured.longest("handoff.ceiling")?.max(one);
        Ok(Some(Lifting {
            block: measured.longest("block.ceiling")?.saturating_sub(enter.ns()),
            handoff: left.saturating_sub(leave.ns() + enter.ns()),
            wake: all.saturating_sub(one).div_ceil(CEILINGS as u64 - 1),
        }))
    }
}

/// Returns the longest fault of a thread that holds no mutex.
fn fault(measured: &Measured<'_>) -> Result<u64, NotMeasured> {
    measured.longest_of(&["fault.continue", "fault.restart", "fault.deepest"])
}

/// The costs of mutexes, and the further costs where they are words.
struct Words {
    mutex: MutexCosts,
    /// To each step along holders: each may hold as many mutexes as a thread may.
    step: u64,
    /// The fault of a thread that holds as many as it may.
    fault: u64,
}

impl Words {
    /// Costs besides those of waiting and of handing on, which are given; in those is a queue, and
    /// where words were measured there was none. So there only the rest of them is taken off.
    fn of(
        measured: &Measured<'_>,
        passing: (&ProtocolCosts, &ProtocolCosts),
        shared: (u64, u64),
    ) -> Result<Words, NotMeasured> {
        let longest = |name: &str| measured.longest(name);
        let called = [longest("mutex.lock")?, longest("mutex.unlock")?];
        let waits = [longest("mutex.waits")?, longest("mutex.served")?];
        let costs = |called: [u64; 2], waits: [u64; 2], shared: (u64, u64)| MutexCosts {
            lock: Duration(called[0].max(waits[0].saturating_sub(shared.0))),
            unlock: Duration(called[1].max(waits[1].saturating_sub(shared.1))),
            uncontended: None,
        };
        let plain = costs(called, waits, shared);
        let Ok(uncontended) = longest("mutex.uncontended") else {
            return Ok(Words { mutex: plain, step: 0, fault: 0 });
        };
        // Who locks one or unlocks it has tried that without the kernel.
        let tried = [longest("mutex.interrupted.lock")?, longest("mutex.interrupted.unlock")?];
        let called = [0, 1].map(|way| called[way].max(tried[way] + uncontended));
        let (deepest, topmost) =
            (longest("mutex.contended.deepest")?, longest("mutex.contended.topmost")?);
        let contended = longest("mutex.contended")?.max(deepest).max(topmost);
        let handover = measured.longest_of(&[
            "mutex.handover",
            "mutex.handover.deepest",
            "mutex.handover.topmost",
        ])?;
        let alone = |name: &str, way: &ProtocolCosts| {
            Ok(longest(name)?.saturating_sub(self::passing(way, Protocol::Inherited)))
        };
        let unqueued =
            (alone("block.inherited", passing.0)?, alone("handoff.inherited", passing.1)?);
        let words = costs(called, [contended, handover], unqueued);
        // A restart is as much longer for who holds some.
        let restart = longest("fault.restart")?.saturating_sub(longest("fault.continue")?);
        Ok(Words {
            mutex: MutexCosts {
                lock: words.lock.max(plain.lock),
                unlock: words.unlock.max(plain.unlock),
                uncontended: Some(Duration(uncontended)),
            },
            step: deepest.saturating_sub(topmost),
            fault: longest("fault.holding")? + restart,
        })
    }
}

/// The lengths of the longer chains of inheritance that are measured.
const CHAINS: [u64; 2] = [4, 7];

/// Returns the table that covers all measured paths.
///
/// # Errors
/// A path is missing.
pub fn cost_table(
    (platform, threads): (&str, usize),
    policy: Policy,
    paths: &[Path],
) -> Result<CostTable, NotMeasured> {
    let measured = Measured { policy, paths };
    let waiters = most_waiters(threads);
    let (invoke, return_) = (measured.protocols("invoke")?, measured.protocols("return")?);
    let signal = measured.longest_of(&[
        "signal.nobody",
        "signal.pending",
        "poll.pending",
        "poll.nothing",
    ])?;
    let wakes = measured.longest_of(&["signal_to_waiter", "signal.lower"])?;
    let one = measured.longest("block.chain1")?;
    let mut step = 0;
    for length in CHAINS {
        let whole = measured.longest(&format!("block.chain{length}"))?;
        step = step.max(whole.saturating_sub(one).div_ceil(length - 1));
    }
    let queued = measured.longest(&format!("queue.waits.{waiters}"))?;
    let inherited = measured.longest_of(&["block.chain1", "block.inherited"])?.max(queued);
    let fifo = measured.longest("block.fifo")?.saturating_sub(passing(&invoke, Protocol::Fifo));
    let block = inherited.saturating_sub(passing(&invoke, Protocol::Inherited) + step).max(fifo);
    let served = measured.longest(&format!("queue.served.{waiters}"))?;
    let inherited = measured.longest("handoff.inherited")?.max(served);
    let fifo = measured.longest("handoff.fifo")?.saturating_sub(passing(&return_, Protocol::Fifo));
    let handoff = inherited.saturating_sub(passing(&return_, Protocol::Inherited)).max(fifo);
    let mut wake = wakes.saturating_sub(signal);
    let (mut block, mut handoff) = (block, handoff);
    if let Some(ceilings) = Lifting::of(&measured, &invoke, &return_)? {
        block = block.max(ceilings.block);
        handoff = handoff.max(ceilings.handoff);
        wake = wake.max(ceilings.wake);
    }
    let words = Words::of(&measured, (&invoke, &return_), (block, handoff))?;
    step += words.step;
    Ok(CostTable {
        platform: platform.to_owned(),
        policy,
        also: None,
        image: None,
        provenance: Provenance::Measured,
        release: Duration(measured.longest_of(&["release", "release.quiet", "away.continue"])?),
        completion: Duration(measured.longest("completion")?),
        invoke,
        return_,
        mutex: words.mutex,
        block: Duration(block),
        handoff: Duration(handoff),
        inherit_step: Duration(step),
        signal: Duration(signal),
        wait: Duration(measured.longest_of(&["wait.blocks", "wait.pending"])?),
        wake: Duration(wake),
        budget_end: Duration(measured.longest_of(&["budget_end.suspend", "away.continue"])?),
        fault: Duration(fault(&measured)?.max(words.fault)),
        time_slice: Duration(measured.longest("time_slice")?),
        // A signal is no shorter.
        device: None,
        message: Some(message(paths)?),
        // Systems of one core cannot tell.
        cores: None,
        // Nor can those without schedulers.
        schedulers: None,
        dependencies: dependencies(&measured, waiters),
        limits: Some(Limits {
            threads: threads as u32,
            nesting: NESTING,
            cores: None,
            schedulers: None,
        }),
        origins: BTreeMap::new(),
    })
}

/// Returns the costs of letting threads sleep on each other's account, where they were measured.
fn dependencies(measured: &Measured<'_>, waiters: usize) -> Option<DependencyCosts> {
    let longest = |name: &str| measured.longest(name).ok();
    // There everybody comes to the head of a queue; others' place in it is elsewhere.
    let queued = |way: &str| {
        let all = longest(&format!("queue.{way}.{waiters}"))?;
        Some(all.saturating_sub(longest(&format!("queue.{way}.1"))?))
    };
    let cost = |name: &str, way: &str| Some(Duration(longest(name)? + queued(way)?));
    Some(DependencyCosts {
        depend: cost("sleep.depend", "waits")?,
        wake: cost("sleep.wake", "served")?,
    })
}

/// The depth of nested gates where that is measured.
const NESTING: u32 = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_cover_every_message_that_was_measured() {
        let longest = [
            ("nothing.0", 100),
            ("value.1", 190),
            ("texts.6", 700),
            ("text.1", 180),
            ("text.120", 8500),
        ];
        let line =
            |(name, max)| Path::parse(&format!("path message.{name} 1 1 {max} {max} 1")).unwrap();
        let paths: Vec<Path> = longest.map(line).into();
        let costs = message(&paths).unwrap();
        assert_eq!(costs.word, Duration(100));
        for (name, max) in longest {
            let words = name.rsplit_once('.').unwrap().1.parse().unwrap();
            assert!(words == 0 || 100 + costs.of(words).unwrap().ns() >= max, "{name}");
        }
        assert!(message(&paths[1..]).is_err());
        assert!(message(&paths[..2]).is_err());
    }
}
