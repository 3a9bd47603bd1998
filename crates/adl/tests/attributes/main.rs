//! No setting of a description is dropped without a word.
//!
//! Descriptions are drawn with attributes of CAmkES in random places. A reader of the text, which
//! shares no table with the program, asks of each setting: do messages point at it, or is the
//! system another one without it, or does somebody else read it? `ATTRIBUTE_DESCRIPTIONS` in the
//! environment says how many are drawn, `ATTRIBUTE_SEED` where to begin.

mod draw;
mod random;
mod reader;

use fusee_adl::Options;
use fusee_adl::resolve::resolve;
use fusee_adl::syntax::load_bytes;
use fusee_diagnostics::{Diagnostic, Severity, SourceMap};
use fusee_model::System;
use reader::{Setting, Text};
use std::collections::{BTreeMap, BTreeSet};

/// The treatment of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Became {
    /// Messages name it.
    Told,
    /// The system is another one without it.
    Followed,
    /// The reader of the text knows why nothing is to be seen.
    Fine(&'static str),
    /// Nothing is said, and nothing differs.
    Dropped,
}

struct Read {
    sources: SourceMap,
    diagnostics: Vec<Diagnostic>,
    system: Option<System>,
}

fn read(text: &str) -> Read {
    let loaded = load_bytes(text.as_bytes());
    let errors: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert!(errors.is_empty(), "{errors:?} in\n{text}");
    let resolution = resolve(&loaded.tree, "drawn", &Options::default());
    let (sources, diagnostics) = (loaded.sources, resolution.diagnostics);
    Read { sources, diagnostics, system: resolution.system }
}

impl Read {
    /// Returns the lines that messages point at, from 0; of errors only, or of all.
    fn lines(&self, least: Severity) -> BTreeSet<usize> {
        let serious = self.diagnostics.iter().filter(|said| said.severity >= least);
        let labels = serious.flat_map(|said| &said.labels);
        let start = |label: &fusee_diagnostics::Label| {
            let file = self.sources.file(label.span.file);
            file.text[..label.span.start as usize].matches('\n').count()
        };
        labels.map(start).collect()
    }

    /// Returns `true` if messages name a setting: they point at its line, or have its name in
    /// backquotes.
    fn tells(&self, setting: &Setting) -> bool {
        let name = format!("`{}`", setting.name);
        let named = |said: &Diagnostic| said.notes.iter().any(|note| note.contains(&name));
        self.lines(Severity::Note).contains(&setting.line) || self.diagnostics.iter().any(named)
    }

    /// Everything that the system is, but for the places of things and the setting itself, as it
    /// was written, which whoever builds may read or not.
    fn shape(&self, but: &Setting) -> Option<String> {
        let mut system = self.system.clone()?;
        for component in &mut system.components {
            let name = component.name.clone();
            component.attributes.retain(|own| format!("{name}.{}", own.name) != but.name);
        }
        let text = format!("{system:?}");
        let mut shape = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once("Origin(") {
            shape.push_str(before);
            rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
        }
        shape.push_str(rest);
        Some(shape)
    }
}

/// Returns a text without some of its lines, which stay as empty ones.
fn without(text: &str, lines: &BTreeSet<usize>) -> String {
    let keep = |(at, line): (usize, &str)| match lines.contains(&at) {
        true => "\n".to_owned(),
        false => format!("{line}\n"),
    };
    text.lines().enumerate().map(keep).collect()
}

/// Returns the treatment of each setting of a description. Settings that errors point at are
/// refused, and the rest is judged without them. Where it is refused, what errors point at is told,
/// and the rest is judged without it.
fn judge(text: &str) -> Vec<(String, Became)> {
    let mut became = Vec::new();
    let mut text = text.to_owned();
    loop {
        let (of_text, found) = (Text::read(&text), read(&text));
        if found.system.is_none() {
            let wrong = found.lines(Severity::Error);
            let settings: BTreeSet<usize> = of_text.settings.iter().map(|set| set.line).collect();
            let mut refused: BTreeSet<usize> = wrong.intersection(&settings).copied().collect();
            let told = of_text.settings.iter().filter(|set| refused.contains(&set.line));
            became.extend(told.map(|set| (set.name.clone(), Became::Told)));
            if refused.is_empty() {
                // A schedule, or a default of a component.
                refused = wrong;
            }
            assert!(!refused.is_empty(), "{:?} in\n{text}", found.diagnostics);
            text = without(&text, &refused);
            continue;
        }
        for setting in &of_text.settings {
            let name = setting.name.clone();
            let other = || read(&without(&text, &BTreeSet::from([setting.line])));
            let fate = if found.tells(setting) {
                Became::Told
            } else if let Some(why) = of_text.excuse(setting) {
                Became::Fine(why)
            } else if other().shape(setting) != found.shape(setting) {
                Became::Followed
            } else if has_twin(&of_text, &text, setting) {
                Became::Fine("another setting says the same")
            } else {
                Became::Dropped
            };
            became.push((name, fate));
        }
        return became;
    }
}

/// Returns `true` if another setting has the same value, and without that one this one matters.
fn has_twin(of_text: &Text, text: &str, setting: &Setting) -> bool {
    let is_alike = |other: &&Setting| other.line != setting.line && other.value == setting.value;
    of_text.settings.iter().filter(is_alike).any(|other| {
        let alone = read(&without(text, &BTreeSet::from([other.line])));
        let neither = read(&without(text, &BTreeSet::from([other.line, setting.line])));
        alone.shape(setting) != neither.shape(setting)
    })
}

fn asked(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn no_setting_of_a_drawn_description_is_dropped() {
    let count = asked("ATTRIBUTE_DESCRIPTIONS", 200);
    let seed = asked("ATTRIBUTE_SEED", 1);
    let mut fates: BTreeMap<Became, usize> = BTreeMap::new();
    let mut names = BTreeSet::new();
    let mut dropped = Vec::new();
    for seed in seed..seed + count {
        let text = draw::description(seed);
        for (name, fate) in judge(&text) {
            *fates.entry(fate).or_default() += 1;
            if fate == Became::Dropped {
                dropped.push(format!("{name} in the description of seed {seed}:\n{text}"));
            }
            names.insert(name.rsplit('.').next().unwrap_or("").to_owned());
        }
    }
    println!("{count} descriptions, {} names of attributes: {fates:#?}", names.len());
    assert!(dropped.is_empty(), "{}; {}", dropped.len(), dropped.join("\n"));
    // Both are seen often enough to mean something.
    let seen = |fate| fates.get(&fate).copied().unwrap_or(0) as u64;
    assert!(seen(Became::Told) > count && seen(Became::Followed) > count / 4, "{fates:?}");
}

/// Returns the treatment of one setting in a description that has everything.
fn fate(setting: &str) -> Became {
    let text = format!(
        "connector seL4RPCCall {{ from Procedures; to Procedure; }}
procedure P {{ void m(); }}
component Server {{
provides P p;
has semaphore s;
}}
component Client {{
control;
uses P p;
attribute int speed;
}}
assembly {{
composition {{
component Server server;
component Client client;
connection seL4RPCCall c(from client.p, to server.p);
}}
configuration {{
{setting}
}}
}}
"
    );
    judge(&text)[0].1
}

#[test]
fn the_judge_tells_what_is_told_from_what_is_followed() {
    assert_eq!(fate("client._priority = 7;"), Became::Followed);
    assert_eq!(fate("server.s_value = 7;"), Became::Followed);
    assert_eq!(fate("server.p_priority = 7;"), Became::Told);
    assert_eq!(fate("server.p_domain = 7;"), Became::Told, "refused");
    assert_eq!(fate("server.p_passive = 1;"), Became::Fine("callers pay here, too"));
    assert_eq!(fate("server.p_passive = \"false\";"), Became::Told);
    assert_eq!(fate("c.colour = 7;"), Became::Told);
    assert_eq!(fate("client.speed = 7;"), Became::Fine("the component's own code has it"));
}

#[test]
fn the_judge_sees_a_setting_that_is_dropped() {
    // Nothing points at a comment, and nothing differs without it.
    let found = read("component A { control; }\nassembly { composition { component A a; } }\n");
    let text = Text::read("configuration {\na.nothing = 1;\n}\n");
    let setting = &text.settings[0];
    assert!(!found.tells(setting) && text.excuse(setting).is_none());
    assert_eq!(found.shape(setting), found.shape(setting));
}
