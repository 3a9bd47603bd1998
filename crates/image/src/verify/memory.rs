//! Every page that a domain reaches was promised to it, and to no other.

use super::Subject;
use super::finding::Findings;
use super::names::Domain;
use super::page::Page;
use super::ranges::{PAGE, Rights, meet};
use fusee_image_format::CORE_BYTES;
use fusee_image_format::virtual_map::CLOCK_PAGE;
use fusee_platform::{DeviceKind, DeviceWindow};
use std::collections::BTreeMap;

/// The use of a range of a domain's addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Segment,
    Stack,
    Console,
    /// The position in the domain's windows.
    Shared(usize),
    Device(u64),
    /// The kernel's clock, which all may read.
    Clock(u64),
}

/// A range that a domain was promised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Promise {
    start: u64,
    bytes: u64,
    rights: Rights,
    purpose: Use,
}

impl Promise {
    fn end(&self) -> u64 {
        self.start.saturating_add(self.bytes)
    }

    fn text(&self) -> &'static str {
        match self.purpose {
            Use::Segment => "a part of its program",
            Use::Stack => "a stack",
            Use::Console => "a console buffer",
            Use::Shared(_) => "shared memory",
            Use::Device(_) => "a device",
            Use::Clock(_) => "the clock",
        }
    }
}

/// Compares what is mapped with what is promised, domain by domain, then over all of them.
pub(crate) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let mut owners: BTreeMap<u64, (usize, Promise)> = BTreeMap::new();
    for (index, domain) in subject.names.domains.iter().enumerate() {
        let promises = promises(subject, index);
        compare(domain, &promises, &subject.pages[index], findings);
        for promise in &promises {
            own(subject, index, promise, &mut owners, findings);
        }
    }
    check_openings(subject, &owners, findings);
}

fn promises(subject: &Subject<'_>, index: usize) -> Vec<Promise> {
    let domain = &subject.names.domains[index];
    let segment = |segment: &super::names::Segment| Promise {
        start: segment.address,
        bytes: segment.bytes,
        rights: rights(&segment.rights),
        purpose: Use::Segment,
    };
    let mut promises: Vec<Promise> = domain.segments.iter().map(segment).collect();
    promises.extend(super::stacks::all(subject, index).into_iter().map(|(start, bytes)| Promise {
        start,
        bytes,
        rights: Rights { read: true, write: true, execute: false },
        purpose: Use::Stack,
    }));
    for (position, window) in domain.windows.iter().enumerate() {
        let purpose = match (window.device, &window.interface) {
            (Some(physical), _) => Use::Device(physical),
            (None, Some(_)) => Use::Shared(position),
            (None, None) => Use::Console,
        };
        promises.push(Promise {
            start: window.address,
            bytes: window.bytes,
            rights: rights(&window.rights),
            purpose,
        });
    }
    if !promises.is_empty() {
        promises.extend(subject.tables.header.platform.clock_page().map(|physical| Promise {
            start: CLOCK_PAGE,
            bytes: PAGE,
            rights: rights("r"),
            purpose: Use::Clock(physical),
        }));
    }
    promises.sort_by_key(|promise| promise.start);
    promises
}

fn rights(text: &str) -> Rights {
    Rights { read: text.contains('r'), write: text.contains('w'), execute: text.contains('x') }
}

/// The same pages with the same rights, each range in one piece of physical memory, and no two
/// ranges side by side.
fn compare(domain: &Domain, promises: &[Promise], pages: &[Page], findings: &mut Findings) {
    let name = &domain.name;
    for pair in promises.windows(2) {
        // Parts of a program may touch; everything else keeps an unmapped page between itself and
        // its neighbors.
        let gap = if (pair[0].purpose, pair[1].purpose) == (Use::Segment, Use::Segment) {
            0
        } else {
            PAGE
        };
        if pair[1].start < pair[0].end().saturating_add(gap) {
            let (first, second) = (pair[0].text(), pair[1].text());
            findings.unsound(format!(
                "domain `{name}`: {second} at {:#x} has no unmapped page before it, {first} ends \
                 there",
                pair[1].start
            ));
        }
    }
    let mut next = pages.iter().peekable();
    for promise in promises {
        if promise.rights.write && promise.rights.execute {
            findings.unsound(format!("domain `{name}` may write and execute {:#x}", promise.start));
        }
        let mut expected = promise.start;
        while let Some(page) = next.next_if(|page| page.address < promise.end()) {
            if page.address < promise.start {
                surplus(name, page, findings);
                continue;
            }
            missing(name, promise, expected, page.address, findings);
            expected = page.address + PAGE;
            if page.rights != promise.rights {
                let (found, named) = (page.rights.text(), promise.rights.text());
                let what = promise.text();
                findings.differs(format!(
                    "domain `{name}` reaches {:#x} as {found}, it is named as {named}, {what}",
                    page.address
                ));
            }
        }
        missing(name, promise, expected, promise.end(), findings);
    }
    next.for_each(|page| surplus(name, page, findings));
}

fn surplus(name: &str, page: &Page, findings: &mut Findings) {
    let rights = page.rights.text();
    findings.differs(format!(
        "domain `{name}` reaches {:#x} as {rights}, which nothing in the image names",
        page.address
    ));
}

fn missing(name: &str, promise: &Promise, from: u64, to: u64, findings: &mut Findings) {
    if from < to {
        let what = promise.text();
        findings
            .differs(format!("domain `{name}` does not reach {from:#x}, which is named as {what}"));
    }
}

/// Notes whose each physical page is. Only windows on the same shared memory may meet in one.
fn own(
    subject: &Subject<'_>,
    index: usize,
    promise: &Promise,
    owners: &mut BTreeMap<u64, (usize, Promise)>,
    findings: &mut Findings,
) {
    let pages = &subject.pages[index];
    let name = &subject.names.domains[index].name;
    let first = pages.partition_point(|page| page.address < promise.start);
    let Some(start) = pages.get(first).map(|page| page.physical) else { return };
    let platform = subject.tables.header.platform;
    for page in pages[first..].iter().take_while(|page| page.address < promise.end()) {
        let expected = match promise.purpose {
            Use::Device(physical) | Use::Clock(physical) => {
                physical.saturating_add(page.address - promise.start)
            }
            _ => start.saturating_add(page.address - promise.start),
        };
        if page.physical != expected {
            let place = page.address;
            findings.unsound(format!(
                "domain `{name}` finds {:#x} behind {place:#x}, {expected:#x} belongs there",
                page.physical
            ));
        }
        let device = matches!(promise.purpose, Use::Device(_) | Use::Clock(_));
        if device != platform.is_device(page.physical) {
            let what = promise.text();
            findings.unsound(format!("domain `{name}` reaches {:#x} as {what}", page.physical));
        }
        let given = |device: &&DeviceWindow| device.kind != DeviceKind::Withheld;
        if matches!(promise.purpose, Use::Device(_))
            && platform.device_at(page.physical).filter(given).is_none()
        {
            let place = page.physical;
            findings.unsound(format!(
                "domain `{name}` reaches {place:#x} as a device, which no component may have"
            ));
        }
        if device {
            owners.insert(page.physical, (index, *promise));
            continue;
        }
        match owners.get(&page.physical) {
            None => {
                owners.insert(page.physical, (index, *promise));
            }
            Some((other, before)) if may_share(subject, (index, promise), (*other, before)) => {}
            Some((other, _)) => {
                let other = &subject.names.domains[*other].name;
                let place = page.physical;
                findings.unsound(format!(
                    "the page at {place:#x} is reached by domain `{name}` and by `{other}`, and is \
                     no shared memory"
                ));
            }
        }
    }
}

/// Returns `true` if two windows are shared memory and begin at the same place; which memory it is,
/// the description decides.
fn may_share(subject: &Subject<'_>, one: (usize, &Promise), two: (usize, &Promise)) -> bool {
    let place = |(index, promise): (usize, &Promise)| {
        let pages = &subject.pages[index];
        let first = pages.partition_point(|page| page.address < promise.start);
        pages.get(first).map(|page| page.physical)
    };
    let shared = |promise: &Promise| matches!(promise.purpose, Use::Shared(_));
    shared(one.1) && shared(two.1) && place(one) == place(two)
}

/// Checks that memory is open which a domain reaches, and page tables; nothing else, and nothing of
/// the kernel's.
fn check_openings(
    subject: &Subject<'_>,
    owners: &BTreeMap<u64, (usize, Promise)>,
    findings: &mut Findings,
) {
    let map = subject.tables.header.platform.memory_map();
    let kernels = subject.cores.iter().enumerate().flat_map(|(number, core)| {
        let (header, offset) = (&core.raw.header, number as u64 * CORE_BYTES);
        let records = (header.records, header.records.saturating_add(header.records_bytes));
        [(map.ram + offset, (map.blob + offset).saturating_add(core.length)), records]
    });
    let kernels: Vec<(u64, u64)> = kernels.collect();
    for &(start, end, rights) in subject.protection.ranges() {
        if kernels.iter().any(|kernel| meet(*kernel, (start, end))) {
            findings.unsound(format!("memory of the kernel's at {start:#x} to {end:#x} is open"));
        }
        let tables = subject
            .table_pages
            .iter()
            .any(|&table| meet((start, end), (table, table.saturating_add(PAGE))));
        if tables && rights.text() != "r--" {
            let rights = rights.text();
            findings.unsound(format!(
                "page tables at {start:#x} are open as {rights}, walks only read"
            ));
        }
    }
    let Some(open) = subject.protection.pages(map.ram_end - map.ram) else {
        return findings.unsound("a range that is open does not consist of pages");
    };
    if let Some(pair) = open.windows(2).find(|pair| pair[0] == pair[1]) {
        findings.unsound(format!("the page at {:#x} is opened twice", pair[0]));
    }
    for page in &open {
        if !owners.contains_key(page) && subject.table_pages.binary_search(page).is_err() {
            findings.unsound(format!("the page at {page:#x} is open, and no domain reaches it"));
        }
    }
    for (page, (index, _)) in owners {
        if subject.table_pages.binary_search(page).is_ok() {
            let name = &subject.names.domains[*index].name;
            findings.unsound(format!("domain `{name}` reaches the page table at {page:#x}"));
        }
    }
}
