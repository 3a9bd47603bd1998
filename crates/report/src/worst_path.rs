//! A page about execution times of a program and its worst paths.
//!
//! It answers three questions from top to bottom: how long at most and resting on
//! what, where the time goes, and by which way. What is long is folded, so that
//! the page of a kernel can be read as well as that of a loop. It is one file; its
//! only script looks up bounds for other numbers of iterations, which stand there.

mod source;
mod supposed;

pub use source::{File, SourceLine};
pub use supposed::Supposed;

use crate::markup::{Attributes, Markup, labelled};
use crate::page::document;

/// The content of the page.
#[derive(Debug, Clone, Default)]
pub struct WorstPaths {
    /// The program's name.
    pub program: String,
    /// The machine whose time is counted.
    pub machine: String,
    /// The unit of times.
    pub unit: String,
    /// The entries in order.
    pub entries: Vec<Entry>,
}

/// One entry of the program.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    /// The name as it is shown.
    pub name: String,
    /// The bound; nothing where something stands in the way.
    pub bound: Option<u64>,
    /// Names and values beside the bound: observed, stack, answers.
    pub facts: Vec<(String, String)>,
    /// The facts that the bound rests on, in sentences.
    pub basis: Vec<String>,
    /// The obstacles to the bound, in sentences.
    pub obstacles: Vec<String>,
    /// The division of the time: by function, then by line of source.
    pub sums: Vec<Sum>,
    /// The steps of the path.
    pub steps: Vec<Step>,
    /// The code on it.
    pub blocks: Vec<Block>,
    /// Its source with the code, where there is debugging information.
    pub files: Vec<File>,
    /// Its loops, with bounds for other numbers of iterations.
    pub loops: Vec<Supposed>,
}

/// The division of the time by one kind of place.
#[derive(Debug, Clone, Default)]
pub struct Sum {
    /// The kind of place: `function` or `line`.
    pub kind: String,
    /// Place, remark (lines that caches loaded) and time.
    pub rows: Vec<(String, String, u64)>,
}

/// A step of the way.
#[derive(Debug, Clone)]
pub enum Step {
    /// A block: place, source, time.
    Block(String, String, u64),
    /// Steps that are repeated so often, and their time together.
    Repeated(u64, u64, Vec<Step>),
}

/// A block with its code.
#[derive(Debug, Clone, Default)]
pub struct Block {
    /// The name of the place.
    pub name: String,
    /// The number of times that it is executed.
    pub executed: u64,
    /// The time together.
    pub time: u64,
    /// Address, instruction and source of each line.
    pub code: Vec<(String, String, String)>,
}

/// Looks bounds up.
const SCRIPT: &str = include_str!("worst_path/supposed.js");

/// Rows of a table that are not folded away.
const SHOWN: usize = 25;

/// Draws the page.
pub fn render(view: &WorstPaths) -> String {
    document(&format!("{}: execution times", view.program), |m| {
        head(m, view);
        m.element("main", &[], |m| view.entries.iter().for_each(|entry| section(m, view, entry)));
        if view.entries.iter().any(|entry| !entry.loops.is_empty()) {
            m.script(SCRIPT);
        }
    })
}

fn head(m: &mut Markup, view: &WorstPaths) {
    let unbounded: Vec<&str> =
        view.entries.iter().filter(|e| e.bound.is_none()).map(|e| e.name.as_str()).collect();
    m.element("header", &[], |m| {
        m.leaf("h1", &[], &view.program);
        let class = if unbounded.is_empty() { "verdict good" } else { "verdict bad" };
        m.element("div", &[("class", &class)], |m| match unbounded[..] {
            [] => m.leaf("p", &[], "Every entry has a bound."),
            _ => m.leaf("p", &[], format_args!("No bound for {}.", crate::text::list(&unbounded))),
        });
        m.element("dl", &[("class", &"facts")], |m| fact(m, "machine", &view.machine));
    });
}

fn fact(m: &mut Markup, name: &str, value: &str) {
    m.element("div", &[], |m| {
        m.leaf("dt", &[], name);
        m.leaf("dd", &[], value);
    });
}

fn section(m: &mut Markup, view: &WorstPaths, entry: &Entry) {
    m.element("section", &[], |m| {
        m.leaf("h2", &[], &entry.name);
        m.element("dl", &[("class", &"facts")], |m| {
            let bound =
                entry.bound.map_or("none".to_owned(), |bound| format!("{bound} {}", view.unit));
            fact(m, "at most", &bound);
            entry.facts.iter().for_each(|(name, value)| fact(m, name, value));
        });
        list(m, "What stands in the way", &entry.obstacles);
        list(m, "What the bound rests on", &entry.basis);
        supposed::section(m, view, &entry.loops);
        for sum in entry.sums.iter().filter(|sum| !sum.rows.is_empty()) {
            m.leaf("h3", &[], format_args!("The time by {}", sum.kind));
            let whole = entry.bound.unwrap_or(1).max(1);
            labelled(m, &format!("{}: the time by {}", entry.name, sum.kind), |m| {
                rows(m, sum, whole)
            });
        }
        source::section(m, view, &entry.files, entry.bound.unwrap_or(1));
        if !entry.steps.is_empty() {
            m.leaf("h3", &[], "The worst path, step by step");
            m.element("ol", &[("class", &"steps")], |m| {
                entry.steps.iter().for_each(|s| step(m, s))
            });
        }
        if !entry.blocks.is_empty() {
            m.leaf("h3", &[], "The code on it");
            entry.blocks.iter().for_each(|block| listing(m, block));
        }
    });
}

fn list(m: &mut Markup, title: &str, sentences: &[String]) {
    if sentences.is_empty() {
        return;
    }
    m.leaf("h3", &[], title);
    m.element("ul", &[], |m| {
        sentences.iter().for_each(|sentence| m.element("li", &[], |m| m.prose(sentence)))
    });
}

fn rows(m: &mut Markup, sum: &Sum, whole: u64) {
    m.element("table", &[], |m| {
        m.element("thead", &[], |m| {
            m.element("tr", &[], |m| {
                for (class, title) in
                    [("", sum.kind.as_str()), ("number", "time"), ("", "share"), ("", "")]
                {
                    m.leaf("th", &[("scope", &"col"), ("class", &class)], title);
                }
            });
        });
        m.element("tbody", &[], |m| {
            for (place, remark, time) in sum.rows.iter().take(SHOWN) {
                m.element("tr", &[], |m| {
                    m.element("th", &[("scope", &"row")], |m| m.leaf("code", &[], place));
                    m.leaf("td", &[("class", &"number")], time);
                    m.element("td", &[], |m| bar(m, *time, whole));
                    m.leaf("td", &[("class", &"hint")], remark);
                });
            }
        });
    });
    if sum.rows.len() > SHOWN {
        m.leaf("p", &[("class", &"hint")], format_args!("and {} more", sum.rows.len() - SHOWN));
    }
}

fn bar(m: &mut Markup, time: u64, whole: u64) {
    let tenths = (u128::from(time) * 1000 / u128::from(whole)).min(1000) as u64;
    let width = tenths * 36 / 100;
    let frame: Attributes<'_> = &[("class", &"bar"), ("viewBox", &"0 0 360 26"), ("role", &"img")];
    m.element("svg", frame, |m| {
        m.empty("rect", &[("class", &"track"), ("width", &360), ("height", &16), ("y", &5)]);
        let part: Attributes<'_> =
            &[("class", &"part part-own"), ("width", &width), ("height", &16), ("y", &5)];
        m.shape("rect", part, format_args!("{}.{} %", tenths / 10, tenths % 10));
    });
}

fn step(m: &mut Markup, shown: &Step) {
    match shown {
        Step::Block(place, source, time) => m.element("li", &[], |m| {
            m.leaf("code", &[], place);
            m.leaf("span", &[], format_args!(" {time} "));
            m.leaf("span", &[("class", &"hint")], source);
        }),
        Step::Repeated(times, time, steps) => m.element("li", &[], |m| {
            m.element("details", &[("open", &"open")], |m| {
                m.leaf("summary", &[], format_args!("{times} times, {time} together"));
                m.element("ol", &[("class", &"steps")], |m| steps.iter().for_each(|s| step(m, s)));
            });
        }),
    }
}

fn listing(m: &mut Markup, block: &Block) {
    m.element("details", &[], |m| {
        m.element("summary", &[], |m| {
            m.leaf("code", &[], &block.name);
            m.text(format_args!(": executed {} times, {} together", block.executed, block.time));
        });
        labelled(m, &block.name, |m| {
            m.element("table", &[], |m| {
                m.element("tbody", &[], |m| {
                    for (address, text, source) in &block.code {
                        m.element("tr", &[], |m| {
                            for cell in [address, text] {
                                m.element("td", &[], |m| m.leaf("code", &[], cell));
                            }
                            m.leaf("td", &[("class", &"hint")], source);
                        });
                    }
                });
            });
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_where_the_time_goes_and_by_which_way() {
        let line = |number, time, text: &str| SourceLine {
            number,
            text: "sum += *at++;".into(),
            time,
            code: vec![("0x8".into(), text.into(), 16)],
        };
        let inner = Step::Block("loop".into(), "a.c:3".into(), 4);
        let entry = Entry {
            name: "sum <x>".into(),
            bound: Some(67),
            basis: vec!["the fact `loops.sum = 16`".into()],
            sums: vec![Sum {
                kind: "function".into(),
                rows: vec![("sum".into(), "2 misses".into(), 67)],
            }],
            steps: vec![
                Step::Block("sum".into(), "a.c:1".into(), 3),
                Step::Repeated(16, 64, vec![inner]),
            ],
            blocks: vec![Block {
                name: "loop".into(),
                code: vec![("0x8".into(), "lw a0, 0(a1)".into(), "a.c:3".into())],
                ..Block::default()
            }],
            files: vec![File {
                name: "a.c".into(),
                lines: vec![
                    line(1, 3, "addi a0, 0, 0"),
                    line(3, 64, "lw a1, 0(a2)"),
                    SourceLine { number: 9, ..SourceLine::default() },
                ],
            }],
            loops: vec![
                Supposed {
                    place: "loops.sum = 16".into(),
                    iterations: 16,
                    known: vec![(8, 35), (16, 67), (32, 131)],
                    ..Supposed::default()
                },
                Supposed { place: "fixed".into(), known: vec![(4, 67)], ..Supposed::default() },
            ],
            ..Entry::default()
        };
        let late = Entry {
            name: "wait".into(),
            obstacles: vec!["no bound for `wait+0x2`".into()],
            ..Entry::default()
        };
        let unit = "instructions".to_owned();
        let view = WorstPaths {
            program: "a.elf".into(),
            machine: unit.clone(),
            unit,
            entries: vec![entry, late],
        };
        let page = render(&view);
        for part in [
            "67 instructions",
            "100.0 %",
            "16 times, 64 together",
            "lw a0, 0(a1)",
            "sum &lt;x&gt;",
            "No bound for wait.",
            "heat-8",
            "sum += *at++;",
            "[[8,35],[16,67],[32,131]]",
            "<code>fixed</code> (0)",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert_eq!(page.matches("<script").count(), 1);
        assert!(!page.contains("fixed\""), "nothing is asked of it");
        assert_eq!(page, render(&view));
    }
}
