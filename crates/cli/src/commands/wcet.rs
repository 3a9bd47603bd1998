//! Bounds the time of a program's functions, and says why.

use std::fmt::Write;
use std::sync::Arc;

use fusee_diagnostics::{Diagnostic, Severity, SourceMap, render};
use fusee_pipeline::files;
use fusee_pipeline::program::entry::{Entry, Wanted, count, examine, stack};
use fusee_pipeline::program::listing;
use fusee_pipeline::program::lower::{Lower, lower};
use fusee_pipeline::program::observe::Observed;
use fusee_pipeline::program::obstacles::groups;
use fusee_pipeline::program::{Task, load};
use fusee_pipeline::status::Status;
use fusee_wcet::execute::Watch;
use fusee_wcet::names::readable_text;
use serde_json::json;

use crate::args::{Observer, Wcet};
use crate::output::{Output, bad};
use crate::wcet::{obstacles, what_if};

/// The status of a command that an interrupt has ended.
const INTERRUPTED: i32 = 130;

/// Prints a bound for each entry, or what stands in its way.
pub(crate) fn run(arguments: &Wcet, output: &mut Output) -> Status {
    if let Some(Observer::Machine(machine)) = arguments.observe {
        return output.bad_input(format!("`{machine}` observes the kernel only: add `--kernel`"));
    }
    let mut sources = SourceMap::default();
    let task = match load(&arguments.asked(), &mut sources) {
        Ok(task) => task,
        Err(diagnostics) => return not_bounded(&arguments.machine, &diagnostics, &sources, output),
    };
    end_on_interrupt(&task.watch);
    let observe = arguments.observe.map(|_| (arguments.program.as_path(), arguments.waits()));
    let examined = match examine(&task, &Wanted { observe, path: arguments.path }) {
        Ok(examined) => examined,
        Err(failure) => return output.failed(failure),
    };
    let (results, diagnostics) = (&examined.entries, &examined.diagnostics);
    output.json_of(&sources, || examined.json(&task, &sources));
    output.diagnostics(diagnostics, &sources);
    if let Some(path) = &arguments.report {
        let page = match examined.page(&task, &arguments.program) {
            Ok(page) => page,
            Err(failure) => return output.failed(failure),
        };
        if let Err(error) = files::write(path, page.as_bytes()) {
            return output.failed(format!("{}: {error}", path.display()));
        }
    }
    for (index, result) in results.iter().enumerate() {
        let gap = if index == 0 { "" } else { "\n" };
        output.text(format!("{gap}{}", entry_text(&task, result)));
    }
    if let Some(path) = &arguments.report {
        output.text(format!("\n{}\n", path.display()));
    }
    match results.iter().all(Entry::holds) {
        _ if diagnostics.iter().any(|one| one.severity == Severity::Error) => Status::BadInput,
        true => Status::Fine,
        false => Status::Missed,
    }
}

/// The first interrupt ends the analysis with what is known, the second one the command.
fn end_on_interrupt(watch: &Arc<Watch>) {
    let watch = watch.clone();
    let end = move || match watch.is_stopped() {
        false => watch.stop(),
        true => std::process::exit(INTERRUPTED),
    };
    // Without a handler an interrupt just ends the command.
    let _ = ctrlc::set_handler(end);
}

/// The same shape of result where there is nothing to bound.
fn not_bounded(
    machine: &str,
    diagnostics: &[Diagnostic],
    sources: &SourceMap,
    output: &mut Output,
) -> Status {
    output.json_of(sources, || {
        let diagnostics = render::json(diagnostics, sources);
        json!({ "machine": machine, "entries": [], "diagnostics": diagnostics })
    });
    output.diagnostics(diagnostics, sources);
    Status::BadInput
}

fn entry_text(task: &Task, result: &Entry<'_>) -> String {
    let Entry { name, bound, path, observed, answers } = result;
    let unit = task.machine.unit();
    let mut text = match bound.time {
        Some(time) => format!("{name}: at most {time} {unit}\n"),
        None if bound.obstacles.is_empty() => {
            format!("{name}: {} (facts are wrong)\n", bad("no bound"))
        }
        None => {
            format!(
                "{name}: {} ({})\n",
                bad("no bound"),
                count(groups(bound, task.code()).len(), "obstacle")
            )
        }
    };
    if let Some(observed) = observed {
        text += &observed_text(observed, bound.time);
    }
    if bound.time.is_some() {
        let stack = stack(bound).map_or("not known".to_owned(), |bytes| {
            format!("at most {}", count(bytes as usize, "byte"))
        });
        let _ = writeln!(text, "  stack: {stack}");
    }
    for given in task.facts.about(&bound.grounds.facts_used) {
        let _ = writeln!(text, "  rests on the fact: {}", given.line);
    }
    for Lower { fact, counted } in lower(task, bound) {
        let _ = writeln!(
            text,
            "  may be lower with: {fact} ({counted} calls are counted, as many as its depth allows)"
        );
    }
    for assumption in &bound.grounds.assumptions {
        let _ = writeln!(text, "  assumes: {}", readable_text(assumption));
    }
    text += &obstacles::text(task.code(), bound);
    let is_known = task.facts.facts.as_loaded || bound.grounds.is_first_call;
    if *name == "main" && !bound.obstacles.is_empty() && !is_known {
        text += "  if `main` runs once, in a program that has just been loaded, --as-loaded takes \
                 the first values of its variables for known\n";
    }
    for answer in answers {
        text += &what_if::text(answer, task);
    }
    if let Some(path) = path.as_ref().filter(|_| bound.time.is_some()) {
        text += &listing::text(path, task.code(), bound);
    }
    text
}

fn observed_text(observed: &Observed, bound: Option<u64>) -> String {
    let Some(longest) = observed.longest() else { return "  observed: no call\n".to_owned() };
    let calls = count(observed.calls.len(), "call");
    let mut text = format!("  observed: at most {longest} cycles in {calls}");
    if let Some(bound) = bound {
        let hundredths = (u128::from(bound) * 100).checked_div(longest.into()).unwrap_or(0);
        let _ = write!(text, "; bound / observed {}.{:02}", hundredths / 100, hundredths % 100);
        if longest > bound {
            text += &format!(", {}", bad("above the bound"));
        }
    }
    let _ = match observed.stack {
        Some((first, last)) if first == last => {
            writeln!(text, "\n  observed stack pointer at entry: {first:#x}")
        }
        Some((first, last)) => {
            writeln!(text, "\n  observed stack pointers at entry: {first:#x} to {last:#x}")
        }
        None => writeln!(text),
    };
    text
}
