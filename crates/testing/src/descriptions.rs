//! A large description: as many components as asked for, about 1 kB each.
//!
//! Tasks stand in front of four layers of servers; each server is used by its
//! neighbors above and uses one below, under protocols of all kinds. The text is
//! what a code generator would write: a type for each component, attributes,
//! comments, events and shared memory beside the calls.

use std::fmt::Write;

/// The number of layers of servers.
const LAYERS: usize = 4;

/// A description with `tasks` tasks among `components` components.
pub fn large(components: usize, tasks: usize) -> String {
    let servers = components - tasks;
    let mut text = String::from("import <std_connector.camkes>;\n\n");
    text += "procedure Service {\n    int request(in int which, inout int value);\n    void \
             cancel();\n}\n\n";
    (0..tasks).for_each(|task| task_type(&mut text, task));
    (0..servers)
        .for_each(|server| server_type(&mut text, server, below(server, servers).is_some()));
    text += "assembly {\n    composition {\n";
    (0..tasks).for_each(|task| line(&mut text, 8, format!("component Task{task} task_{task};")));
    (0..servers).for_each(|server| {
        line(&mut text, 8, format!("component Server{server} server_{server};"))
    });
    for server in 0..servers {
        connections(&mut text, server, servers, tasks);
    }
    for task in (0..tasks).step_by(2).filter(|task| task + 1 < tasks) {
        let next = task + 1;
        line(
            &mut text,
            8,
            format!(
                "connection seL4Notification done_{task}(from task_{task}.done, to \
                 task_{next}.ready);"
            ),
        );
    }
    text += "    }\n\n    configuration {\n";
    (0..tasks).for_each(|task| task_timing(&mut text, task, task % 2 == 0 && task + 1 < tasks));
    (0..servers)
        .for_each(|server| server_timing(&mut text, server, below(server, servers).is_some()));
    text += "    }\n}\n";
    text
}

/// The server that a server uses.
fn below(server: usize, servers: usize) -> Option<usize> {
    let width = servers.div_ceil(LAYERS);
    Some(server + width).filter(|&below| below < servers)
}

fn line(text: &mut String, indent: usize, line: String) {
    // Writing to a string can't fail.
    let _ = writeln!(text, "{:indent$}{line}", "");
}

fn task_type(text: &mut String, task: usize) {
    line(
        text,
        0,
        format!(
            "/* Task {task}: reads its inputs, asks two services, and writes what follows from it. \
             */"
        ),
    );
    line(text, 0, format!("component Task{task} {{"));
    for member in [
        "control;",
        "uses Service service;",
        "uses Service second;",
        "maybe emits Signal done;",
        "maybe consumes Signal ready;",
    ] {
        line(text, 4, member.to_owned());
    }
    attributes(text);
    line(text, 0, "}\n".to_owned());
}

fn server_type(text: &mut String, server: usize, uses: bool) {
    line(
        text,
        0,
        format!(
            "/* Server {server}: keeps a table of values that several tasks read and change. */"
        ),
    );
    line(text, 0, format!("component Server{server} {{"));
    line(text, 4, "provides Service service;".to_owned());
    if uses {
        line(text, 4, "uses Service next;".to_owned());
    }
    attributes(text);
    line(text, 0, "}\n".to_owned());
}

fn attributes(text: &mut String) {
    for number in 0..7 {
        line(
            text,
            4,
            format!(
                "attribute int parameter_{number} = ({number} + 1) * 3 << 2; /* tuned on the bench \
                 */"
            ),
        );
    }
}

fn connections(text: &mut String, server: usize, servers: usize, tasks: usize) {
    let width = servers.div_ceil(LAYERS);
    let mut users: Vec<String> = Vec::new();
    if server < width {
        users.extend(
            (0..tasks)
                .filter(|task| task % width == server)
                .map(|task| format!("task_{task}.service")),
        );
        users.extend(
            (0..tasks)
                .filter(|task| (task * 7 + 3) % width == server)
                .map(|task| format!("task_{task}.second")),
        );
    } else {
        users.push(format!("server_{}.next", server - width));
    }
    if users.is_empty() {
        return;
    }
    let from: Vec<String> = users.iter().map(|user| format!("from {user}")).collect();
    line(
        text,
        8,
        format!(
            "connection seL4RPCCall call_{server}({}, to server_{server}.service);",
            from.join(", ")
        ),
    );
}

fn task_timing(text: &mut String, task: usize, emits: bool) {
    let period = 50 + task * 5;
    let done = if emits { ", \"emit done\"" } else { "" };
    for setting in [
        format!("period = \"{period} ms\""),
        format!("deadline = \"{} ms\"", period - 10),
        "wcet = \"100 us\"".to_owned(),
        format!("calls = [\"service.request\", \"second.cancel\"{done}]"),
        format!("parameter_3 = {task} * 7 % 13"),
    ] {
        line(text, 8, format!("task_{task}.{setting};"));
    }
}

fn server_timing(text: &mut String, server: usize, uses: bool) {
    let protocol = ["inherited", "fixed", "propagated"][server % 3];
    line(text, 8, format!("server_{server}.service_priority_protocol = \"{protocol}\";"));
    line(text, 8, format!("server_{server}.service_request_wcet = \"{} us\";", 5 + server % 7));
    line(text, 8, format!("server_{server}.service_cancel_wcet = \"2 us\";"));
    if uses {
        line(text, 8, format!("server_{server}.service_request_calls = [\"next.request\"];"));
        line(text, 8, format!("server_{server}.service_cancel_calls = [];"));
    }
    line(text, 8, format!("server_{server}.parameter_5 = 5 + {server};"));
}
