//! Mutexes that are words: their addresses, and the gates that have one.
//!
//! The kernel writes to a word whatever it decides about the mutex. So what it is told must be a
//! word of the mutex' own component, where that may write itself, and each mutex has its own. Which
//! mutexes have one the description says, and where it is the linked program.

use super::Subject;
use super::finding::Findings;
use super::names::Gate;
use super::ranges::PAGE;
use crate::roles::GateRole;
use fusee_image_format::StackEntry;
use fusee_model::{LockKind, Locking, System};
use object::{Object, ObjectSymbol};
use std::collections::BTreeSet;

/// Bytes that a word has for itself.
const BYTES: u64 = 8;

/// Every mutex with what stands in place of its stack.
fn mutexes<'a>(subject: &'a Subject<'_>) -> impl Iterator<Item = (&'a Gate, &'a StackEntry)> {
    let (tables, names) = (subject.tables, subject.names);
    let mut stacks = tables.gate_stacks.iter();
    tables.gates.iter().zip(&names.gates).filter_map(move |(gate, name)| {
        let own = stacks.by_ref().take(usize::from(gate.config.stacks)).last();
        matches!(name.role, GateRole::Mutex | GateRole::Thread).then_some(())?;
        Some((name, own?))
    })
}

/// Every word lies in memory that its component may write, and where it is named.
pub(crate) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let mut places = BTreeSet::new();
    for (gate, entry) in mutexes(subject) {
        let name = &gate.name;
        let StackEntry { stack_pointer, thread_pointer: address, message: physical } = *entry;
        if stack_pointer != 0 || address != gate.word.unwrap_or(0) {
            findings.differs(format!("the word of mutex `{name}` is not at {address:#x}"));
        }
        let Some(_) = gate.word else {
            if physical != 0 {
                findings.unsound(format!(
                    "the kernel writes to {physical:#x} for mutex `{name}`, which has no word"
                ));
            }
            continue;
        };
        let component = subject.names.components.get(gate.component as usize);
        let pages = component.and_then(|component| subject.pages.get(component.domain));
        let page = pages.and_then(|pages| {
            pages.iter().find(|page| page.address == address & !(PAGE - 1) && page.rights.write)
        });
        let right = page.is_some_and(|page| page.physical + address % PAGE == physical);
        if !right || !physical.is_multiple_of(BYTES) {
            findings.unsound(format!(
                "the word of mutex `{name}` is at {address:#x}, the kernel is told to write to \
                 {physical:#x}"
            ));
        }
        if !places.insert(physical) {
            findings.unsound(format!("the word at {physical:#x} is that of two mutexes"));
        }
    }
}

/// The mutexes that have words are those of which the description says it.
pub(crate) fn describe(subject: &Subject<'_>, system: &System, findings: &mut Findings) {
    for (gate, _) in mutexes(subject) {
        let Some(component) = system.components.get(gate.component as usize) else { continue };
        let mutex = component.code.locks.iter().find(|lock| {
            lock.kind == LockKind::Mutex && gate.name == format!("{}.{}", component.name, lock.name)
        });
        let optimistic = mutex.is_some_and(|lock| lock.locking.value == Locking::Optimistic);
        if optimistic != gate.word.is_some() {
            let (name, has) = (&gate.name, if optimistic { "no" } else { "a" });
            findings.differs(format!(
                "mutex `{name}` has {has} word in the image, and not by the description"
            ));
        }
    }
}

/// The linked program of a domain has its mutexes' words where they are named.
pub(crate) fn compare(
    subject: &Subject<'_>,
    domain: usize,
    program: &[u8],
    findings: &mut Findings,
) {
    let Ok(file) = object::File::parse(program) else { return };
    let symbols: BTreeSet<(u64, String)> = file
        .symbols()
        .filter_map(|symbol| {
            Some((symbol.address(), symbol.name().ok()?.strip_prefix("__fusee_word_")?.to_owned()))
        })
        .collect();
    for (gate, _) in mutexes(subject) {
        let here = subject.names.components.get(gate.component as usize);
        let Some(word) = gate.word.filter(|_| here.is_some_and(|here| here.domain == domain))
        else {
            continue;
        };
        let (component, mutex) = gate.name.rsplit_once('.').unwrap_or(("", &gate.name));
        let symbol = format!("{}_{mutex}", component.replace('.', "__"));
        if !symbols.contains(&(word, symbol)) {
            let name = &gate.name;
            findings.differs(format!("the program of mutex `{name}` has its word elsewhere"));
        }
    }
}
