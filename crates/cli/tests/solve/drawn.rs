//! Small systems by chance, each a description.

use std::fmt::Write;

use fusee_testing::Draw;

/// The form of drawn systems.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Form {
    pub(crate) tasks: u64,
    pub(crate) gates: u64,
    pub(crate) cores: u64,
    /// The values that are given.
    pub(crate) given: Given,
}

/// The values that drawn systems give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Given {
    /// Nothing that can be chosen.
    Nothing,
    /// Some priorities, protocols and cores, which stay.
    Some,
    /// All priorities and some protocols, which may change.
    Changing,
}

/// Returns the text of a system: tasks that share gates, one of which may be inside another.
pub(crate) fn description(draw: &mut Draw, form: Form) -> String {
    let Form { tasks, gates, cores, given } = form;
    let uses: String = (0..gates).map(|gate| format!(" maybe uses P g{gate};")).collect();
    let mut text = format!(
        "import <std_connector.camkes>;\nprocedure P {{ void f(); }};\ncomponent T {{ \
         control;{uses} }}\ncomponent G {{ provides P p; maybe uses P inner; }}\nassembly {{\n    \
         composition {{\n"
    );
    let (mut connections, mut settings) = (String::new(), String::new());
    let mut users: Vec<Vec<String>> = vec![Vec::new(); gates as usize];
    // The load that each core gets on average, from easy to hopeless.
    let share = (40 + draw.below(50)) * cores / tasks;
    for task in 0..tasks {
        let period = [4_000, 5_000, 8_000, 10_000, 20_000][draw.below(5) as usize];
        let wcet = period * (share / 2 + draw.below(share.max(1))) / 100;
        let _ = writeln!(text, "        component T t{task};");
        let _ = writeln!(settings, "        t{task}.period = \"{period} us\";");
        let _ = writeln!(settings, "        t{task}.wcet = \"{wcet} us\";");
        // Deadlines beyond periods and jitter are what orders by deadline fail at.
        if draw.below(2) == 0 {
            let deadline = wcet + (period - wcet) / 3 + draw.below(period * 3 / 2);
            let _ = writeln!(settings, "        t{task}.deadline = \"{deadline} us\";");
        }
        if draw.below(2) == 0 {
            let jitter = draw.below(period / 2);
            let _ = writeln!(settings, "        t{task}.jitter = \"{jitter} us\";");
        }
        let mut calls = Vec::new();
        for gate in 0..gates {
            if draw.below(2) == 0 {
                users[gate as usize].push(format!("from t{task}.g{gate}"));
                calls.push(format!("\"g{gate}.f\""));
            }
        }
        let _ = writeln!(settings, "        t{task}.calls = [{}];", calls.join(", "));
        if given == Given::Some && draw.below(4) == 0 {
            let _ = writeln!(settings, "        t{task}.core = {};", draw.below(cores));
        }
        let often = if given == Given::Changing { 1 } else { 4 };
        if given != Given::Nothing && draw.below(often) == 0 {
            let priority = 2 * draw.below(100) + 1;
            let _ = writeln!(settings, "        t{task}.priority = {priority};");
        }
    }
    let used: Vec<usize> = (0..users.len()).filter(|&gate| !users[gate].is_empty()).collect();
    let nests = used.len() > 1 && draw.below(3) == 0;
    for &gate in &used {
        let _ = writeln!(text, "        component G s{gate};");
        let length = 50 + draw.below(700);
        let _ = writeln!(settings, "        s{gate}.p_wcet = \"{length} us\";");
        if given != Given::Nothing && cores == 1 && draw.below(3) == 0 {
            let protocol = draw.one_of(&["inherited", "fixed"]);
            let _ = writeln!(settings, "        s{gate}.p_priority_protocol = \"{protocol}\";");
        }
        let mut from = users[gate].clone();
        if nests && gate == used[1] {
            from.push(format!("from s{}.inner", used[0]));
            let _ = writeln!(settings, "        s{}.p_calls = [\"inner.f\"];", used[0]);
        }
        let _ = writeln!(
            connections,
            "        connection seL4RPCCall c{gate}({}, to s{gate}.p);",
            from.join(", ")
        );
    }
    let _ = write!(text, "{connections}    }}\n    configuration {{\n{settings}    }}\n}}\n");
    text
}
