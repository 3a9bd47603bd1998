//! Measuring systems with further cores, on which nothing is measured.

use crate::added::added;
use crate::setting::Others;

/// Returns a description in which deadlines decide, with a thread on each further core that does
/// nothing.
pub(crate) fn with_sleepers(text: &str, cores: usize) -> String {
    let slept = with_cores(text, cores, Others::Sleep);
    (1..cores).fold(slept, |text, core| {
        let priority = format!("idle{core}.priority = 1;");
        text.replace(&priority, &format!("idle{core}.deadline = \"1000 s\";"))
    })
}

/// Returns a description in which each further core has a thread, which does nothing or never ends.
pub(crate) fn with_cores(text: &str, cores: usize, others: Others) -> String {
    if cores < 2 {
        return text.to_owned();
    }
    let (mut instances, mut timing) = (String::new(), String::new());
    for core in 1..cores {
        let (more, times) = elsewhere(core, others);
        instances += &more;
        timing += &times;
    }
    let components = "component Idle {\n    control;\n}\n\ncomponent Walker {\n    control;\n}\n";
    let (instances, timing) = (format!("\n        {instances}"), format!("\n        {timing}"));
    added(text, [components, &instances, &timing])
}

/// Milliseconds for setting up on several cores that take turns: all of them begin together.
pub(crate) const ON_CORES: usize = 4;

/// Returns the milliseconds for setting up, where the usual time is too short: other cores that
/// walk through memory slow that down.
pub(crate) fn startup(cores: usize, others: Others) -> Option<usize> {
    (others == Others::Walk).then_some(2 * cores)
}

/// Returns the line that says so.
pub(crate) fn line(startup: usize) -> String {
    format!("system.startup = \"{startup} ms\";\n        ")
}

/// Returns the thread of a core on which nothing is measured.
pub(crate) fn elsewhere(core: usize, others: Others) -> (String, String) {
    match others {
        Others::Sleep => {
            let (name, place) = (format!("idle{core}"), (1_000_000_000_000, 999_000_000_000));
            let times = thread(&name, core, 1, place);
            (instance("Idle", &name), format!("{name}.stub = true;\n        {times}"))
        }
        Others::Walk => {
            let name = format!("walker{core}");
            (instance("Walker", &name), thread(&name, core, 1, (1_000_000_000_000, 0)))
        }
    }
}

/// Returns a line that makes an instance.
pub(crate) fn instance(component: &str, name: &str) -> String {
    format!("component {component} {name};\n        ")
}

/// Returns a thread with its period and the time of its first job, in nanoseconds.
pub(crate) fn thread(
    name: &str,
    core: usize,
    priority: usize,
    (period, at): (usize, usize),
) -> String {
    format!(
        "{name}.core = {core};\n        {name}.priority = {priority};\n        {name}.period = \
         \"{period} ns\";\n        {name}.offset = \"{offset} ns\";\n        {name}.wcet = \"1 \
         us\";\n        ",
        offset = at + 1_000,
    )
}
