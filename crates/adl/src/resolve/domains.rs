//! Domains of seL4's, and the windows in which they run.
//!
//! A thread in a domain runs in the windows of its domain only. Nothing here divides time so but a
//! scheduler's component. So domains are refused, with that as the way out, unless all threads are
//! in one domain that no window is kept from: then nothing is divided.

use super::codes;
use super::context::Context;
use super::report::Report;
use super::value::{self, Datum};
use crate::tree::{AssemblyMember, InterfaceKind as Kind, Item, Schedule, TimeUnit, Tree};
use fusee_diagnostics::{Diagnostic, Span};
use fusee_model::Duration;
use std::collections::{BTreeMap, BTreeSet};

/// The highest number of a domain.
const LAST: u32 = 255;

/// Places that one message shows.
const SHOWN: usize = 6;

/// A thread's domain, and where it is set.
struct Set {
    domain: u32,
    /// The thread: an instance, or one of its interfaces.
    thread: String,
    /// The instance, for a control thread.
    control: Option<usize>,
    name_span: Span,
}

/// Refuses domains that divide time.
pub(super) fn check(tree: &Tree, context: &Context<'_, '_>, report: &mut Report) {
    let (set, domains) = threads(context, report);
    let schedules: Vec<(&Schedule, Vec<Window>)> =
        schedules(tree).map(|schedule| (schedule, windows(schedule, report))).collect();
    let run: BTreeSet<u32> = schedules
        .iter()
        .flat_map(|(_, windows)| windows)
        .filter(|window| window.length > 0)
        .map(|window| window.domain)
        .collect();
    let is_one = domains.len() <= 1;
    // Without a schedule of its own a system gets seL4's, which knows domain 0.
    let run = if schedules.is_empty() { BTreeSet::from([0]) } else { run };
    if is_one && domains.iter().chain(&run).collect::<BTreeSet<_>>().len() <= 1 {
        for (schedule, _) in &schedules {
            let message = "the schedule divides nothing: all threads are in its one domain";
            report.push(Diagnostic::note(codes::NO_EFFECT, message).at(schedule.span, ""));
        }
        return;
    }
    refuse(context, &set, &schedules, report);
}

/// Returns the settings of domains, and the domains of all threads: 0 without a setting.
fn threads(context: &Context<'_, '_>, report: &mut Report) -> (Vec<Set>, BTreeSet<u32>) {
    let (mut set, mut domains) = (Vec::new(), BTreeSet::new());
    for (instance, flat) in context.flat.instances.iter().enumerate() {
        if flat.shape.hardware.is_some() || context.objects.components[instance].is_none() {
            continue;
        }
        let attributes = context.attributes(instance);
        let ports = flat.shape.interfaces.iter();
        let served = ports.filter(|port| matches!(port.kind, Kind::Provides | Kind::Consumes));
        let mut names = vec![("_domain".to_owned(), flat.name.clone(), flat.shape.control)];
        names.extend(served.map(|port| {
            let name = &port.name.text;
            (format!("{name}_domain"), format!("{}.{name}", flat.name), Some(port.span))
        }));
        for (name, thread, runs) in names {
            let given = attributes.integer(&name, (0, LAST), report);
            let Some((given, domain)) = attributes.get(&name).zip(given) else {
                domains.extend(runs.map(|_| 0));
                continue;
            };
            domains.insert(domain.value);
            let control = (name == "_domain").then_some(instance);
            let (domain, name_span) = (domain.value, given.name_span);
            set.push(Set { domain, thread, control, name_span });
        }
    }
    (set, domains)
}

fn schedules(tree: &Tree) -> impl Iterator<Item = &Schedule> {
    let assemblies = tree.items.iter().filter_map(|item| match item {
        Item::Assembly(assembly) => Some(assembly),
        _ => None,
    });
    assemblies.flat_map(|assembly| &assembly.members).filter_map(|member| match member {
        AssemblyMember::Schedule(schedule) => Some(schedule),
        _ => None,
    })
}

/// One entry of a schedule.
struct Window {
    domain: u32,
    length: u64,
    unit: TimeUnit,
}

fn windows(schedule: &Schedule, report: &mut Report) -> Vec<Window> {
    let mut windows = Vec::new();
    for entry in &schedule.entries {
        let (domain, length) =
            (value::evaluate(&entry.domain, report), value::evaluate(&entry.length, report));
        let number = |datum: &Datum| match datum {
            Datum::Integer(n) => u64::try_from(*n).ok(),
            _ => None,
        };
        let known = number(&domain.datum).and_then(|n| u32::try_from(n).ok());
        match (known.filter(|domain| *domain <= LAST), number(&length.datum)) {
            (Some(domain), Some(length)) => {
                windows.push(Window { domain, length, unit: entry.unit })
            }
            _ => {
                let message =
                    format!("a window is a domain from 0 to {LAST}, and how long it runs");
                report.push(Diagnostic::error(codes::WRONG_VALUE, message).at(entry.span, ""));
            }
        }
    }
    windows
}

fn refuse(
    context: &Context<'_, '_>,
    set: &[Set],
    schedules: &[(&Schedule, Vec<Window>)],
    report: &mut Report,
) {
    let message = "threads in domains, which run in windows of their own, are not here";
    let mut error = Diagnostic::error(codes::DOMAINS, message);
    let schedule = schedules.first().map(|(schedule, _)| schedule.span);
    // The message points at threads outside of domain 0 first: they are what must change.
    let (own, rest): (Vec<&Set>, Vec<&Set>) = set.iter().partition(|set| set.domain != 0);
    let mut places =
        own.iter().chain(&rest).map(|set| (set.name_span, format!("domain {}", set.domain)));
    error = match (places.next(), schedule) {
        (Some((span, text)), schedule) => {
            let error = places
                .take(SHOWN)
                .fold(error.at(span, text), |error, (span, text)| error.because(span, text));
            schedule.map_or(error.clone(), |span| error.because(span, "the windows"))
        }
        (None, Some(span)) => error.at(span, "all threads are in domain 0"),
        (None, None) => error,
    };
    if set.len() > SHOWN {
        let names: Vec<String> = set.iter().map(|set| format!("`{}`", set.thread)).collect();
        error = error.with_note(format!("domains are set for {}", names.join(", ")));
    }
    let windows = schedules.first().map_or(&[][..], |(_, windows)| windows);
    report.push(error.with_note(way_out(context, set, windows)));
}

/// Returns a table of the same windows, for the scheduler that comes with Fusee.
fn way_out(context: &Context<'_, '_>, set: &[Set], windows: &[Window]) -> String {
    let intro = "the component `Partitions` (`import <fusee/partitions.camkes>;`) gives threads \
                 windows of time";
    let mut members: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for (instance, flat) in context.flat.instances.iter().enumerate() {
        let domain = set.iter().find(|set| set.control == Some(instance));
        if flat.shape.control.is_some() {
            members.entry(domain.map_or(0, |set| set.domain)).or_default().push(&flat.name);
        }
    }
    let mut gifts = Vec::new();
    let mut every = 0u64;
    for window in windows.iter().filter(|window| window.length > 0) {
        let of_domain = members.get(&window.domain).map_or(&[][..], Vec::as_slice);
        let (&[one], TimeUnit::Microseconds) = (of_domain, window.unit) else {
            gifts.clear();
            break;
        };
        let length = window.length.saturating_mul(1000);
        every = every.saturating_add(length);
        gifts.push((Duration(length).exact(), one));
    }
    let once: BTreeSet<&str> = gifts.iter().map(|(_, thread)| *thread).collect();
    if once.is_empty() || once.len() < gifts.len() {
        return format!(
            "{intro}, and a domain of several threads is a scheduler below it: see the book's \
             chapter \"Schedulers as components\""
        );
    }
    let table: Vec<String> =
        gifts.iter().map(|(time, thread)| format!("\"{time} to {thread}\"")).collect();
    let mut lines = vec![format!("{intro}: `component Partitions windows;`")];
    lines.push(format!("`windows.delegates = [{}];`", table.join(", ")));
    lines.push(format!("`windows.delegates_every = \"{}\";`", Duration(every).exact()));
    lines.extend(once.iter().map(|thread| format!("`{thread}.scheduler = \"windows\";`")));
    lines.join(" ")
}
