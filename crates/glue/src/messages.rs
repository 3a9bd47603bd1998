//! The messages of compilers and linkers, as Fusee's.
//!
//! The three mistakes that a component can make about its interfaces get messages of
//! their own: a signature that is not the description's, a message that is too large,
//! a function that no interface has. All else is the compiler's, shown as it is.

use crate::builder::Builder;
use crate::failure::Failure;
use crate::request::Request;
use crate::rules;
use crate::view::{self, Component};
use fusee_diagnostics::Diagnostic;
use fusee_model::ComponentId;

/// No more lines of a tool's text than these are shown.
const MOST_LINES: usize = 40;

/// Returns the messages for a component's code that does not compile.
pub(crate) fn compiling(builder: &Builder<'_>, id: ComponentId, text: &str) -> Failure {
    let view = view::header(builder.request.system, builder.types(), id);
    let known: Vec<Diagnostic> = text
        .lines()
        .filter(|line| line.contains("error:"))
        .filter_map(|line| recognised(&view, line))
        .collect();
    if !known.is_empty() {
        return once(known);
    }
    let message = format!("the code of `{}` does not compile", view.name);
    vec![quoting(Diagnostic::error(rules::COMPILE_ERROR, message), text)]
}

/// Returns the message for a component in Rust that does not compile.
pub(crate) fn rust(component: &str, text: &str) -> Diagnostic {
    let error = quoting(
        Diagnostic::error(
            rules::COMPILE_ERROR,
            format!("the code of `{component}` does not compile"),
        ),
        text,
    );
    let advice = ADVICE.iter().filter(|(said, _)| text.contains(said));
    advice.fold(error, |error, (_, advice)| error.with_note(*advice))
}

/// Crates that could not be downloaded, with what cargo says.
pub(crate) fn crates(component: &str, text: &str) -> Diagnostic {
    let message = format!("the crates that `{component}` needs cannot be fetched");
    quoting(Diagnostic::error(rules::FOREIGN_CRATES, message), text)
}

/// The advice for errors of Rust's compiler that come from the lack of an operating system.
const ADVICE: [(&str, &str); 2] = [
    (
        "`#[panic_handler]` function required",
        "write `use camkes as _;`: its handler tells the place, and ends the job as a fault",
    ),
    (
        "can't find crate for `std`",
        "components have no standard library: begin the crate with `#![no_std]`",
    ),
];

/// A compiler's warnings.
pub(crate) fn warned(component: &str, text: &str) -> Diagnostic {
    let message = format!("the compiler has something to say about `{component}`");
    quoting(Diagnostic::note(rules::COMPILE_WARNING, message), text)
}

/// Returns the message about the cost of a mutex that is held from one invocation to another.
pub(crate) fn held(request: &Request<'_>, id: ComponentId, lock: usize) -> Diagnostic {
    let component = request.system.component(id);
    let (name, lock) = (&component.name, &component.code.locks[lock].name);
    let message = format!(
        "a call of `{name}` locks the mutex `{lock}` and leaves it locked, or unlocks what another \
         locked"
    );
    let mut note = Diagnostic::note(rules::HELD, message);
    if let Some(span) = (request.origins)(component.origin) {
        note = note.at(span, "");
    }
    note.with_note(
        "it is a semaphore with one place: whoever has it inherits no priority, and a fault leaves \
         it locked",
    )
}

/// Returns the message for objects that do not link.
pub(crate) fn linking(what: &str, text: &str) -> Diagnostic {
    let message = format!("the code of `{what}` does not link");
    quoting(Diagnostic::error(rules::LINK_ERROR, message), text)
}

/// Returns the messages for a domain's program that does not link: functions that nothing has, or
/// too much of everything.
pub(crate) fn linking_domain(domain: &str, text: &str) -> Failure {
    let undefined = text.lines().filter_map(|line| {
        let (place, rest) = line.split_once("undefined reference to ")?;
        Some((place.trim_end_matches([':', ' ']).to_owned(), quoted(rest)?.to_owned()))
    });
    let messages: Vec<Diagnostic> = undefined
        .map(|(place, name)| {
            let message = format!("nothing in `{domain}` defines `{name}`");
            let error = Diagnostic::error(rules::UNDEFINED, message)
                .with_note(format!("used at {}", shown(&place)));
            error.with_note(
                "functions of an interface exist only if the interface is declared and connected",
            )
        })
        .collect();
    if !messages.is_empty() {
        return once(messages);
    }
    if text.contains("will not fit") || text.contains("overflowed") || text.contains("overlaps") {
        let message = format!("the code and data of `{domain}` do not fit their 8 MiB");
        return vec![quoting(Diagnostic::error(rules::TOO_LARGE_DOMAIN, message), text)];
    }
    vec![linking(domain, text)]
}

/// One line of a compiler's, if it is about an interface.
fn recognised(view: &Component, line: &str) -> Option<Diagnostic> {
    let (place, what) = line.split_once(" error: ")?;
    let place = shown(place.trim_end_matches(':'));
    if let Some((_, rest)) = what.split_once("fusee: too large: ") {
        let method = rest.trim_matches(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
        let message =
            format!("a message of `{method}` in `{}` is longer than 120 words", view.name);
        let error = Diagnostic::error(rules::TOO_LARGE_MESSAGE, message);
        return Some(error.with_note(
            "connect it with `seL4RPCDataport`: then arguments go through shared memory",
        ));
    }
    let name = quoted(what)?;
    if what.starts_with("conflicting types for") || what.starts_with("static declaration of") {
        let prototype = prototype(view, name)?;
        let message =
            format!("`{name}` in `{}` has another signature than the description's", view.name);
        let error = Diagnostic::error(rules::WRONG_SIGNATURE, message)
            .with_note(format!("defined at {place}"));
        return Some(error.with_note(format!("the description asks for `{prototype}`")));
    }
    if what.contains("implicit declaration of function") {
        let message = format!("`{name}`, used by `{}`, is not declared", view.name);
        let error =
            Diagnostic::error(rules::UNDEFINED, message).with_note(format!("used at {place}"));
        let interfaces = interfaces(view);
        return Some(match interfaces.is_empty() {
            true => error.with_note("the component has no interfaces"),
            false => {
                error.with_note(format!("the component's interfaces are {}", interfaces.join(", ")))
            }
        });
    }
    None
}

/// The name between a message's quotes.
fn quoted(text: &str) -> Option<&str> {
    let start = text.find(['\'', '`', '\u{2018}'])?;
    let rest = &text[start..];
    let rest = &rest[rest.chars().next()?.len_utf8()..];
    rest.find(['\'', '\u{2019}']).map(|end| &rest[..end])
}

/// Returns the prototype that the description has for a function.
fn prototype(view: &Component, name: &str) -> Option<String> {
    let provided = view.provides.iter().flat_map(|i| i.methods.iter().map(move |m| (&i.name, m)));
    let used = view.uses.iter().flat_map(|i| i.methods.iter().map(move |m| (&i.name, m)));
    let mut all = provided.chain(used);
    let found = all.find(|(interface, method)| {
        name.strip_prefix(interface.as_str()).and_then(|rest| rest.strip_prefix('_'))
            == Some(&method.name)
    });
    match found {
        Some((_, method)) => Some(format!("{} {name}({})", method.returns, method.declaration)),
        None if name == "run" => Some("int run(void)".into()),
        None => ["pre_init", "post_init"].contains(&name).then(|| format!("void {name}(void)")),
    }
}

fn interfaces(view: &Component) -> Vec<String> {
    let names = (view.provides.iter().map(|i| &i.name)).chain(view.uses.iter().map(|i| &i.name));
    let names = names
        .chain(view.emits.iter().map(|i| &i.name))
        .chain(view.consumes.iter().map(|i| &i.name));
    names.chain(view.dataports.iter().map(|i| &i.name)).map(|name| format!("`{name}`")).collect()
}

/// A place without the folders of this machine.
fn shown(place: &str) -> String {
    let place = place.trim();
    let start =
        place.find("components/").or_else(|| place.rfind("/src/").map(|at| at + 1)).unwrap_or(0);
    place[start..].to_owned()
}

fn quoting(mut diagnostic: Diagnostic, text: &str) -> Diagnostic {
    let lines: Vec<&str> = text.lines().collect();
    let shown = lines.len().min(MOST_LINES);
    diagnostic.notes.extend(lines[..shown].iter().map(|&line| line.to_owned()));
    if lines.len() > shown {
        diagnostic.notes.push(format!("... and {} more lines", lines.len() - shown));
    }
    diagnostic
}

/// Each message once, in order.
fn once(messages: Vec<Diagnostic>) -> Failure {
    let mut kept = Failure::new();
    for message in messages {
        if !kept.iter().any(|known: &Diagnostic| known.message == message.message) {
            kept.push(message);
        }
    }
    kept
}
