//! Chains that a description names, with the way between their steps.
//!
//! `"sensor.tick -> actuator.apply within 20 ms"`:
//! A step names an instance or one of its interfaces. Steps that are linked directly are
//! neighbors; else the way between them is looked for over other tasks, and there must
//! be exactly one: which of several is meant, nobody but the description can say. Data
//! of a passive component is a link only where the component is named between two tasks.

use super::chain_text::{self, Text};
use super::codes;
use super::context::Context;
use super::read::{self, Attributes};
use super::report::Report;
use super::value::Located;
use fusee_diagnostics::Diagnostic;
use fusee_model::{
    Chain, ChainLink, ChainStage, ComponentId, Duration, Interface, InterfaceKind, Sourced, System,
    TaskId,
};
use std::cell::Cell;

/// Reads `system.chains`.
pub(super) fn read(
    context: &Context<'_, '_>,
    attributes: &Attributes<'_, '_>,
    system: &System,
    report: &mut Report,
) -> Vec<Chain> {
    if attributes.get("chains").is_none() {
        return Vec::new();
    }
    let Some((texts, _)) = attributes.texts("chains", report) else { return Vec::new() };
    if report.has_errors() {
        return Vec::new();
    }
    texts
        .into_iter()
        .filter_map(|(text, place)| chain(context, system, (text, place), report))
        .collect()
}

fn chain(
    context: &Context<'_, '_>,
    system: &System,
    (text, place): (&str, &Located),
    report: &mut Report,
) -> Option<Chain> {
    let said = |report: &mut Report, problem: Diagnostic| report.push(problem.at(place.span, ""));
    let parsed = match chain_text::parse(text) {
        Ok(parsed) => parsed,
        Err(problem) => {
            let error = Diagnostic::error(codes::CHAIN, format!("this is no chain: {problem}"));
            said(
                report,
                error.with_note("for example \"sensor.tick -> actuator.apply within 20 ms\""),
            );
            return None;
        }
    };
    let mut steps = Vec::with_capacity(parsed.steps.len());
    for name in &parsed.steps {
        match step(context, system, name) {
            Ok(step) => steps.push(step),
            Err(problem) => {
                let error = Diagnostic::error(codes::CHAIN_STEP, problem).at(place.span, "");
                let names = system.components.iter().map(|component| component.name.as_str());
                let instance = name.split('.').next().unwrap_or(name);
                let similar =
                    fusee_diagnostics::closest(instance, names.filter(|known| *known != instance));
                let known = system.components.iter().any(|component| component.name == instance);
                report.push(match similar.filter(|_| !known) {
                    Some(other) => {
                        let mended = format!("\"{}\"", text.replacen(instance, other, 1));
                        error.with_fix(format!("did you mean `{other}`?"), place.span, mended)
                    }
                    None => error,
                });
                return None;
            }
        }
    }
    let stages = match Search::of(system, &steps).stages() {
        Ok(stages) => stages,
        Err((code, problem, note)) => {
            said(report, Diagnostic::error(code, problem).with_note(note));
            return None;
        }
    };
    let origin = report.origin(place.span);
    let Text { within, age, .. } = &parsed;
    let within = time(context, within.as_deref(), ("within", place), report)?;
    let age = time(context, age.as_deref(), ("age", place), report)?;
    let sourced = |value: Duration| Sourced { value, origin };
    Some(Chain {
        name: parsed.steps.join(" -> "),
        stages,
        within: within.map(sourced),
        age: age.map(sourced),
        origin,
    })
}

/// Returns a time of a chain; `None` after a message.
fn time(
    context: &Context<'_, '_>,
    text: Option<&str>,
    (name, place): (&str, &Located),
    report: &mut Report,
) -> Option<Option<Duration>> {
    let Some(text) = text else { return Some(None) };
    match read::parse_duration(text, context.tick) {
        Ok(Duration::ZERO) => {
            report.push(
                Diagnostic::error(codes::ZERO_TIME, format!("`{name}` cannot be zero"))
                    .at(place.span, ""),
            );
            None
        }
        Ok(time) => Some(Some(time)),
        Err(error) => {
            let message = format!("`{name}` of the chain: {error}");
            report.push(Diagnostic::error(codes::NO_DURATION, message).at(place.span, ""));
            None
        }
    }
}

/// The interface that a step names.
struct Step<'s> {
    name: String,
    component: ComponentId,
    interface: Option<&'s Interface>,
    /// The task of the component, if it has one.
    task: Option<TaskId>,
}

fn step<'s>(context: &Context<'_, '_>, system: &'s System, name: &str) -> Result<Step<'s>, String> {
    let instance = |path: &str| context.objects.components[context.flat.instance(path)?];
    let (component, interface) = match (instance(name), name.rsplit_once('.')) {
        (Some(component), _) => (component, None),
        (None, Some((owner, interface))) => {
            let component =
                instance(owner).ok_or_else(|| format!("there is no instance `{owner}`"))?;
            let found = system.component(component).interface(interface);
            let found = found.ok_or_else(|| format!("`{owner}` has no interface `{interface}`"))?;
            (component, Some(found))
        }
        (None, None) => return Err(format!("there is no instance `{name}`")),
    };
    let task = system.task_ids().find(|(_, task)| task.component == component).map(|(id, _)| id);
    if let Some(task) = task.filter(|&task| system.task(task).release.is_none()) {
        let name = &system.task(task).name;
        return Err(format!(
            "`{name}` runs once: it has neither a `period` nor an event that releases it"
        ));
    }
    Ok(Step { name: name.to_owned(), component, interface, task })
}

/// The reason for which a chain has no stages: a code, a sentence and a note.
type Problem = (fusee_diagnostics::Code, String, String);

/// A way from one task to another: the tasks behind the first, with their links.
type Way = Vec<ChainStage>;

/// Ways that are told apart in a message.
const MOST_WAYS: usize = 4;

/// Looks for the way that a chain means.
struct Search<'s> {
    system: &'s System,
    steps: &'s [Step<'s>],
    /// Places on detours that are still looked at.
    left: Cell<u32>,
}

/// Places on detours that are looked at for one chain.
const MOST_PLACES: u32 = 10_000;

impl<'s> Search<'s> {
    fn of(system: &'s System, steps: &'s [Step<'s>]) -> Self {
        Self { system, steps, left: Cell::new(MOST_PLACES) }
    }

    fn stages(&self) -> Result<Vec<ChainStage>, Problem> {
        let mut ways: Vec<Way> = vec![];
        let mut first = true;
        let mut passive: Option<&Step<'_>> = None;
        for (at, step) in self.steps.iter().enumerate() {
            let (start, end) = (at == 0, at + 1 == self.steps.len());
            if step.task.is_none() && !start && !end {
                if let Some(other) = passive {
                    return Err(self.not_neighbours(other, step));
                }
                passive = Some(step);
                continue;
            }
            let candidates = self.candidates(step, (start, end))?;
            if first {
                let stage = |&task: &TaskId| vec![ChainStage { task, link: ChainLink::Start }];
                ways = candidates.iter().map(stage).collect();
                first = false;
            } else {
                ways = self.longer(&ways, passive.take(), (step, &candidates))?;
            }
        }
        self.only(ways)
    }

    fn not_neighbours(&self, one: &Step<'_>, other: &Step<'_>) -> Problem {
        let problem = format!("`{}` and `{}` have no task between them", one.name, other.name);
        (
            codes::CHAIN_WAY,
            problem,
            "components without `control` do nothing by themselves: name who invokes them".into(),
        )
    }

    /// Returns the tasks that a step can mean. At the ends of a chain a device or a passive
    /// component stands for its users.
    fn candidates(
        &self,
        step: &Step<'_>,
        (start, end): (bool, bool),
    ) -> Result<Vec<TaskId>, Problem> {
        if let Some(task) = step.task {
            return Ok(vec![task]);
        }
        let system = self.system;
        let hardware = system.component(step.component).hardware;
        let memory: Vec<_> = system.memory_of(step.component).map(|(id, _)| id).collect();
        let uses = |task: TaskId| {
            let components = system.components_of(task);
            let maps = |&component: &ComponentId| {
                system.memory_of(component).any(|(id, _)| memory.contains(&id))
            };
            components.contains(&step.component) || hardware && components.iter().any(maps)
        };
        let released = |task: TaskId| {
            start
                && hardware
                && system.task(task).release_event().is_some_and(|id| self.signals(step, id))
        };
        let timed = system.task_ids().filter(|(_, task)| task.release.is_some()).map(|(id, _)| id);
        let timed: Vec<TaskId> = timed.collect();
        let pick = |test: &dyn Fn(TaskId) -> bool| {
            timed.iter().copied().filter(|&task| test(task)).collect()
        };
        let by_event: Vec<TaskId> = pick(&released);
        let found = if by_event.is_empty() { pick(&uses) } else { by_event };
        if found.is_empty() {
            let problem = format!("no task with a `period` or an event comes to `{}`", step.name);
            let place = if start {
                "begins"
            } else if end {
                "ends"
            } else {
                "passes"
            };
            return Err((
                codes::CHAIN_WAY,
                problem,
                format!("a chain {place} where a task executes"),
            ));
        }
        Ok(found)
    }

    /// Returns `true` if a device signals a notification, through the interface that is named if
    /// one is.
    fn signals(&self, step: &Step<'_>, event: fusee_model::NotificationId) -> bool {
        let system = self.system;
        let named =
            |interface: &Interface| step.interface.is_none_or(|one| one.name == interface.name);
        let component = system.component(step.component);
        let mine = component.interfaces.iter().filter(|interface| named(interface));
        let connections = mine.flat_map(|interface| &interface.connections);
        connections.flat_map(|id| &system.connections[id.index()].to).any(|end| {
            let interface = system.component(end.component).interfaces.get(end.interface);
            interface
                .is_some_and(|interface| interface.kind == InterfaceKind::Consumes(Some(event)))
        })
    }

    /// Each way with all that lead on from it to one of the tasks.
    fn longer(
        &self,
        ways: &[Way],
        passive: Option<&Step<'_>>,
        (step, candidates): (&Step<'_>, &[TaskId]),
    ) -> Result<Vec<Way>, Problem> {
        let mut found: Vec<Way> = Vec::new();
        for way in ways {
            let Some(last) = way.last() else { continue };
            for &to in candidates.iter().filter(|&&to| way.iter().all(|stage| stage.task != to)) {
                for link in self.direct(last.task, passive, to) {
                    found.push([way.as_slice(), &[ChainStage { task: to, link }]].concat());
                }
            }
        }
        if found.is_empty() && passive.is_none() {
            for way in ways {
                self.detours(way.clone(), candidates, &mut found);
            }
            if self.left.get() == 0 && found.len() <= MOST_WAYS {
                let problem = format!(
                    "there are too many ways on which an effect could come to `{}`",
                    step.name
                );
                return Err((codes::CHAIN_AMBIGUOUS, problem, "name the tasks between".into()));
            }
        }
        if found.is_empty() {
            return Err(self.no_way(ways, passive, step));
        }
        Ok(found)
    }

    fn direct(&self, from: TaskId, passive: Option<&Step<'_>>, to: TaskId) -> Vec<ChainLink> {
        let Some(passive) = passive else { return self.system.links(from, to) };
        let component = passive.component;
        let both =
            [from, to].iter().all(|&task| self.system.components_of(task).contains(&component));
        if both { vec![ChainLink::Component(component)] } else { Vec::new() }
    }

    /// Ways over tasks that the chain does not name.
    fn detours(&self, way: Way, candidates: &[TaskId], found: &mut Vec<Way>) {
        let named = |task: TaskId| self.steps.iter().any(|step| step.task == Some(task));
        let Some(last) = way.last().map(|stage| stage.task) else { return };
        let Some(left) = self.left.get().checked_sub(1) else { return };
        self.left.set(left);
        for (next, task) in self.system.task_ids() {
            let taken = way.iter().any(|stage| stage.task == next);
            let reached = candidates.contains(&next);
            if found.len() > MOST_WAYS || taken || task.release.is_none() || named(next) && !reached
            {
                continue;
            }
            for link in self.system.links(last, next) {
                let longer = [way.as_slice(), &[ChainStage { task: next, link }]].concat();
                if reached {
                    found.push(longer);
                } else {
                    self.detours(longer, candidates, found);
                }
            }
        }
    }

    fn no_way(&self, ways: &[Way], passive: Option<&Step<'_>>, step: &Step<'_>) -> Problem {
        let last = ways
            .iter()
            .filter_map(|way| way.last())
            .map(|stage| self.system.task(stage.task).name.as_str());
        let from = last.max().unwrap_or("?");
        if let Some(passive) = passive {
            let problem =
                format!("`{from}` and `{}` do not both invoke `{}`", step.name, passive.name);
            return (codes::CHAIN_WAY, problem, "name the tasks that do".into());
        }
        let note = "tasks are linked by an event that one emits (`calls` says so) and that \
                    releases the other, or by a dataport; data of a passive component is a link \
                    where the component is named between two tasks";
        (codes::CHAIN_WAY, format!("nothing leads from `{from}` to `{}`", step.name), note.into())
    }

    /// Returns the one way that uses all interfaces that are named.
    fn only(&self, ways: Vec<Way>) -> Result<Vec<ChainStage>, Problem> {
        let (fitting, others): (Vec<Way>, Vec<Way>) =
            ways.into_iter().partition(|way| self.fits(way));
        match fitting.as_slice() {
            [way] => Ok(way.clone()),
            [] => {
                let way = others.first().map(|way| self.shown(way)).unwrap_or_default();
                let problem =
                    "the chain names an interface through which it does not go".to_owned();
                Err((codes::CHAIN_WAY, problem, format!("it goes {way}")))
            }
            several => {
                let shown: Vec<String> =
                    several.iter().take(MOST_WAYS).map(|way| self.shown(way)).collect();
                let problem = format!("the chain can go several ways: {}", shown.join("; "));
                let note = "name the tasks between, or the interfaces through which it goes";
                Err((codes::CHAIN_AMBIGUOUS, problem, note.into()))
            }
        }
    }

    /// Returns a way in words.
    fn shown(&self, way: &Way) -> String {
        let mut text = String::new();
        for stage in way {
            text += &match stage.link {
                ChainLink::Start => String::new(),
                ChainLink::Event(id) => {
                    format!(" -({})-> ", self.system.notifications[id.index()].name)
                }
                ChainLink::Memory(id) => {
                    format!(" -({})-> ", self.system.dataports[id.index()].name)
                }
                ChainLink::Component(id) => format!(" -({})-> ", self.system.component(id).name),
            };
            text += &format!("`{}`", self.system.task(stage.task).name);
        }
        text
    }

    /// Returns `true` if a way goes through the interfaces that its steps name. What an end of the
    /// chain names may be its source or its sink, unless it is a link of another way.
    fn fits(&self, way: &Way) -> bool {
        self.steps.iter().enumerate().all(|(at, step)| {
            let (Some(interface), Some(task)) = (step.interface, step.task) else { return true };
            let Some(place) = way.iter().position(|stage| stage.task == task) else { return true };
            let around = [Some(way[place].link), way.get(place + 1).map(|stage| stage.link)];
            let used = around.into_iter().flatten().any(|link| self.is_link(interface, link));
            let end = at == 0 || at + 1 == self.steps.len();
            used || end && !self.could_link(interface, (at, task))
        })
    }

    /// Returns `true` if the interface at an end of the chain is one through which an effect may
    /// come from or go to the next step.
    fn could_link(&self, interface: &Interface, (at, task): (usize, TaskId)) -> bool {
        let neighbour = if at == 0 { self.steps.get(1) } else { self.steps.get(at - 1) };
        let Some(other) = neighbour.and_then(|step| step.task) else { return false };
        let links =
            if at == 0 { self.system.links(task, other) } else { self.system.links(other, task) };
        links.into_iter().any(|link| self.is_link(interface, link))
    }

    fn is_link(&self, interface: &Interface, link: ChainLink) -> bool {
        let system = self.system;
        match (interface.kind, link) {
            (InterfaceKind::Consumes(Some(mine)), ChainLink::Event(id)) => mine == id,
            (InterfaceKind::Emits(_), ChainLink::Event(id)) => {
                let ends =
                    interface.connections.iter().flat_map(|c| &system.connections[c.index()].to);
                let mut kinds = ends.filter_map(|end| {
                    Some(system.component(end.component).interfaces.get(end.interface)?.kind)
                });
                kinds.any(|kind| kind == InterfaceKind::Consumes(Some(id)))
            }
            (InterfaceKind::Dataport(Some(mine)), ChainLink::Memory(id)) => mine == id,
            (InterfaceKind::Uses(Some(gate)), ChainLink::Component(id)) => {
                system.gate(gate).component == id
            }
            _ => false,
        }
    }
}
