//! No tree makes resolving panic: pieces missing, doubled, swapped.

use fusee_adl::Options;
use fusee_adl::resolve::{RULES, resolve};
use fusee_adl::syntax::load_bytes;

const RICH: &str = "import <std_connector.camkes>;
procedure P { void run(in int x); int get(out int y[]); attribute int n = 3; }
struct S { int a; string b = \"x\"; }
component Inner { control; provides P p; uses P q; attribute S s = {\"a\": 1};
attribute int list[] = [1, 2]; has mutex m; }
component Outer { provides P p; uses P q; attribute int x = 1 + 2 * 3;
  composition { component Inner i; export i.p -> p; export i.q -> q; }
  configuration { i.period = \"10 ms\"; i.wcet <- text;
  i.calls = [\"q.run\", \"1 ms\", \"emit e\"]; } }
component Dev { hardware; emits Irq irq; dataport Buf(4096) mem; }
component Drv { control; consumes Irq irq; dataport Buf(4096) mem; provides P p; }
assembly { composition { component Outer o; component Dev dev; group g { component Drv drv;
component Inner in2; }
  connection seL4RPCCall a(from o.q, from g.in2.q, to g.drv.p);
  connection seL4HardwareInterrupt b(from dev.irq, to drv.irq);
  connection seL4HardwareMMIO c(from drv.mem, to dev.mem); }
 configuration { drv.p_priority_protocol = \"fixed\"; drv.period = \"5 ms\"; drv.budget = \"1 ms\";
 in2.list = [1 ? 2 : 3];
  drv.p_run_wcet = \"1 us\"; in2.s <- drv.s[\"a\"][0]; system.time_slice = \"1 ms\"; o.x = 1 << 3;
  a.buffer = \"b\"; } }";

fn survives(text: &str) {
    let loaded = load_bytes(text.as_bytes());
    let resolution = resolve(&loaded.tree, "x", &Options::default());
    let again = resolve(&loaded.tree, "x", &Options::default());
    assert_eq!(
        (&resolution.system, &resolution.diagnostics),
        (&again.system, &again.diagnostics),
        "same in, same out"
    );
    for label in resolution.diagnostics.iter().flat_map(|diagnostic| &diagnostic.labels) {
        let file = loaded.sources.file(label.span.file);
        assert!(label.span.start <= label.span.end && label.span.end as usize <= file.text.len());
    }
}

fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let of_name = |c: char| c.is_alphanumeric() || c == '_';
        let end = rest
            .find(|c: char| !of_name(c))
            .filter(|&end| end > 0 && of_name(first))
            .unwrap_or(first.len_utf8());
        let end = if of_name(first) && rest.chars().all(of_name) { rest.len() } else { end };
        words.push(&rest[..end]);
        rest = &rest[end..];
    }
    words
}

#[test]
fn words_missing_doubled_and_swapped() {
    let words = words(RICH);
    assert_eq!(words.concat(), RICH);
    for index in 0..words.len() {
        let (before, after) = (words[..index].concat(), words[index + 1..].concat());
        survives(&format!("{before}{after}"));
        survives(&format!("{before}{word} {word}{after}", word = words[index]));
        survives(&format!("{before}{}{after}", words[(index * 7919) % words.len()]));
    }
}

#[test]
fn every_beginning_and_every_end() {
    for index in (0..RICH.len()).filter(|&index| RICH.is_char_boundary(index)) {
        survives(&RICH[..index]);
    }
    for index in (0..RICH.len()).step_by(3).filter(|&index| RICH.is_char_boundary(index)) {
        survives(&RICH[index..]);
    }
}

#[test]
fn pieces_of_the_rules_examples() {
    for rule in RULES.iter().filter(|rule| rule.code.0 != "F0209") {
        for index in
            (0..rule.example.len()).step_by(5).filter(|&index| rule.example.is_char_boundary(index))
        {
            survives(&rule.example[..index]);
        }
    }
}
