//! A random system as a description, so that reading is tried with it.
//!
//! The text says the same as the drawn system, as far as descriptions can: each gate has
//! a procedure type of its own, each body a list of what it does, with its times. What a
//! description leaves to the one who reads it is derived again: direct calls, best-case
//! times. A mutex is held for some time. A task that an event releases has no jitter; every
//! other one waits for it in a loop, as CAmkES programs do, instead of being called.

use fusee_diagnostics::{Diagnostic, Severity};
use fusee_generate::Case;
use fusee_model::{
    Body, ComponentId, Duration, Gate, GateId, NotificationId, Overrun, Protocol, ReleaseKind,
    Step, System, Task,
};
use fusee_pipeline::costs::Costs;
use fusee_pipeline::load::load;
use fusee_pipeline::options::Source;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use tempfile::TempDir;

/// Returns the description of a system, with all times so many times as long.
pub fn description(system: &System, scale: u64) -> String {
    let mut text = String::from("import <std_connector.camkes>;\n\n");
    // Writing to a string cannot fail.
    let _ = Writer { system, scale, uses: uses(system) }.write(&mut text);
    text
}

/// Returns the case as a command reads its description.
///
/// # Errors
/// What is wrong with the description, which nothing should be, or with the file.
pub fn read_again(case: &Case) -> Result<Case, String> {
    let system = read(&case.system.name, &description(&case.system, 1))?;
    Ok(Case { system, costs: case.costs.clone() })
}

/// Returns the system that a description means, as a command reads it: from a file with this name,
/// checked.
///
/// # Errors
/// As [`read_again`].
pub fn read(name: &str, description: &str) -> Result<System, String> {
    let folder = TempDir::new().map_err(|error| format!("no folder for descriptions: {error}"))?;
    let file = folder.path().join(name).with_extension("camkes");
    std::fs::write(&file, description)
        .map_err(|error| format!("cannot write `{}`: {error}", file.display()))?;
    let loaded = load(&Source::of(file), &Costs::nothing());
    let wrong = loaded.diagnostics.iter().find(|one| one.severity == Severity::Error);
    if let Some(Diagnostic { code, message, .. }) = wrong {
        return Err(format!("its description: {}: {message}", code.0));
    }
    let (system, _) = loaded.system.ok_or("its description means no system")?;
    Ok(system)
}

/// Returns the code of the rule that refuses a description, out of what [`read`] says of it; all of
/// that where it names no rule.
pub fn refusing_rule(why: &str) -> &str {
    why.split(": ").find(|word| word.starts_with('F')).unwrap_or(why)
}

/// The calls and signals of each component's bodies, and the events that they wait for or are
/// released by.
#[derive(Default)]
struct Uses {
    gates: BTreeSet<GateId>,
    emits: BTreeSet<NotificationId>,
    consumes: BTreeSet<NotificationId>,
}

fn uses(system: &System) -> BTreeMap<ComponentId, Uses> {
    let mut all: BTreeMap<ComponentId, Uses> = BTreeMap::new();
    let methods =
        system.gates.iter().flat_map(|g| g.methods.iter().map(|m| (g.component, &m.body)));
    for (component, body) in system.tasks.iter().map(|t| (t.component, &t.body)).chain(methods) {
        let uses = all.entry(component).or_default();
        for step in &body.steps {
            match *step {
                Step::Invoke { gate, .. } if system.mutex(gate).is_none() => {
                    uses.gates.insert(gate);
                }
                Step::Emit(event) => {
                    uses.emits.insert(event);
                }
                Step::Wait(event) => {
                    uses.consumes.insert(event);
                }
                _ => {}
            }
        }
    }
    for task in &system.tasks {
        let uses = all.entry(task.component).or_default();
        if let Some(Overrun::Notify(event)) = task.budget.as_ref().map(|budget| budget.overrun) {
            uses.emits.insert(event);
        }
        uses.consumes.extend(task.release_event());
    }
    all
}

struct Writer<'a> {
    system: &'a System,
    scale: u64,
    uses: BTreeMap<ComponentId, Uses>,
}

impl Writer<'_> {
    fn write(&self, text: &mut String) -> std::fmt::Result {
        let gates = || self.system.gate_ids().filter(|(id, _)| self.system.mutex(*id).is_none());
        for (id, gate) in gates() {
            let methods: Vec<String> =
                gate.methods.iter().map(|m| format!("void {}();", m.name)).collect();
            writeln!(text, "procedure P{} {{ {} }};", id.0, methods.join(" "))?;
        }
        for index in 0..self.system.components.len() {
            self.component(text, ComponentId::from(index))?;
        }
        // Where an event goes that nobody consumes, and where one comes from that nobody emits.
        let sunk = self.emissions().filter(|&(_, event)| self.consumer(event).is_none());
        let sunk: String = sunk
            .map(|(from, event)| format!(" consumes Signal e{}_{};", event.0, from.0))
            .collect();
        let never: String =
            self.silent().map(|(event, _)| format!(" emits Signal e{};", event.0)).collect();
        writeln!(text, "component Sink {{ control;{sunk}{never} }}")?;
        writeln!(text, "\nassembly {{\n    composition {{")?;
        for component in &self.system.components {
            writeln!(text, "        component K{} {};", component.name, component.name)?;
        }
        writeln!(text, "        component Sink sink;")?;
        gates().try_for_each(|(id, gate)| self.connection(text, id, gate))?;
        self.emissions().try_for_each(|(from, event)| self.signal(text, from, event))?;
        for (event, to) in self.silent() {
            let (event, to) = (event.0, self.name(to));
            writeln!(
                text,
                "        connection seL4Notification n{event}(from sink.e{event}, to \
                 {to}.c{event});"
            )?;
        }
        writeln!(text, "    }}\n    configuration {{")?;
        writeln!(text, "        sink.priority = 1;\n        sink.calls = [\"0 ns\"];")?;
        self.system.tasks.iter().try_for_each(|task| self.task(text, task))?;
        gates().try_for_each(|(_, gate)| self.gate(text, gate))?;
        for (component, mutex) in self.system.mutex_words() {
            let (name, locking) = (self.name(component), mutex.locking.value.name());
            writeln!(text, "        {name}.{}_locking = \"{locking}\";", mutex.name)?;
        }
        if let Some(policy) = self.system.settings.policy {
            writeln!(text, "        system.policy = \"{}\";", policy.value.name())?;
        }
        if let Some(slice) = &self.system.settings.time_slice {
            writeln!(text, "        system.time_slice = \"{}\";", self.time(slice.value))?;
        }
        if let Some(start) = &self.system.settings.startup {
            writeln!(text, "        system.startup = \"{}\";", self.time(start.value))?;
        }
        writeln!(text, "    }}\n}}")
    }

    /// Iterates over the components that emit, with their events.
    fn emissions(&self) -> impl Iterator<Item = (ComponentId, NotificationId)> {
        self.uses.iter().flat_map(|(&id, uses)| uses.emits.iter().map(move |&event| (id, event)))
    }

    /// Returns the component that consumes an event, if there is one.
    fn consumer(&self, event: NotificationId) -> Option<ComponentId> {
        self.uses.iter().find(|(_, uses)| uses.consumes.contains(&event)).map(|(&id, _)| id)
    }

    /// Events that are consumed and that nobody emits.
    fn silent(&self) -> impl Iterator<Item = (NotificationId, ComponentId)> {
        let events = (0..self.system.notifications.len()).map(NotificationId::from);
        let silent = events.filter(|&event| self.emissions().all(|(_, emitted)| emitted != event));
        silent.filter_map(|event| self.consumer(event).map(|consumer| (event, consumer)))
    }

    /// An event's connection has one emitter.
    fn signal(
        &self,
        text: &mut String,
        from: ComponentId,
        event: NotificationId,
    ) -> std::fmt::Result {
        let (event_, number, name) = (event.0, from.0, self.name(from));
        let to = match self.consumer(event) {
            Some(consumer) => format!("{}.c{event_}", self.name(consumer)),
            None => format!("sink.e{event_}_{number}"),
        };
        writeln!(
            text,
            "        connection seL4Notification n{event_}_{number}(from {name}.e{event_}, to \
             {to});"
        )
    }

    fn name(&self, component: ComponentId) -> &str {
        &self.system.component(component).name
    }

    fn time(&self, time: Duration) -> String {
        format!("{} ns", time.ns().saturating_mul(self.scale))
    }

    fn component(&self, text: &mut String, id: ComponentId) -> std::fmt::Result {
        let component = self.system.component(id);
        write!(text, "component K{} {{", component.name)?;
        if self.system.tasks.iter().any(|task| task.component == id) {
            write!(text, " control;")?;
        }
        for (gate, described) in self.system.gate_ids().filter(|(_, g)| g.component == id) {
            match self.system.mutex(gate) {
                Some(_) => write!(text, " has mutex {};", described.interface)?,
                None => write!(text, " provides P{} {};", gate.0, described.interface)?,
            }
        }
        if let Some(uses) = self.uses.get(&id) {
            uses.gates.iter().try_for_each(|gate| write!(text, " uses P{0} u{0};", gate.0))?;
            uses.emits.iter().try_for_each(|event| write!(text, " emits Signal e{};", event.0))?;
            uses.consumes
                .iter()
                .try_for_each(|event| write!(text, " consumes Signal c{};", event.0))?;
        }
        writeln!(text, " }}")
    }

    /// From everybody who uses the gate, if anybody does.
    fn connection(&self, text: &mut String, gate: GateId, described: &Gate) -> std::fmt::Result {
        let users = self.uses.iter().filter(|(_, uses)| uses.gates.contains(&gate));
        let from: Vec<String> =
            users.map(|(&id, _)| format!("from {}.u{}, ", self.name(id), gate.0)).collect();
        if from.is_empty() {
            return Ok(());
        }
        let (from, to) = (from.concat(), self.name(described.component));
        writeln!(
            text,
            "        connection seL4RPCCall g{}({from}to {to}.{});",
            gate.0, described.interface
        )
    }

    fn task(&self, text: &mut String, task: &Task) -> std::fmt::Result {
        let mut set =
            |name: &str, value: String| writeln!(text, "        {}.{name} = {value};", task.name);
        let time = |duration: Duration| format!("\"{}\"", self.time(duration));
        if task.core > 0 {
            set("core", task.core.to_string())?;
        }
        set("priority", task.priority.value.to_string())?;
        if let Some(release) = &task.release {
            set("period", time(release.period.value))?;
            match release.kind {
                ReleaseKind::Notification(event) => {
                    set("arrival", format!("\"event c{}\"", event.0))?
                }
                ReleaseKind::Sporadic => set("arrival", "\"sporadic\"".into())?,
                ReleaseKind::Periodic if release.offset.ns() > 0 => {
                    set("offset", time(release.offset))?
                }
                ReleaseKind::Periodic => {}
            }
            if task.release_event().is_none() {
                set("jitter", time(release.jitter.value))?;
            }
        }
        if let Some(deadline) = &task.deadline {
            set("deadline", time(deadline.value))?;
        }
        if let Some(budget) = &task.budget {
            set("budget", time(budget.amount.value))?;
            let overrun = match budget.overrun {
                Overrun::Suspend => "suspend".into(),
                Overrun::Continue => "continue".into(),
                Overrun::Notify(event) => format!("notify e{}", event.0),
            };
            set("overrun", format!("\"{overrun}\""))?;
        }
        // Two ways to write a task that an event releases.
        let waits = task.release_event().filter(|_| task.component.index().is_multiple_of(2));
        let before = waits.map_or(String::new(), |event| format!("\"wait c{}\", ", event.0));
        set("calls", self.calls(&before, &task.body))
    }

    fn gate(&self, text: &mut String, gate: &Gate) -> std::fmt::Result {
        let name = format!("{}.{}", self.name(gate.component), gate.interface);
        let protocol: Protocol = gate.protocol.value;
        writeln!(text, "        {name}_priority_protocol = \"{}\";", protocol.name())?;
        if let Some(ceiling) = &gate.given_ceiling {
            writeln!(text, "        {name}_ceiling = {};", ceiling.value)?;
        }
        let mut methods = gate.methods.iter();
        methods.try_for_each(|m| {
            writeln!(text, "        {name}_{}_calls = {};", m.name, self.calls("", &m.body))
        })
    }

    /// Returns a body as a list, behind what is done before it; one without any time says so.
    fn calls(&self, before: &str, body: &Body) -> String {
        let mut entries = Vec::new();
        self.entries(body, &mut entries);
        format!("[{before}{}]", entries.join(", "))
    }

    fn entries(&self, body: &Body, entries: &mut Vec<String>) {
        let computes = body.steps.iter().any(|step| matches!(step, Step::Compute { .. }));
        if !computes {
            entries.push("\"0 ns\"".into());
        }
        for step in &body.steps {
            match *step {
                Step::Compute { worst, .. } => entries.push(format!("\"{}\"", self.time(worst))),
                Step::Emit(event) => entries.push(format!("\"emit e{}\"", event.0)),
                Step::Wait(event) => entries.push(format!("\"wait c{}\"", event.0)),
                Step::Invoke { gate, method, .. } => self.invocation(gate, method, entries),
            }
        }
    }

    fn invocation(&self, gate: GateId, method: Option<usize>, entries: &mut Vec<String>) {
        let described = self.system.gate(gate);
        if self.system.mutex(gate).is_some() {
            entries.push(format!("\"lock {}\"", described.interface));
            let sections = || described.methods.iter().map(|section| &section.body);
            sections().for_each(|section| self.entries(section, entries));
            // A description must say how long a mutex is held, and not for no time.
            let lasts = |step: &Step| match step {
                Step::Compute { worst, .. } => worst.ns() > 0,
                step => matches!(step, Step::Invoke { .. }),
            };
            if !sections().flat_map(|section| &section.steps).any(lasts) {
                entries.push("\"1 ns\"".into());
            }
            return entries.push(format!("\"unlock {}\"", described.interface));
        }
        let method = method
            .and_then(|m| described.methods.get(m))
            .map_or(String::new(), |m| format!(".{}", m.name));
        entries.push(format!("\"u{}{method}\"", gate.0));
    }
}
