//! A random system as a description, so that reading is tried with it.
//!
//! The text says the same as the drawn system, as far as descriptions can: each gate has
//! a procedure type of its own, each body a list of what it does, with its times. What a
//! description leaves to the one who reads it is derived again: direct calls, releases by
//! events (such a task is sporadic here), best-case times. A mutex is held for some time.

use fusee_adl::{resolve, syntax};
use fusee_diagnostics::Severity;
use fusee_generate::Case;
use fusee_model::{
    Body, ComponentId, Duration, Gate, GateId, NotificationId, Overrun, Protocol, ReleaseKind, Step, System, Task,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The description of a system, with all times so many times as long.
pub fn description(system: &System, scale: u64) -> String {
    let mut text = String::from("import <std_connector.camkes>;\n\n");
    // Writing to a string cannot fail.
    let _ = Writer { system, scale, uses: uses(system) }.write(&mut text);
    text
}

/// The case as it is read from its description.
///
/// # Errors
/// What is wrong with the description, which nothing should be.
pub fn read_again(case: &Case) -> Result<Case, String> {
    let loaded = syntax::load_bytes(description(&case.system, 1).as_bytes());
    let resolution = resolve::resolve(&loaded.tree, &case.system.name, &fusee_adl::Options::default());
    let mut messages = loaded.diagnostics.iter().chain(&resolution.diagnostics);
    if let Some(wrong) = messages.find(|message| message.severity == Severity::Error) {
        return Err(format!("its description: {}: {}", wrong.code.0, wrong.message));
    }
    let system = resolution.system.ok_or("its description means no system")?;
    Ok(Case { system, costs: case.costs.clone() })
}

/// What each component's bodies call and signal.
#[derive(Default)]
struct Uses {
    gates: BTreeSet<GateId>,
    events: BTreeSet<NotificationId>,
}

fn uses(system: &System) -> BTreeMap<ComponentId, Uses> {
    let mut all: BTreeMap<ComponentId, Uses> = BTreeMap::new();
    let methods = system.gates.iter().flat_map(|g| g.methods.iter().map(|m| (g.component, &m.body)));
    for (component, body) in system.tasks.iter().map(|t| (t.component, &t.body)).chain(methods) {
        let uses = all.entry(component).or_default();
        for step in &body.steps {
            match *step {
                Step::Invoke { gate, .. } if system.mutex(gate).is_none() => drop(uses.gates.insert(gate)),
                Step::Emit(event) => drop(uses.events.insert(event)),
                _ => {}
            }
        }
    }
    for task in &system.tasks {
        if let Some(Overrun::Notify(event)) = task.budget.as_ref().map(|budget| budget.overrun) {
            all.entry(task.component).or_default().events.insert(event);
        }
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
            let methods: Vec<String> = gate.methods.iter().map(|m| format!("void {}();", m.name)).collect();
            writeln!(text, "procedure P{} {{ {} }};", id.0, methods.join(" "))?;
        }
        for index in 0..self.system.components.len() {
            self.component(text, ComponentId::from(index))?;
        }
        // An event's connection has one emitter.
        let events = || self.uses.iter().flat_map(|(&id, uses)| uses.events.iter().map(move |event| (id, event.0)));
        let consumes: Vec<String> = events().map(|(id, e)| format!(" consumes Signal e{e}_{};", id.0)).collect();
        writeln!(text, "component Sink {{ control;{} }}", consumes.concat())?;
        writeln!(text, "\nassembly {{\n    composition {{")?;
        for component in &self.system.components {
            writeln!(text, "        component K{} {};", component.name, component.name)?;
        }
        writeln!(text, "        component Sink sink;")?;
        gates().try_for_each(|(id, gate)| self.connection(text, id, gate))?;
        for (id, event) in events() {
            let (number, from) = (id.0, self.name(id));
            writeln!(
                text,
                "        connection seL4Notification n{event}_{number}(from {from}.e{event}, to sink.e{event}_{number});"
            )?;
        }
        writeln!(text, "    }}\n    configuration {{")?;
        writeln!(text, "        sink.priority = 1;\n        sink.calls = [\"0 ns\"];")?;
        self.system.tasks.iter().try_for_each(|task| self.task(text, task))?;
        gates().try_for_each(|(_, gate)| self.gate(text, gate))?;
        if let Some(slice) = &self.system.time_slice {
            writeln!(text, "        system.time_slice = \"{}\";", self.time(slice.value))?;
        }
        writeln!(text, "    }}\n}}")
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
            uses.events.iter().try_for_each(|event| write!(text, " emits Signal e{};", event.0))?;
        }
        writeln!(text, " }}")
    }

    /// From everybody who uses the gate, if anybody does.
    fn connection(&self, text: &mut String, gate: GateId, described: &Gate) -> std::fmt::Result {
        let users = self.uses.iter().filter(|(_, uses)| uses.gates.contains(&gate));
        let from: Vec<String> = users.map(|(&id, _)| format!("from {}.u{}, ", self.name(id), gate.0)).collect();
        if from.is_empty() {
            return Ok(());
        }
        let (from, to) = (from.concat(), self.name(described.component));
        writeln!(text, "        connection seL4RPCCall g{}({from}to {to}.{});", gate.0, described.interface)
    }

    fn task(&self, text: &mut String, task: &Task) -> std::fmt::Result {
        let mut set = |name: &str, value: String| writeln!(text, "        {}.{name} = {value};", task.name);
        let time = |duration: Duration| format!("\"{}\"", self.time(duration));
        set("priority", task.priority.value.to_string())?;
        if let Some(release) = &task.release {
            set("period", time(release.period.value))?;
            if release.kind != ReleaseKind::Periodic {
                set("arrival", "\"sporadic\"".into())?;
            } else if release.offset.ns() > 0 {
                set("offset", time(release.offset))?;
            }
            set("jitter", time(release.jitter.value))?;
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
        set("calls", self.calls(&task.body))
    }

    fn gate(&self, text: &mut String, gate: &Gate) -> std::fmt::Result {
        let name = format!("{}.{}", self.name(gate.component), gate.interface);
        let protocol: Protocol = gate.protocol.value;
        writeln!(text, "        {name}_priority_protocol = \"{}\";", protocol.name())?;
        if let Some(ceiling) = &gate.given_ceiling {
            writeln!(text, "        {name}_ceiling = {};", ceiling.value)?;
        }
        let mut methods = gate.methods.iter();
        methods.try_for_each(|m| writeln!(text, "        {name}_{}_calls = {};", m.name, self.calls(&m.body)))
    }

    /// A body as a list; one without any time says so.
    fn calls(&self, body: &Body) -> String {
        let mut entries = Vec::new();
        self.entries(body, &mut entries);
        format!("[{}]", entries.join(", "))
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
                Step::Wait(event) => entries.push(format!("\"wait e{}\"", event.0)),
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
        let method = method.and_then(|m| described.methods.get(m)).map_or(String::new(), |m| format!(".{}", m.name));
        entries.push(format!("\"u{}{method}\"", gate.0));
    }
}
