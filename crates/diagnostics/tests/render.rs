//! The two renderings of a message.

use fusee_diagnostics::render::{Style, closing, json, text};
use fusee_diagnostics::{Code, Diagnostic, FileId, SourceMap, Span};

const SYSTEM: &str = "\
import <std_connector.camkes>;
assembly {
    composition {
        component Bus bus;
        component Meteo meteo;
        connection seL4RPCCall c(from meteo.buss, to bus.port);
    }
    configuration {
        bus.port_ceiling = 10;
        meteo.priority = 20;
    }
}
";

fn span(sources: &SourceMap, file: FileId, needle: &str) -> Span {
    let start = sources.file(file).text.find(needle).expect("the text contains it") as u32;
    Span { file, start, end: start + needle.len() as u32 }
}

fn sources() -> (SourceMap, FileId, FileId) {
    let mut sources = SourceMap::default();
    let system = sources.add("system.camkes", SYSTEM.to_owned());
    let meteo = sources.add("meteo.camkes", "component Meteo {\n    uses Bus bus;\n}\n".to_owned());
    (sources, system, meteo)
}

#[test]
fn shows_places_in_several_files_notes_and_repairs() {
    let (sources, system, meteo) = sources();
    let end = span(&sources, system, "meteo.buss");
    let name = Span { file: system, start: end.start + 6, end: end.end };
    let unknown = Diagnostic::error(Code("F0201"), "`meteo` has no interface `buss`")
        .at(name, "no such interface")
        .because(span(&sources, meteo, "uses Bus bus;"), "`Meteo` declares this one")
        .because(span(&sources, system, "component Meteo meteo"), "`meteo` is declared here")
        .with_note("interfaces are named as in the component, not as in its type")
        .with_fix("write the name that exists", name, "bus");
    let low = Diagnostic::warning(Code("F0510"), "a ceiling below a user")
        .at(span(&sources, system, "10"), "the ceiling")
        .because(span(&sources, system, "20"), "the user");
    let all = [unknown, low];
    snapbox::assert_data_eq!(
        text(&all, &sources, Style::Plain),
        snapbox::file!["render.txt"].raw()
    );
    snapbox::assert_data_eq!(
        text(&all, &sources, Style::Coloured),
        snapbox::file!["render.term.svg"]
    );
    assert_eq!(closing(&all), "1 error, 1 warning; run `fusee explain F0201` to read more");
    let list = json(&all, &sources);
    snapbox::assert_data_eq!(
        serde_json::to_string_pretty(&list).unwrap(),
        snapbox::file!["render.json"].raw()
    );
}

#[test]
fn closing_counts() {
    let error = || Diagnostic::error(Code("F0002"), "e");
    let warning = || Diagnostic::warning(Code("F0003"), "w");
    assert_eq!(closing(&[]), "");
    assert_eq!(closing(&[Diagnostic::note(Code("F0001"), "n")]), "");
    let mixed = closing(&[warning(), error(), error()]);
    assert_eq!(mixed, "2 errors, 1 warning; run `fusee explain F0002` to read more");
}

#[test]
fn survives_any_span_and_any_text() {
    let texts = ["", "\n", "é\u{1b}[31mü", "a\r\nb\tc", "x\u{0}y", "no end", &"ä".repeat(70_000)];
    for text_of_file in texts {
        let mut sources = SourceMap::default();
        let file = sources.add("odd\u{7}.camkes", text_of_file.to_owned());
        for (start, end) in
            [(0, 0), (1, 1), (1, 2), (3, 1), (0, 9), (5, u32::MAX), (u32::MAX, u32::MAX)]
        {
            let span = Span { file, start, end };
            let one = Diagnostic::error(Code("F0001"), "quotes \u{1b}[31m")
                .at(span, "here")
                .with_fix("fix", span, "z");
            for style in [Style::Plain, Style::Coloured] {
                let shown = text(std::slice::from_ref(&one), &sources, style);
                assert!(
                    shown.contains("F0001")
                        && !shown.contains("\u{1b}[31mü")
                        && !shown.contains('\u{7}')
                );
                assert!(style == Style::Coloured || !shown.contains('\u{1b}'), "{shown:?}");
            }
            assert!(json(&[one], &sources)[0]["spans"][0]["line"].as_u64() > Some(0));
        }
    }
}

#[test]
fn shows_distant_places_without_what_lies_between() {
    let mut sources = SourceMap::default();
    let file = sources.add("long.camkes", format!("first\n{}last\n", "between\n".repeat(200_000)));
    let last = sources.file(file).text.len() as u32 - 5;
    let one = Diagnostic::error(Code("F0001"), "far apart")
        .at(Span { file, start: last, end: last + 4 }, "this")
        .because(Span { file, start: 0, end: 5 }, "that");
    let shown = text(&[one], &sources, Style::Plain);
    assert!(shown.lines().count() < 15, "{shown}");
    assert!(shown.find("200002 | last").unwrap() < shown.find("1 | first").unwrap(), "{shown}");
}
