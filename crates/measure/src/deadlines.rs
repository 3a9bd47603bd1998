//! The measuring systems where deadlines decide.
//!
//! They say by priorities who is more urgent than whom, and that must come out the same.
//! So every thread gets a deadline, the longer the lower its priority, and from one
//! priority to the next it is longer than any of the runs lasts: then it does not matter
//! when a job arrives. A thread without a period gets one of which there is one job in
//! the run. Gates at a ceiling get another protocol.
//!
//! What it takes to put a thread among those that are ready grows with how many these are.
//! So the systems are filled up with threads that are always ready and less urgent than
//! all others: the tournament of the ready threads has as many leaves as in the largest
//! systems that are meant, and somebody is ready beside each thread and below each node
//! that has threads in these. Where the systems are large as they are, there is room for
//! more threads in a tournament of as many leaves, and so somebody is ready beside each
//! thread that is measured. Whoever fills up is released before all others begin: each of
//! these releases takes time, and a thread that watches the clock would take them together
//! for one.

use crate::THREADS;
use fusee_model::Duration;

/// The difference between the deadlines of a priority and those of the next higher one, in seconds:
/// no run lasts as long.
const LEVEL: u64 = 100;

/// The period of a thread that had none, in seconds: longer than any deadline.
const ONE_JOB: u64 = 30_000;

/// The time by which all other threads begin later than those that fill up.
pub(crate) const BEHIND: Duration = Duration(100_000);

/// Leaves of the tournament in systems of so many threads as are promised, and that of the start.
const LEAVES: usize = (THREADS + 1).next_power_of_two();

/// The same description without priorities, its ceilings replaced by a protocol, and filled up.
pub(crate) fn by_deadline(text: &str, instead_of_fixed: &str, behind: Duration) -> String {
    let mut own = text.lines().filter_map(instance).filter(|name| is_thread(text, name)).count();
    // One leaf is that of the start.
    let room = (2 * own).clamp(THREADS, LEAVES - 1);
    let (mut left, mut ready) = (room.saturating_sub(own), Vec::new());
    let mut changed = String::new();
    for line in text.lines() {
        changed += &instead(line, text, (instead_of_fixed, behind));
        if instance(line).is_some_and(|name| is_thread(text, name)) {
            own -= 1;
            let beside = if own == 0 { left } else { left.min(1) };
            left -= beside;
            let names = (0..beside).map(|more| format!("ready{}", ready.len() + more));
            let names: Vec<String> = names.collect();
            changed += &in_one_space(&names);
            ready.extend(names);
        }
        if line.trim() == "configuration {" {
            changed += "        system.policy = \"earliest_deadline\";\n";
            changed.extend(ready.iter().enumerate().map(always_ready));
        }
    }
    changed
}

/// Returns a description of several cores, which fills them up itself: as urgent by deadlines as it
/// was by priorities.
pub(crate) fn ordered(text: &str) -> String {
    let mut changed = String::new();
    for line in text.lines() {
        changed += &instead(line, text, ("msrp", Duration::ZERO));
        if line.trim() == "configuration {" {
            changed += "        system.policy = \"earliest_deadline\";\n";
        }
    }
    changed
}

/// Returns the text that replaces a line.
fn instead(line: &str, text: &str, (instead_of_fixed, behind): (&str, Duration)) -> String {
    if let Some((thread, offset)) = thread_offset(line) {
        return begins(thread, offset, behind);
    }
    let Some((thread, priority)) = thread_priority(line) else {
        return line.replace("\"fixed\"", &format!("\"{instead_of_fixed}\"")) + "\n";
    };
    let deadline = (256 - u64::from(priority)) * LEVEL;
    let mut given = format!("        {thread}.deadline = \"{deadline} s\";\n");
    if !text.contains(&format!("{thread}.offset =")) {
        given += &begins(thread, Duration::ZERO, behind);
    }
    match text.contains(&format!("{thread}.period =")) {
        true => given,
        false => given + &format!("        {thread}.period = \"{ONE_JOB} s\";\n"),
    }
}

/// When a thread's first job comes, behind the threads that fill up.
fn begins(thread: &str, offset: Duration, behind: Duration) -> String {
    format!("        {thread}.offset = \"{} ns\";\n", offset.ns() + behind.ns())
}

/// Threads that share an address space: an image with a space for each takes long to build.
fn in_one_space(names: &[String]) -> String {
    let [first, ..] = names else { return String::new() };
    let all: String = names.iter().map(|name| format!("component Padding {name}; ")).collect();
    format!("        group beside_{first} {{ {all}}}\n")
}

/// Returns a thread whose first job lasts longer than the run; they have different deadlines.
fn always_ready((index, name): (usize, &String)) -> String {
    let deadline = 256 * LEVEL + 10 * index as u64;
    let lines = [
        format!("{name}.deadline = \"{deadline} s\""),
        format!("{name}.period = \"{ONE_JOB} s\""),
        format!("{name}.wcet = \"{deadline} s\""),
        format!("{name}.stub = true"),
    ];
    lines.map(|line| format!("        {line};\n")).concat()
}

/// Returns the instance that a line makes.
fn instance(line: &str) -> Option<&str> {
    let (_, name) = line.trim().strip_prefix("component ")?.strip_suffix(';')?.split_once(' ')?;
    Some(name)
}

/// Returns `true` if a description gives an instance's thread a priority.
fn is_thread(text: &str, name: &str) -> bool {
    text.lines().filter_map(thread_priority).any(|(thread, _)| thread == name)
}

/// Returns the thread and its priority, if the line gives a thread one.
fn thread_priority(line: &str) -> Option<(&str, u8)> {
    let (thread, value) = line.trim().split_once(".priority = ")?;
    Some((thread, value.strip_suffix(';')?.parse().ok()?))
}

/// Returns the thread and its offset, if the line gives one.
fn thread_offset(line: &str) -> Option<(&str, Duration)> {
    let (thread, value) = line.trim().split_once(".offset = \"")?;
    Some((thread, Duration::parse(value.strip_suffix("\";")?, Duration(1)).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
        component Task a;
        component Server s;
        component Task b;
    configuration {
        a.priority = 200;
        a.period = \"3 us\";
        b.priority = 199;
        b.offset = \"2 us\";
        g.up_priority_protocol = \"fixed\";
        b.ping_priority = 7;
    }
";

    #[test]
    fn urgent_threads_have_short_deadlines() {
        let expected = "        a.deadline = \"5600 s\";
        a.offset = \"100000 ns\";
        a.period = \"3 us\";
        b.deadline = \"5700 s\";
        b.period = \"30000 s\";
        b.offset = \"102000 ns\";
        g.up_priority_protocol = \"srp\";
        b.ping_priority = 7;
    }
";
        let changed = by_deadline(TEXT, "srp", BEHIND);
        assert!(changed.ends_with(expected), "{changed}");
        let policy = "    configuration {\n        system.policy = \"earliest_deadline\";\n";
        assert!(changed.contains(policy), "{changed}");
    }

    #[test]
    fn somebody_is_ready_beside_each_thread_and_in_all_other_places() {
        let changed = by_deadline(TEXT, "srp", BEHIND);
        let threads = "
        component Task a;
        group beside_ready0 { component Padding ready0; }
        component Server s;
        component Task b;
        group beside_ready1 { component Padding ready1; component Padding ready2; ";
        assert!(changed.starts_with(threads), "{changed}");
        assert_eq!(changed.matches("component Padding").count(), THREADS - 2);
        assert_eq!(changed.matches(".stub = true;").count(), THREADS - 2);
        let last = "ready29.deadline = \"25890 s\";";
        assert!(changed.contains(last) && !changed.contains("ready30"), "{changed}");
        // Beside the most waiters that are meant, and who makes them wait: as far as there is room.
        let system = |threads: usize| -> String {
            let thread = |i| format!("component Task t{i};\nt{i}.priority = 3;\n");
            let all: String = (0..threads).map(thread).collect();
            by_deadline(&(all + "configuration {"), "srp", BEHIND)
        };
        assert_eq!(system(33).matches(".stub").count(), 30);
        assert_eq!(system(70).matches(".stub").count(), 0);
    }
}
