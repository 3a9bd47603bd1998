//! The ranges of a restart: the variables as they were, and nothing else.

use super::Subject;
use super::finding::Findings;
use super::ranges::{PAGE, meet};
use fusee_image_format::CopyRange;
use fusee_kernel::OnFault;

/// Checks the ranges of every component.
pub(crate) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    for (component, name) in subject.tables.components.iter().zip(&subject.names.components) {
        let name = &name.name;
        if component.on_fault != OnFault::Restart {
            if !component.copies.is_empty() {
                findings.unsound(format!(
                    "`{name}` is never restarted, and yet a restart of it would write memory"
                ));
            }
            continue;
        }
        component.copies.iter().for_each(|range| check_range(subject, name, range, findings));
    }
    for (index, domain) in subject.names.domains.iter().enumerate() {
        covered(subject, index, &domain.name, findings);
    }
}

fn check_range(subject: &Subject<'_>, name: &str, range: &CopyRange, findings: &mut Findings) {
    let CopyRange { to, from, bytes } = *range;
    let file = subject.file;
    let limit = subject.tables.header.platform.memory_map();
    let lost =
        bytes == 0 || !(to | from | bytes).is_multiple_of(8) || bytes > limit.ram_end - limit.ram;
    let (Some(target), false) = (file.bytes(to, bytes), lost) else {
        return findings.unsound(format!(
            "a restart of `{name}` writes {bytes} bytes at {to:#x}, where nothing is"
        ));
    };
    let source = if from == 0 { Some(vec![0; target.len()]) } else { file.bytes(from, bytes) };
    if source.as_ref() != Some(&target) {
        findings.unsound(format!(
            "a restart of `{name}` does not put back what is at {to:#x} at first"
        ));
    }
    let tables = subject.table_pages.iter().map(|&table| (table, table.saturating_add(PAGE)));
    let open = subject.protection.ranges().iter().map(|range| (range.0, range.1));
    let mut changing = open.chain(tables);
    if from != 0 && changing.any(|range| meet(range, (from, from.saturating_add(bytes)))) {
        findings.unsound(format!(
            "a restart of `{name}` copies from {from:#x}, which does not stay as it is"
        ));
    }
}

/// Checks that the ranges of a domain's restarted component are exactly its variables and
/// thread-local data.
fn covered(subject: &Subject<'_>, index: usize, name: &str, findings: &mut Findings) {
    let components = subject.tables.components.iter().zip(&subject.names.components);
    let mut restarted = components.filter(|(component, named)| {
        named.domain == index
            && component.on_fault == OnFault::Restart
            && component.address_space != 0
    });
    let Some((component, _)) = restarted.next() else { return };
    let found = component
        .copies
        .iter()
        .map(|range| (range.to, range.to.saturating_add(range.bytes)))
        .collect();
    let domain = &subject.names.domains[index];
    let segments = domain.segments.iter().filter(|segment| segment.rights.contains('w'));
    let mut expected: Vec<(u64, u64)> =
        segments.filter_map(|s| place(subject, index, s.address, s.size)).collect();
    for stack in super::stacks::thread_pointers(subject, index) {
        expected.extend(place(subject, index, stack, domain.thread_local));
    }
    match (joined(found), joined(expected)) {
        (None, _) => {
            findings.unsound(format!("a restart of domain `{name}` writes something twice"))
        }
        (found, expected) if found != expected => {
            findings.unsound(format!(
                "a restart of domain `{name}` does not write exactly its variables"
            ));
        }
        _ => {}
    }
}

/// Returns a range of a domain's memory, in physical addresses, its length rounded up to what a
/// restart writes at once.
fn place(subject: &Subject<'_>, index: usize, address: u64, bytes: u64) -> Option<(u64, u64)> {
    let pages = &subject.pages[index];
    let position =
        pages.binary_search_by_key(&(address / PAGE * PAGE), |page| page.address).ok()?;
    let start = pages[position].physical + address % PAGE;
    (bytes > 0).then(|| (start, start.saturating_add(bytes.saturating_add(7) / 8 * 8)))
}

/// Ranges in order, neighbors as one; nothing if two of them overlap.
fn joined(mut ranges: Vec<(u64, u64)>) -> Option<Vec<(u64, u64)>> {
    ranges.sort_unstable();
    let mut joined: Vec<(u64, u64)> = Vec::new();
    for (start, end) in ranges {
        match joined.last_mut() {
            Some(last) if last.1 > start => return None,
            Some(last) if last.1 == start => last.1 = end,
            _ => joined.push((start, end)),
        }
    }
    Some(joined)
}
