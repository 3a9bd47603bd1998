//! Source and assembly side by side, the hotter the longer a line takes.

use super::WorstPaths;
use crate::markup::{Markup, labelled};

/// A file with lines of the worst path.
#[derive(Debug, Clone, Default)]
pub struct File {
    /// The name as it is shown.
    pub name: String,
    /// Lines in order, those in between that are shown around them as well.
    pub lines: Vec<SourceLine>,
}

/// A line of source with what became of it.
#[derive(Debug, Clone, Default)]
pub struct SourceLine {
    /// From 1 on.
    pub number: u32,
    /// The text of the line; empty where the file could not be read.
    pub text: String,
    /// Its part of the time.
    pub time: u64,
    /// Address, instruction and how often it is executed.
    pub code: Vec<(String, String, u64)>,
}

/// Degrees of heat.
const DEGREES: u64 = 8;

/// All files of an entry.
pub(super) fn section(m: &mut Markup, view: &WorstPaths, files: &[File], whole: u64) {
    if files.is_empty() {
        return;
    }
    m.leaf("h3", &[], "Source and assembly on the worst path");
    let hottest = files.iter().flat_map(|file| &file.lines).map(|line| line.time).max();
    for file in files {
        m.leaf("h4", &[], &file.name);
        labelled(m, &format!("{}: source and assembly", file.name), |m| {
            table(m, view, file, (whole, hottest.unwrap_or(0)));
        });
    }
}

fn table(m: &mut Markup, view: &WorstPaths, file: &File, times: (u64, u64)) {
    m.element("table", &[("class", &"source")], |m| {
        m.element("thead", &[], |m| {
            m.element("tr", &[], |m| {
                let unit = view.unit.as_str();
                for title in [unit, "share", "line", "source", "executed", "assembly"] {
                    m.leaf("th", &[("scope", &"col")], title);
                }
            });
        });
        m.element("tbody", &[], |m| {
            let mut before = None;
            for line in &file.lines {
                if before.is_some_and(|before| before + 1 < line.number) {
                    m.element("tr", &[("class", &"gap")], |m| {
                        m.leaf("td", &[("colspan", &6)], "\u{22ee}");
                    });
                }
                before = Some(line.number);
                row(m, line, times);
            }
        });
    });
}

fn row(m: &mut Markup, line: &SourceLine, (whole, hottest): (u64, u64)) {
    let degree = (u128::from(line.time) * u128::from(DEGREES)).div_ceil(hottest.max(1).into());
    m.element("tr", &[("class", &format_args!("heat-{degree}"))], |m| {
        let tenths = u128::from(line.time) * 1000 / u128::from(whole.max(1));
        let (time, share) = match line.time {
            0 => (String::new(), String::new()),
            time => (time.to_string(), format!("{}.{} %", tenths / 10, tenths % 10)),
        };
        m.leaf("td", &[("class", &"number")], time);
        m.leaf("td", &[("class", &"number")], share);
        m.leaf("td", &[("class", &"number")], line.number);
        m.element("td", &[], |m| m.leaf("pre", &[], &line.text));
        let executed: Vec<String> = line.code.iter().map(|code| code.2.to_string()).collect();
        m.element("td", &[("class", &"number")], |m| m.leaf("pre", &[], executed.join("\n")));
        let code: Vec<String> =
            line.code.iter().map(|(at, text, _)| format!("{at}  {text}")).collect();
        m.element("td", &[], |m| m.leaf("pre", &[], code.join("\n")));
    });
}
