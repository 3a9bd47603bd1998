//! The meaning of the name at a place: of an attribute, a task, a gate.

use std::path::Path;

use fusee_adl::resolve::{ATTRIBUTES, Known, Place};
use fusee_bounds::{Bound, TaskBound};
use fusee_model::derived::Derived;
use fusee_model::{Duration, Gate, System};
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};

use crate::names::{Kind, Setting, Symbol};
use crate::places;
use crate::workspace::Understood;

/// Returns what there is to say about the name at a place.
pub(crate) fn at(understood: &Understood, path: &Path, position: Position) -> Option<Hover> {
    let file = understood.file(path)?;
    let offset = places::offset(understood.text(file), position) as u32;
    let names = &understood.names;
    let occurrence = names.at(file, offset);
    let of_name = occurrence.and_then(|found| of_symbol(understood, &found.symbol));
    let of_setting = || names.setting_at(file, offset).and_then(attribute);
    let value = match occurrence.map(|found| found.symbol.kind) {
        // An attribute begins with the name of its interface.
        Some(Kind::Interface) => of_setting().or(of_name),
        _ => of_name.or_else(of_setting),
    }?;
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: None })
}

fn of_symbol(understood: &Understood, symbol: &Symbol) -> Option<String> {
    let (system, derived) = understood.checked.loaded.system.as_ref()?;
    match symbol.kind {
        Kind::Instance => instance(understood, system, &symbol.name),
        Kind::Interface => {
            let provided = system.gates.iter().enumerate().filter(|(_, gate)| {
                gate.interface == symbol.name
                    && system.component(gate.component).kind == symbol.scope
            });
            let lines: Vec<String> =
                provided.map(|(place, gate)| of_gate(system, derived, (place, gate))).collect();
            (!lines.is_empty()).then(|| lines.join("\n\n"))
        }
        _ => None,
    }
}

/// Says what an instance is, and of its task the bound with its parts.
fn instance(understood: &Understood, system: &System, name: &str) -> Option<String> {
    let is_it = |known: &str| {
        known == name || known.strip_suffix(name).is_some_and(|outer| outer.ends_with('.'))
    };
    let component = system.components.iter().find(|one| is_it(&one.name))?;
    let mut lines = vec![format!("`{}` is a `{}`", component.name, component.kind)];
    let task = system.tasks.iter().find(|task| is_it(&task.name));
    if let Some(task) = task {
        let of = |time: Duration| time.to_string();
        let period = task.release.as_ref().map(|release| of(release.period.value));
        lines.push(format!(
            "priority {}{}{}",
            task.priority.value,
            period.map_or_else(String::new, |period| format!(", period {period}")),
            task.deadline
                .as_ref()
                .map_or_else(String::new, |one| format!(", deadline {}", one.value)),
        ));
    }
    let bounds = understood.analysis.iter().flat_map(|analysis| &analysis.tasks);
    let mut own = bounds.filter(|bound| is_it(&system.task(bound.task).name));
    lines.extend(own.next().and_then(|bound| of_bound(system, bound)));
    Some(lines.join("\n\n"))
}

/// Returns a bound with its parts, and what is left to the deadline.
fn of_bound(system: &System, of: &TaskBound) -> Option<String> {
    let deadline = of.deadline?;
    let Ok(bound) = &of.bound else {
        return Some("**no bound** on the response time".to_owned());
    };
    let verdict = match of.is_schedulable() {
        true => format!("{} before the deadline", Duration(deadline.ns() - bound.response.ns())),
        false => {
            format!("{} **above the deadline**", Duration(bound.response.ns() - deadline.ns()))
        }
    };
    Some(format!(
        "responds within **{}**, {verdict}, without what the kernel costs\n\n{}",
        bound.response,
        parts(system, bound)
    ))
}

/// Returns the parts of a bound, each in a line.
fn parts(system: &System, bound: &Bound) -> String {
    let name = |task| system.task(task).name.as_str();
    let mut lines = vec![format!("- own execution: {}", bound.own)];
    for part in &bound.interference {
        lines.push(format!(
            "- `{}` interferes: {} in {} jobs",
            name(part.task),
            part.time,
            part.jobs
        ));
    }
    for part in &bound.blocking {
        let gate = &system.gate(part.gate).name;
        lines.push(format!("- `{}` blocks in `{gate}`: {}", name(part.task), part.time));
    }
    let more = [
        ("waits for other cores", bound.waiting_time()),
        ("is suspended", bound.suspension_time()),
        ("waits for events", bound.event_time()),
        ("the table withholds", bound.withheld),
        ("release jitter", bound.jitter),
    ];
    let counted = more.iter().filter(|(_, time)| time.ns() > 0);
    lines.extend(counted.map(|(what, time)| format!("- {what}: {time}")));
    lines.join("\n")
}

fn of_gate(system: &System, derived: &Derived, (place, gate): (usize, &Gate)) -> String {
    let protocol = if gate.direct { "a direct call" } else { gate.protocol.value.name() };
    let facts = &derived.gates[place];
    let ceiling = facts.ceiling.map_or_else(String::new, |ceiling| format!(", ceiling {ceiling}"));
    let tasks: Vec<String> =
        facts.tasks.iter().map(|&task| format!("`{}`", system.task(task).name)).collect();
    let reached = match tasks.is_empty() {
        true => "no task reaches it".to_owned(),
        false => format!("reached by {}", tasks.join(", ")),
    };
    format!("gate `{}`: {protocol}{ceiling}; {reached}", gate.name)
}

/// Says what an attribute means that is set.
fn attribute(setting: &Setting) -> Option<String> {
    let places: &[Place] = match setting.component {
        Some(_) => &[Place::Component],
        None => &[Place::System, Place::Connection],
    };
    let whole = places.iter().find_map(|&place| find(place, &setting.name));
    let known = whole.or_else(|| {
        let rests = setting.name.match_indices('_').map(|(at, _)| &setting.name[at + 1..]);
        let of_interface = [
            Place::Interface,
            Place::Provided,
            Place::Method,
            Place::Mutex,
            Place::Semaphore,
            Place::Core,
        ];
        rests
            .flat_map(|rest| of_interface.iter().map(move |&place| (place, rest)))
            .find_map(|(place, rest)| find(place, rest))
    })?;
    Some(described(known))
}

fn find(place: Place, name: &str) -> Option<&'static Known> {
    ATTRIBUTES.iter().find(|known| known.place == place && known.name == name)
}

/// Returns the meaning of an attribute, what it takes, and what holds without it.
pub(crate) fn described(known: &Known) -> String {
    let mut text = format!(
        "`{}`: {}\n\ntakes: {}\n\nwithout it: {}",
        known.name, known.meaning, known.takes, known.default
    );
    if !known.why.is_empty() {
        text.push_str(&format!("\n\n{}", known.why));
    }
    text
}
