//! What a restart writes: the variables as they were, and nothing else.

use super::Subject;
use super::finding::Findings;
use super::ranges::{PAGE, meet};
use fusee_image_format::CopyRange;
use fusee_kernel::OnFault;
use std::collections::BTreeSet;

/// Checks the ranges of every component.
pub(crate) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    for (component, name) in subject.tables.components.iter().zip(&subject.names.components) {
        let name = &name.name;
        if component.on_fault != OnFault::Restart {
            if !component.copies.is_empty() {
                findings.unsound(format!("`{name}` is never restarted, and yet a restart of it would write memory"));
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
    let lost = bytes == 0 || !(to | from | bytes).is_multiple_of(8) || bytes > limit.ram_end - limit.ram;
    let (Some(target), false) = (file.bytes(to, bytes), lost) else {
        return findings.unsound(format!("a restart of `{name}` writes {bytes} bytes at {to:#x}, where nothing is"));
    };
    let source = if from == 0 { Some(vec![0; target.len()]) } else { file.bytes(from, bytes) };
    if source.as_ref() != Some(&target) {
        findings.unsound(format!("a restart of `{name}` does not put back what is at {to:#x} at first"));
    }
    let tables = subject.table_pages.iter().map(|&table| (table, table.saturating_add(PAGE)));
    let open = subject.protection.ranges().iter().map(|range| (range.0, range.1));
    let mut changing = open.chain(tables);
    if from != 0 && changing.any(|range| meet(range, (from, from.saturating_add(bytes)))) {
        findings.unsound(format!("a restart of `{name}` copies from {from:#x}, which does not stay as it is"));
    }
}

/// Whether the ranges of a domain's restarted component are exactly its variables, and within its stacks.
fn covered(subject: &Subject<'_>, index: usize, name: &str, findings: &mut Findings) {
    let components = subject.tables.components.iter().zip(&subject.names.components);
    let mut restarted = components.filter(|(component, named)| {
        named.domain == index && component.on_fault == OnFault::Restart && component.address_space != 0
    });
    let Some((component, _)) = restarted.next() else { return };
    let mut left: BTreeSet<u64> = BTreeSet::new();
    let mut stacks: BTreeSet<u64> = BTreeSet::new();
    let domain = &subject.names.domains[index];
    let segments = domain.segments.iter().filter(|segment| segment.rights.contains('w'));
    let variables: Vec<(u64, u64)> = segments.map(|s| (s.address, s.address.saturating_add(s.bytes))).collect();
    let windows: Vec<(u64, u64)> =
        domain.windows.iter().map(|w| (w.address, w.address.saturating_add(w.bytes))).collect();
    let within = |ranges: &[(u64, u64)], address: u64| ranges.iter().any(|range| (range.0..range.1).contains(&address));
    for page in subject.pages[index].iter().filter(|page| page.rights.write) {
        if within(&variables, page.address) {
            left.insert(page.physical);
        } else if !within(&windows, page.address) {
            stacks.insert(page.physical);
        }
    }
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for range in &component.copies {
        let end = range.to.saturating_add(range.bytes);
        if end - range.to > PAGE * 1024 {
            return findings.unsound(format!("a restart of domain `{name}` writes more than 4 MiB at once"));
        }
        for page in (range.to / PAGE * PAGE..end).step_by(PAGE as usize) {
            if !left.contains(&page) && !stacks.contains(&page) {
                findings.unsound(format!("a restart of domain `{name}` writes {page:#x}, which is not its own"));
            }
        }
        ranges.push((range.to, end));
    }
    ranges.sort_unstable();
    if let Some(pair) = ranges.windows(2).find(|pair| pair[1].0 < pair[0].1) {
        findings.unsound(format!("a restart of domain `{name}` writes {:#x} twice", pair[1].0));
    }
    check_gaps(subject, name, &left, &ranges, findings);
}

/// Variables begin at a page and have no hole; the rest of their last page is nobody's.
fn check_gaps(
    subject: &Subject<'_>,
    name: &str,
    pages: &BTreeSet<u64>,
    ranges: &[(u64, u64)],
    findings: &mut Findings,
) {
    for &page in pages {
        let inside = |address: u64| ranges.iter().any(|range| (range.0..range.1).contains(&address));
        let whole = (page..page + PAGE).step_by(8).find(|&word| !inside(word));
        let Some(hole) = whole else { continue };
        let last = !pages.contains(&(page + PAGE));
        let after = (hole..page + PAGE).step_by(8).any(inside);
        let zero = subject.file.bytes(hole, page + PAGE - hole).is_some_and(|bytes| bytes.iter().all(|&b| b == 0));
        if !last || after || !zero {
            findings.unsound(format!("a restart of domain `{name}` leaves out its variables at {hole:#x}"));
        }
    }
}
