//! The body of a component without sources, instruction by instruction.
//!
//! On QEMU's `virt` machine with `-icount` an instruction takes a nanosecond, so a
//! description's execution times can be executed exactly. Own execution includes the
//! few instructions that an operation takes in the component; they are taken off the time
//! that follows or precedes them. Where a body asks for less time than its operations
//! take, it takes what they take. On a machine with a pipeline and caches the time is a
//! loop whose turns are known, less what is around it when no cache holds it: at most what is
//! described.

use fusee_image_format::abi;
use fusee_kernel::{Capability, GateIndex, NotificationIndex};
use fusee_model::derived::Derived;
use fusee_model::{Body as Described, GateId, Step, System};
use fusee_platform::CoreTraits;
use fusee_tables::symbol;
use serde::Serialize;

/// A body as a list of assembly lines.
#[derive(Debug, Clone, Serialize, PartialEq, Eq)]
pub(crate) struct Body {
    pub(crate) lines: Vec<String>,
    /// `true` if it calls a function, so that its own return address must be kept.
    pub(crate) calls: bool,
}

/// The most turns of one delay loop: they fit a positive 32-bit immediate.
const MOST_TURNS: u64 = 1 << 30;

/// Instructions around a job's body: its end.
pub(crate) const AROUND_JOB: u64 = 2;

/// Instructions that tell a mutex' word the thread that it names, at each entry.
pub(crate) const NAMING: u64 = 4;

/// Instructions around the body of a gate's method: finding it, and the return.
pub(crate) fn around_method(index: usize) -> u64 {
    2 + 2 * index as u64 + 9
}

/// The system that bodies are made from, and the machine that they run on.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) system: &'a System,
    pub(crate) derived: &'a Derived,
    pub(crate) traits: CoreTraits,
}

/// A body's instructions with `owed` instructions around them; a capability that the tables lack
/// becomes a fault.
pub(crate) fn body(
    subject: Subject<'_>,
    (body, mut owed): (&Described, u64),
    slot: &dyn Fn(Capability) -> Option<u16>,
) -> Body {
    let mut written = Body { lines: Vec::new(), calls: false };
    steps(subject, (&body.steps, &mut owed), slot, &mut written);
    written
}

/// The instructions of some steps; a section's steps stand between locking and unlocking.
fn steps(
    subject: Subject<'_>,
    (steps, owed): (&[Step], &mut u64),
    slot: &dyn Fn(Capability) -> Option<u16>,
    written: &mut Body,
) {
    let Subject { system, derived, traits } = subject;
    for step in steps {
        let operation = match step {
            Step::Compute { worst, .. } => {
                let left = worst.ns().saturating_sub(*owed);
                *owed = owed.saturating_sub(worst.ns());
                written.lines.extend(delay(traits, left));
                continue;
            }
            Step::Invoke { gate, method, lock, .. } => {
                // What is passed to methods otherwise nobody looks at.
                let lock = lock.map(|lock| format!("li a0, {lock}"));
                *owed += u64::from(lock.is_some());
                written.lines.extend(lock);
                let method = method.unwrap_or_else(|| longest(system, derived, *gate));
                let described = system.gate(*gate);
                if system.mutex(*gate).is_some() {
                    let section = described
                        .methods
                        .get(method)
                        .map_or(&[][..], |section| &section.body.steps);
                    let slot_of =
                        slot(Capability::Mutex(GateIndex(gate.0 as u16))).map(usize::from);
                    let words = word(system, *gate);
                    if let Some([lock, unlock]) = words {
                        written.calls = true;
                        *owed += 2 * AROUND_WORD;
                        written.lines.push(lock);
                        self::steps(subject, (section, owed), slot, written);
                        written.lines.push(unlock);
                        continue;
                    }
                    let (lock, unlock) =
                        (operation(abi::LOCK, slot_of), operation(abi::UNLOCK, slot_of));
                    *owed += executed(&lock);
                    written.lines.extend(lock);
                    self::steps(subject, (section, owed), slot, written);
                    unlock
                } else if described.direct {
                    written.calls = true;
                    let name = described.methods.get(method).map_or("", |method| &method.name);
                    let callee =
                        symbol::direct(system, described.component, &described.interface, name);
                    vec![format!("jal ra, {callee}")]
                } else {
                    let slot = slot(Capability::Gate(GateIndex(gate.0 as u16)));
                    operation(abi::INVOKE, slot.map(|slot| abi::selector(slot, method as u16)))
                }
            }
            Step::Emit(id) => {
                let slot = slot(Capability::Signal(NotificationIndex(id.0 as u16), 1));
                operation(abi::SIGNAL, slot.map(usize::from))
            }
            Step::Wait(id) => operation(
                abi::WAIT,
                slot(Capability::Wait(NotificationIndex(id.0 as u16))).map(usize::from),
            ),
        };
        *owed += executed(&operation);
        written.lines.extend(operation);
    }
}

/// The most instructions of locking or of unlocking a mutex that is a word, around the kernel.
const AROUND_WORD: u64 = 18;

/// The calls that lock and unlock a mutex, if it is a word.
fn word(system: &System, gate: GateId) -> Option<[String; 2]> {
    let owner = system.component(system.gate(gate).component);
    let lock = owner.code.locks.get(system.mutex(gate)?).filter(|lock| lock.is_word())?;
    Some(["lock", "unlock"].map(|end| format!("jal ra, {}_{end}", lock.name)))
}

/// The code behind a call: an error as its answer is counted for the report of the run.
const IF_REFUSED: [&str; 3] = ["beqz a7, 9f", "fusee_remember_refusal a7, zero, t1, t0, a6", "9:"];

/// Returns the number of instructions of an operation that are executed where it is not refused.
fn executed(operation: &[String]) -> u64 {
    operation.iter().filter(|line| !IF_REFUSED[1..].contains(&line.as_str())).count() as u64
}

/// A system call without a message.
fn operation(number: usize, target: Option<usize>) -> Vec<String> {
    let Some(target) = target else { return vec!["ebreak".into()] };
    let mut lines = Vec::new();
    match i32::try_from(target) {
        Ok(small @ 0..2048) => lines.push(format!("li a6, {small}")),
        _ => {
            lines.push(format!("lui a6, {}", target >> 12));
            lines.push(format!("ori a6, a6, {}", target & 0x7ff));
            if target & 0x800 != 0 {
                lines.push("li t0, 1".into());
                lines.push("slli t0, t0, 11".into());
                lines.push("or a6, a6, t0".into());
            }
        }
    }
    lines.push(format!("li a7, {number}"));
    lines.push("li t0, 0".into());
    lines.push("ecall".into());
    lines.extend(IF_REFUSED.map(str::to_owned));
    lines
}

/// So many ticks: exactly so many instructions where each takes one, and elsewhere less by what is
/// around them and in no cache.
fn delay(traits: CoreTraits, ticks: u64) -> Vec<String> {
    if traits.instruction_is_tick {
        return instructions(ticks, traits.turn_ticks);
    }
    // How long a turn takes depends on where its instructions lie.
    let mut lines: Vec<String> =
        [".balign 8", ".option push", ".option norvc"].map(str::to_owned).into();
    lines.extend(instructions(ticks.saturating_sub(traits.cold_ticks), traits.turn_ticks));
    lines.push(".option pop".to_owned());
    lines
}

/// Loops whose turns take so many ticks, and instructions of a tick each.
fn instructions(mut ticks: u64, turn: u64) -> Vec<String> {
    let mut lines = Vec::new();
    while ticks >= 2 + 3 * turn {
        let turns = ((ticks - 2) / turn).min(MOST_TURNS);
        let low = turns & 0xfff;
        // `addi` extends the sign of its twelve bits; `lui` makes up for it.
        let (high, low) = if low >= 0x800 {
            ((turns >> 12) + 1, low as i64 - 0x1000)
        } else {
            (turns >> 12, low as i64)
        };
        lines.push(format!("lui t0, {high}"));
        lines.push(format!("addi t0, t0, {low}"));
        lines.push("1: addi t0, t0, -1".into());
        lines.push("bnez t0, 1b".into());
        ticks -= 2 + turn * turns;
    }
    lines.extend((0..ticks).map(|_| "nop".to_owned()));
    lines
}

/// The method of a gate that takes longest with all that it invokes.
fn longest(system: &System, derived: &Derived, gate: GateId) -> usize {
    let mut demand: std::collections::BTreeMap<(GateId, usize), u64> =
        std::collections::BTreeMap::new();
    for &(of, method) in derived.method_order.iter().rev() {
        let steps = &system.gate(of).methods[method].body.steps;
        let time = |step: &Step| match step {
            Step::Compute { worst, .. } => worst.ns(),
            Step::Invoke { gate, method: Some(method), .. } => {
                demand.get(&(*gate, *method)).copied().unwrap_or(0)
            }
            Step::Invoke { gate, method: None, .. } => {
                let methods = 0..system.gate(*gate).methods.len();
                methods.map(|m| demand.get(&(*gate, m)).copied().unwrap_or(0)).max().unwrap_or(0)
            }
            Step::Emit(_) | Step::Wait(_) => 0,
        };
        let total = steps.iter().map(time).fold(0u64, u64::saturating_add);
        demand.insert((of, method), total);
    }
    let methods = 0..system.gate(gate).methods.len();
    // The first of several equals.
    methods
        .rev()
        .max_by_key(|&method| demand.get(&(gate, method)).copied().unwrap_or(0))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Executes the instructions that a delay is made of.
    fn executed(lines: &[String]) -> u64 {
        let (mut count, mut t0, mut at) = (0u64, 0i64, 0);
        while at < lines.len() {
            count += 1;
            let words: Vec<&str> =
                lines[at].split([' ', ',']).filter(|word| !word.is_empty()).collect();
            match words.as_slice() {
                ["lui", "t0", high] => t0 = high.parse::<i64>().unwrap() << 12,
                ["addi", "t0", "t0", low] => t0 += low.parse::<i64>().unwrap(),
                ["1:", "addi", "t0", "t0", "-1"] => {
                    // The loop in one go: two instructions a turn.
                    assert_eq!(lines[at + 1], "bnez t0, 1b");
                    count += 2 * t0 as u64 - 1;
                    (t0, at) = (0, at + 1);
                }
                ["nop"] => {}
                other => panic!("{other:?}"),
            }
            at += 1;
        }
        count
    }

    #[test]
    fn a_delay_takes_exactly_what_it_should() {
        for wanted in (0..5000).chain([4_095 * 2, 1 << 20, (1 << 31) + 5, 10_000_000_007]) {
            assert_eq!(executed(&instructions(wanted, 2)), wanted);
        }
    }
}
