//! A plan as a description.

use std::fmt::Write;

use crate::draw::{Arrival, Consumer, Entry, Plan, Store, Task};

/// Returns the description of a plan; its times are nanoseconds.
pub(crate) fn text(plan: &Plan) -> String {
    let mut text = String::from("import <std_connector.camkes>;\nprocedure Put { void put(); };\n");
    // Writing to a string cannot fail.
    let _ = write(&mut text, plan);
    text
}

fn write(text: &mut String, plan: &Plan) -> std::fmt::Result {
    for (at, task) in plan.tasks.iter().enumerate() {
        component(text, plan, at, task)?;
    }
    for (at, store) in plan.stores.iter().enumerate() {
        write!(text, "component S{at} {{ provides Put own;")?;
        emits(text, &store.method)?;
        consumes(text, plan, Consumer::Store(at))?;
        writeln!(text, " }}")?;
    }
    writeln!(text, "assembly {{\n    composition {{")?;
    for at in 0..plan.tasks.len() {
        writeln!(text, "        component T{at} t{at};")?;
    }
    for at in 0..plan.stores.len() {
        writeln!(text, "        component S{at} s{at};")?;
    }
    connections(text, plan)?;
    writeln!(text, "    }}\n    configuration {{")?;
    for (at, task) in plan.tasks.iter().enumerate() {
        attributes(text, plan, at, task)?;
    }
    for (at, Store { protocol, method }) in plan.stores.iter().enumerate() {
        writeln!(text, "        s{at}.own_priority_protocol = \"{protocol}\";")?;
        writeln!(text, "        s{at}.own_put_calls = [{}];", list(method))?;
    }
    for (core, _) in plan.by_deadline.iter().enumerate().filter(|(_, by_deadline)| **by_deadline) {
        if plan.tasks.iter().any(|task| task.core == core) {
            writeln!(text, "        system.core{core}_policy = \"earliest_deadline\";")?;
        }
    }
    let chains: Vec<String> = plan.chains.iter().map(|chain| format!("\"{chain}\"")).collect();
    writeln!(text, "        system.chains = [{}];\n    }}\n}}", chains.join(", "))
}

fn component(text: &mut String, plan: &Plan, at: usize, task: &Task) -> std::fmt::Result {
    write!(text, "component T{at} {{ control;")?;
    for store in used(task, plan) {
        write!(text, " uses Put s{store};")?;
    }
    emits(text, &task.job)?;
    consumes(text, plan, Consumer::Task(at))?;
    for &(from, to) in &plan.memory {
        if from == at || to == at {
            write!(text, " dataport Buf d{from}_{to};")?;
        }
    }
    writeln!(text, " }}")
}

fn used(task: &Task, plan: &Plan) -> impl Iterator<Item = usize> {
    (0..plan.stores.len()).filter(|&store| task.job.contains(&Entry::Put(store)))
}

fn consumes(text: &mut String, plan: &Plan, who: Consumer) -> std::fmt::Result {
    let mut own = plan.events.iter().enumerate().filter(|&(_, &consumer)| consumer == who);
    own.try_for_each(|(event, _)| write!(text, " consumes Signal c{event};"))
}

fn emitted(entries: &[Entry]) -> Vec<usize> {
    let event = |entry: &Entry| if let Entry::Emit(event) = *entry { Some(event) } else { None };
    let mut events: Vec<usize> = entries.iter().filter_map(event).collect();
    events.sort_unstable();
    events.dedup();
    events
}

fn emits(text: &mut String, entries: &[Entry]) -> std::fmt::Result {
    emitted(entries).into_iter().try_for_each(|event| write!(text, " emits Signal e{event};"))
}

fn connections(text: &mut String, plan: &Plan) -> std::fmt::Result {
    let stores = plan.stores.iter().enumerate();
    let emitters = plan.tasks.iter().enumerate().map(|(at, task)| (format!("t{at}"), &task.job));
    let emitters = emitters.chain(stores.map(|(at, store)| (format!("s{at}"), &store.method)));
    for (name, entries) in emitters {
        for event in emitted(entries) {
            let to = match plan.events[event] {
                Consumer::Task(task) => format!("t{task}"),
                Consumer::Store(store) => format!("s{store}"),
            };
            writeln!(
                text,
                "        connection seL4Notification n{event}{name}(from {name}.e{event}, \
                 to {to}.c{event});"
            )?;
        }
    }
    for store in 0..plan.stores.len() {
        let users =
            (0..plan.tasks.len()).filter(|&at| plan.tasks[at].job.contains(&Entry::Put(store)));
        let from: Vec<String> = users.map(|user| format!("from t{user}.s{store}, ")).collect();
        if !from.is_empty() {
            let from = from.concat();
            writeln!(text, "        connection seL4RPCCall p{store}({from}to s{store}.own);")?;
        }
    }
    plan.memory.iter().try_for_each(|(from, to)| {
        let (name, writer, reader) = (format!("d{from}_{to}"), from, to);
        writeln!(
            text,
            "        connection seL4SharedData {name}(from t{writer}.{name}, to \
             t{reader}.{name});"
        )
    })
}

fn attributes(text: &mut String, plan: &Plan, at: usize, task: &Task) -> std::fmt::Result {
    let mut set = |name: &str, value: String| writeln!(text, "        t{at}.{name} = {value};");
    let time = |time: u64| format!("\"{time} ns\"");
    let named = !matches!(task.arrival, Arrival::Event { named: false, .. });
    if named {
        set("period", time(task.period))?;
    }
    match task.arrival {
        Arrival::Clock { offset, jitter } => {
            set("offset", time(offset))?;
            set("jitter", time(jitter))?;
        }
        Arrival::Sporadic => set("arrival", "\"sporadic\"".into())?,
        Arrival::Event { event, .. } => set("arrival", format!("\"event c{event}\""))?,
    }
    if let Some(priority) = task.priority {
        set("priority", priority.to_string())?;
    }
    if task.core > 0 {
        set("core", task.core.to_string())?;
    }
    for &(from, to) in &plan.memory {
        if from == at || to == at {
            let may = if from == at { "W" } else { "R" };
            set(&format!("d{from}_{to}_access"), format!("\"{may}\""))?;
        }
    }
    set("calls", format!("[{}]", list(&task.job)))
}

fn list(entries: &[Entry]) -> String {
    let executes = entries.iter().any(|entry| matches!(entry, Entry::Time(_)));
    let nothing = (!executes).then(|| "\"0 ns\"".to_owned());
    let entry = |entry: &Entry| match entry {
        Entry::Time(time) => format!("\"{time} ns\""),
        Entry::Emit(event) => format!("\"emit e{event}\""),
        Entry::Wait(event) => format!("\"wait c{event}\""),
        Entry::Put(store) => format!("\"s{store}\""),
    };
    nothing.into_iter().chain(entries.iter().map(entry)).collect::<Vec<_>>().join(", ")
}
