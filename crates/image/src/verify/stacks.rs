//! Every thread and every gate has its stacks, where the kernel looks for them.

use super::Subject;
use super::finding::Findings;
use super::names::Stack;
use super::ranges::PAGE;
use crate::roles::GateRole;
use fusee_image_format::StackEntry;
use fusee_kernel::GateKind;

/// Words of a message.
const MESSAGE_WORDS: u64 = 120;

/// A stack with its user.
struct Used<'a> {
    domain: usize,
    entry: &'a StackEntry,
    named: Option<Stack>,
    owner: String,
}

/// Returns the stacks of a domain as (lowest address, bytes): what is mapped around each stack
/// pointer must be these.
pub(crate) fn all(subject: &Subject<'_>, domain: usize) -> Vec<(u64, u64)> {
    let here = used(subject).into_iter().filter(|used| used.domain == domain);
    here.filter_map(|used| used.named.map(|named| (named.address, named.bytes))).collect()
}

/// Returns the place of the thread-local data of each stack of a domain.
pub(crate) fn thread_pointers(subject: &Subject<'_>, domain: usize) -> Vec<u64> {
    used(subject)
        .into_iter()
        .filter(|used| used.domain == domain)
        .map(|used| used.entry.thread_pointer)
        .collect()
}

/// Returns the stacks of all cores and, behind them, those of activations of gates between cores
/// below these. Those of such gates themselves are the first core's.
fn used<'a>(subject: &'a Subject<'_>) -> Vec<Used<'a>> {
    let names = subject.names;
    let domain = |component: usize| {
        names.components.get(component).map_or(usize::MAX, |component| component.domain)
    };
    let mut all = Vec::new();
    // The stacks of a gate are named core by core.
    let mut positions = vec![0; names.gates.len()];
    let mut next = |gate: usize| {
        let position = positions.get_mut(gate)?;
        *position += 1;
        names.gates[gate].stacks.get(*position - 1).copied()
    };
    for (number, core) in subject.cores.iter().enumerate() {
        let tables = &core.raw;
        let homes = tables.threads.iter().zip(&core.names.threads).zip(&tables.home_stacks);
        for ((thread, name), entry) in homes {
            let domain = domain(thread.config.component.at());
            let owner = format!("thread `{}`", name.name);
            all.push(Used { domain, entry, named: Some(name.stack), owner });
        }
        let mut stacks = tables.gate_stacks.iter();
        for (index, (gate, name)) in tables.gates.iter().zip(&names.gates).enumerate() {
            for _ in 0..usize::from(gate.config.stacks) {
                let Some(entry) = stacks.next() else { break };
                let elsewhere = number > 0 && name.role == GateRole::Between;
                if gate.config.kind == GateKind::Interface && gate.entry != 0 && !elsewhere {
                    let domain = domain(gate.config.component.at());
                    let owner = format!("gate `{}`", name.name);
                    all.push(Used { domain, entry, named: next(index), owner });
                }
            }
        }
    }
    let below = subject.cores.first().and_then(|core| core.between.as_ref());
    for entry in below.into_iter().flat_map(|between| &between.below) {
        let Some(gate) = names.gates.get(entry.gate.at()) else { continue };
        let owner = format!("an activation in `{}`", gate.name);
        let domain = domain(gate.component as usize);
        all.push(Used { domain, entry: &entry.stack, named: next(entry.gate.at()), owner });
    }
    all
}

/// Each stack holds what it must, and lies where its message area is said to be.
pub(crate) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    for core in subject.cores {
        check_entries(&subject.of(&core.raw, &core.names), findings);
    }
    super::cores::check_stacks(subject, findings);
    let message = MESSAGE_WORDS * subject.tables.header.platform.word_bytes();
    let used = used(subject);
    for one in &used {
        let owner = &one.owner;
        let Some(named) = one.named else {
            findings.differs(format!("a stack of {owner} is not named in the image"));
            continue;
        };
        let StackEntry { stack_pointer: top, thread_pointer, message: physical } = *one.entry;
        if top.checked_add(message) != Some(thread_pointer) || !top.is_multiple_of(16) {
            findings.unsound(format!(
                "the stack of {owner} at {top:#x} and its message area up to {thread_pointer:#x} \
                 do not fit together"
            ));
            continue;
        }
        let room = top.saturating_sub(named.address);
        if room < named.needed || thread_pointer > named.address.saturating_add(named.bytes) {
            let needed = named.needed;
            findings.unsound(format!(
                "{owner} has {room} bytes of stack below {top:#x}, and needs {needed}"
            ));
        }
        let pages = subject.pages.get(one.domain).map_or(&[][..], Vec::as_slice);
        let (first, last) = (behind(pages, top), behind(pages, thread_pointer - 1));
        if first != Some(physical) || last != physical.checked_add(message - 1) {
            findings.unsound(format!(
                "the message area of {owner} is at {top:#x}, the kernel is told to copy to \
                 {physical:#x}"
            ));
        }
    }
    let mut tops: Vec<u64> = used.iter().map(|used| used.entry.stack_pointer).collect();
    tops.sort_unstable();
    if let Some(pair) = tops.windows(2).find(|pair| pair[0] == pair[1]) {
        findings.unsound(format!("the stack at {:#x} is used twice", pair[0]));
    }
}

/// Every entry point is executable, and the one that is named; what is never entered has none.
fn check_entries(subject: &Subject<'_>, findings: &mut Findings) {
    let (tables, names) = (subject.tables, subject.names);
    let mut check = |owner: String, component: usize, found: u64, named: u64| {
        if found != named {
            findings
                .differs(format!("{owner} is entered at {found:#x}, it is named at {named:#x}"));
        }
        let domain =
            names.components.get(component).map_or(usize::MAX, |component| component.domain);
        let pages = subject.pages.get(domain).map_or(&[][..], Vec::as_slice);
        let page = pages.binary_search_by_key(&(found & !(PAGE - 1)), |page| page.address);
        if !page.is_ok_and(|position| pages[position].rights.execute) || !found.is_multiple_of(2) {
            findings
                .unsound(format!("{owner} is entered at {found:#x}, where no code of its own is"));
        }
    };
    for (thread, name) in tables.threads.iter().zip(&names.threads) {
        check(
            format!("thread `{}`", name.name),
            thread.config.component.at(),
            thread.entry,
            name.entry,
        );
    }
    let mut stacks = tables.gate_stacks.iter();
    for (gate, name) in tables.gates.iter().zip(&names.gates) {
        let own: Vec<_> = stacks.by_ref().take(usize::from(gate.config.stacks)).collect();
        // What one of several cores never enters, another may.
        let named = if subject.cores.len() > 1 && own.is_empty() { 0 } else { name.entry };
        if gate.config.kind == GateKind::Interface && (gate.entry != 0 || named != 0) {
            check(format!("gate `{}`", name.name), gate.config.component.at(), gate.entry, named);
        } else if gate.entry != 0 || own.iter().any(|stack| !is_none(gate.config.kind, stack)) {
            let name = &name.name;
            check(
                format!("gate `{name}`, which nobody enters,"),
                gate.config.component.at(),
                gate.entry,
                0,
            );
        }
    }
}

/// Returns `true` if an entry is no stack; where a mutex' word is, is looked at with it.
fn is_none(kind: GateKind, stack: &StackEntry) -> bool {
    match kind {
        GateKind::Mutex => stack.stack_pointer == 0,
        GateKind::Interface => *stack == StackEntry::default(),
    }
}

/// Returns the physical address behind a virtual one.
fn behind(pages: &[super::page::Page], address: u64) -> Option<u64> {
    let position =
        pages.binary_search_by_key(&(address & !(PAGE - 1)), |page| page.address).ok()?;
    Some(pages[position].physical + address % PAGE)
}
