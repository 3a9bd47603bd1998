//! Bounds the time of each path of the kernel, and the delay of interrupts.

use std::fmt::Write;

use fusee_diagnostics::render;
use fusee_pipeline::kernel::clock::Clock;
use fusee_pipeline::kernel::found::{Asked, Found, find};
use fusee_pipeline::kernel::{Paths, Refused};
use fusee_pipeline::problem::Problem;
use fusee_pipeline::program::entry::stack;
use fusee_pipeline::program::listing;
use fusee_pipeline::status::Status;
use serde_json::json;

use crate::args::{Observer, Wcet};
use crate::output::{Output, bad};
use crate::wcet::obstacles;
use fusee_report::table::{Table, left, right};

/// Bounds the kernel's paths, and writes the cost table if one is wanted.
pub(crate) fn run(arguments: &Wcet, output: &mut Output) -> Status {
    let Some(clock) = Clock::of(&arguments.machine, arguments.wait_states, &arguments.program)
    else {
        let names = Clock::names().join("` or `");
        return output.bad_input(format!("the kernel's paths are bounded on `{names}`"));
    };
    if let Some(observer) = arguments.observe.filter(|&observer| !observes(observer, clock)) {
        let (machine, observer) = (clock.machine(), observer.name());
        let platform = clock.platform().name();
        return output.bad_input(format!(
            "`{observer}` does not show what `{machine}` bounds here: take `--observe {platform}`"
        ));
    }
    if arguments.costs.is_some() && !clock.is_platform() {
        let message = "a cost table is for a platform, and none has memory with these wait states";
        return output.bad_input(message);
    }
    if arguments.costs.is_some() && is_closed(arguments) && clock == Clock::Instructions {
        let message = "a cost table is for every system of the platform, and these bounds are for \
                       one: leave it out, or take `--machine vexriscv`";
        return output.bad_input(message);
    }
    if arguments.within.is_some() && clock != Clock::Instructions {
        return output.bad_input("what is within a function is counted in instructions");
    }
    match find(&asked(arguments, clock)) {
        Ok(found) => show(arguments, &found, output),
        Err(Refused { problem: Problem { diagnostics, status }, sources }) => {
            let messages = || render::json(&diagnostics, &sources);
            output.json_of(
                &sources,
                || json!({ "machine": clock.machine(), "entries": [], "diagnostics": messages() }),
            );
            output.diagnostics(&diagnostics, &sources);
            status
        }
    }
}

/// Returns `true` if bounds hold for what is seen there.
fn observes(observer: Observer, clock: Clock) -> bool {
    match observer {
        Observer::Board => clock != Clock::Instructions,
        Observer::Machine(platform) => clock.is_platform() && clock.platform() == platform,
    }
}

/// Returns `true` if a system was asked for.
fn is_closed(arguments: &Wcet) -> bool {
    !arguments.program.as_os_str().is_empty()
}

fn asked(arguments: &Wcet, clock: Clock) -> Asked {
    Asked {
        clock,
        system: is_closed(arguments).then(|| arguments.described()),
        stubs: arguments.stubs,
        priced: arguments.costs.is_some(),
        entries: arguments.entries(),
        path: arguments.path,
        observe: arguments.observe.map(|_| arguments.duration),
        within: arguments.within.clone(),
    }
}

fn show(arguments: &Wcet, found: &Found, output: &mut Output) -> Status {
    if let Some(path) = &arguments.costs {
        if let Err(sentence) = found.write_costs(path) {
            return output.failed(sentence);
        }
        output.wrote(path);
    }
    // What a closed system does without, another may need.
    let unused = found.open().map(Paths::unused).unwrap_or_default();
    output.json(|| found.json(&unused));
    output.diagnostics(&unused, &found.largest().sources);
    output.text(table(found));
    output.text(summary(found));
    for (name, bound) in found.asked().rows() {
        if let Some(path) = found.path(&name, bound) {
            let listing = listing::text(&path, found.asked().code(), bound);
            output.text(format!("\n{name}:\n{listing}"));
        }
    }
    found.status()
}

fn table(found: &Found) -> Table {
    let entries: Vec<_> = found.asked().rows().collect();
    let cells = |cell: &dyn Fn(usize) -> String| (0..entries.len()).map(cell).collect::<Vec<_>>();
    let number = |number: Option<u64>| number.map_or("-".to_owned(), |number| number.to_string());
    let ratio = |index| {
        let hundredths = found.ratio(index)?;
        Some(format!("{}.{:02}", hundredths / 100, hundredths % 100))
    };
    let facts = |index: usize| {
        let about = found.asked().facts.about(&entries[index].1.grounds.facts_used);
        about.collect::<Vec<_>>().join(", ")
    };
    Table::of([
        left("entry", cells(&|index| entries[index].0.clone())),
        right("bound", cells(&|index| number(entries[index].1.time))),
        right("observed", cells(&|index| number(found.longest(index)))),
        right("ratio", cells(&|index| ratio(index).unwrap_or("-".to_owned()))),
        right("stack", cells(&|index| number(stack(entries[index].1)))),
        left("facts", cells(&facts)),
    ])
}

fn summary(found: &Found) -> String {
    let mut text = String::new();
    let closed = found.closed().map(|paths| ("closed", paths));
    if let Some(function) = &found.within {
        let _ = writeln!(text, "counted: what is executed in `{function}`, and what that calls");
    }
    let whole = |_: &(&str, &Paths)| found.within.is_none();
    for (name, paths) in
        closed.into_iter().chain(found.open().map(|paths| ("open", paths))).filter(whole)
    {
        let _ = match paths.response() {
            Some(time) => {
                let unit = found.clock.unit();
                writeln!(text, "interrupt response, {name} system: at most {time} {unit}")
            }
            None => writeln!(text, "interrupt response, {name} system: {}", bad("no bound")),
        };
    }
    if let Some(why) = found.beyond_open() {
        let _ = writeln!(text, "interrupt response, open system: not given, {why}");
    }
    if !found.asked().stubs.is_empty() {
        let _ = writeln!(
            text,
            "stubs, with the calls of the description and no code: {}",
            found.asked().stubs.join(", ")
        );
    }
    let _ = writeln!(text, "the analysis took {:.1} s", found.seconds());
    if let Some(seen) = &found.seen {
        let _ = writeln!(
            text,
            "{} paths observed, {} that no entry explains",
            seen.paths, seen.unexplained
        );
    }
    found.obstacles().iter().for_each(|obstacle| text += &obstacles::single(obstacle));
    text
}
