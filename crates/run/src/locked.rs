//! Mutexes that stayed locked where the kernel refused to end a job or call.
//!
//! A kernel that records its decisions tells which and in which order. Of another one there is
//! what was refused to the component and which mutexes it has: that names the mutex where it has
//! but one, or where its unlocking was refused.

use fusee_kernel::{Kind, Record};

use crate::records::Fault;
use crate::refused::NOT_LOCKED_LAST;
use crate::symbols::Symbols;
use crate::{Manifest, Refused};

/// RISC-V's number of a breakpoint.
const BREAKPOINT: u16 = 3;

/// The note that says how to learn the rest.
const RECORDS: &str = "`--kernel traced` records which, and in which order";

/// The known facts about a run besides its faults.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    /// The kernel's decisions, as far as it records them.
    pub(crate) records: &'a [Record],
    /// Calls that were answered with an error.
    pub(crate) refused: &'a [Refused],
    pub(crate) manifest: &'a Manifest,
    pub(crate) symbols: &'a Symbols,
}

/// Returns `true` if a component faulted in the code that ends a job or a call, which comes with
/// Fusee. It goes on there only if the kernel refuses the end, and that has one reason: a mutex is
/// locked.
pub(crate) fn is_end(fault: &Fault, place: &str) -> bool {
    let ends =
        ["__fusee_job_", "__fusee_first_", "__fusee_gate_", "fusee_answer_area", "fusee_return_"];
    fault.cause == BREAKPOINT && ends.iter().any(|start| place.starts_with(start))
}

/// Sentences about the mutexes that were still locked, and about how that came.
pub(crate) fn explained(fault: &Fault, known: Known<'_>) -> Vec<String> {
    let which = by_records(fault, known).unwrap_or_else(|| by_component(fault, known));
    let why = "the kernel ends no job and no call in which a mutex is still locked";
    let repair = "unlock each mutex that was locked, the last one first: in another order the \
                  unlocking is refused (error 17), and the mutex stays locked";
    which.into_iter().chain([why, repair].map(str::to_owned)).collect()
}

/// Returns the locks that the kernel recorded, if it recorded any.
fn by_records(fault: &Fault, Known { records, manifest, .. }: Known<'_>) -> Option<Vec<String>> {
    let (mut inside, mut way) = (Vec::new(), Vec::new());
    let own = records.iter().filter(|record| record.thread.0 == fault.thread);
    for record in own.take_while(|record| i128::from(record.time) <= i128::from(fault.time)) {
        let gate = manifest.gates.get(usize::from(record.object));
        match record.kind {
            Kind::Enter => inside.extend(gate),
            Kind::Return => drop(inside.pop()),
            // The fault in question is recorded, too, and what it ended stays to be told.
            Kind::Complete | Kind::Abort | Kind::Fault
                if i128::from(record.time) < i128::from(fault.time) =>
            {
                inside.clear();
                way.clear();
            }
            _ => {}
        }
        let deed = if record.kind == Kind::Enter { "locked" } else { "unlocked" };
        if let (Kind::Enter | Kind::Return, Some(mutex)) =
            (record.kind, gate.filter(|gate| gate.is_mutex()))
        {
            way.push(format!("{deed} `{}`", mutex.name));
        }
    }
    // What callers had locked is none of this call's.
    let own = inside.iter().rev().take_while(|gate| gate.is_mutex());
    let locked: Vec<&str> = own.map(|gate| gate.name.as_str()).collect();
    let locked: Vec<&str> = locked.into_iter().rev().collect();
    let held = list(&locked, "and")?;
    Some(vec![format!("still locked: {held}"), format!("since the job began: {}", way.join(", "))])
}

/// Returns the facts that the component's mutexes and the refused calls tell.
fn by_component(fault: &Fault, known: Known<'_>) -> Vec<String> {
    let Known { manifest, refused, symbols, .. } = known;
    let component = u32::from(fault.component);
    let own = refused.iter().filter(|one| one.component == component);
    let mut names: Vec<String> = own.clone().flat_map(|one| unlocked(one, symbols)).collect();
    names.dedup();
    let instance = manifest.component(fault.component);
    let names: Vec<String> = names.iter().map(|name| format!("{instance}.{name}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    if let Some(names) = list(&names, "and") {
        let others = match own.map(Refused::forgotten).sum::<u32>() {
            0 => String::new(),
            _ => format!("; earlier refused calls may have left more locked: {RECORDS}"),
        };
        return vec![format!("still locked: {names}, whose unlocking was refused{others}")];
    }
    let mutexes: Vec<&str> = manifest
        .gates
        .iter()
        .filter(|gate| gate.is_mutex())
        .filter(|gate| gate.component == component)
        .map(|gate| gate.name.as_str())
        .collect();
    match (list(&mutexes, "or"), mutexes.len()) {
        (Some(name), 1) => vec![format!("still locked: {name}")],
        (Some(names), _) => vec![format!("still locked: {names}; {RECORDS}")],
        (None, _) => Vec::new(),
    }
}

/// The mutexes whose unlocking was refused on a stack.
fn unlocked(refused: &Refused, symbols: &Symbols) -> Vec<String> {
    let unlocking = refused.last.iter().filter(|one| one.error == NOT_LOCKED_LAST);
    let names = unlocking.filter_map(|one| symbols.place(one.place.saturating_sub(1)).function);
    names.filter_map(|name| Some(name.strip_suffix("_unlock")?.to_owned())).collect()
}

/// Returns names one after the other, quoted, with this word before the last; `None`: no names.
fn list(names: &[&str], and: &str) -> Option<String> {
    let (last, others) = names.split_last()?;
    let quoted: Vec<String> = others.iter().map(|name| format!("`{name}`")).collect();
    let others = quoted.join(", ");
    Some(if others.is_empty() { format!("`{last}`") } else { format!("{others} {and} `{last}`") })
}
