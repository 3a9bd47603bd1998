//! Small jobs have bounds that runs keep: quotients, lines of text, counters.

use std::path::Path;

use fusee_testing::Tool;
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

const C: [(&str, &str); 9] = [
    ("quotient", "static volatile float k = 0.5f; int run(void) { k = 3.0f / k; return 0; }"),
    ("product", "static volatile double k = 0.5; int run(void) { k = k * 3.0 + 1.0; return 0; }"),
    ("whole", "static volatile float k = 7.5f; int run(void) { return (int)k & 0; }"),
    ("constant", "int run(void) { printf(\"%d\\n\", 3); return 0; }"),
    ("masked", "static int n; int run(void) { printf(\"%d\\n\", n++ & 7); return 0; }"),
    ("any", "static int n = -5; int run(void) { printf(\"%d\\n\", n++); return 0; }"),
    ("hex", "static unsigned n; int run(void) { printf(\"%x %u\\n\", n, n); n += 77; return 0; }"),
    ("text", "int run(void) { printf(\"%s of %5u\\n\", \"three\", 7u); return 0; }"),
    ("lone", "int run(void) { puts(\"here\"); return 0; }"),
];

const RUST: [(&str, &str); 7] = [
    ("adding", "N.store(N.load(Relaxed) + 1, Relaxed)"),
    ("turning", "N.store((N.load(Relaxed) * 3) % 17, Relaxed)"),
    ("index", "let all = [3, 1, 4, 1]; N.store(all[(N.load(Relaxed) & 3) as usize], Relaxed)"),
    ("line", "camkes::line().text(\"at \").number(N.fetch_add(-7, Relaxed).into()).end()"),
    (
        "words",
        "let n = N.load(Relaxed).into(); camkes::line().number(n).text(\" of \").number(n).end()",
    ),
    ("copy", "let all = core::hint::black_box([N.load(Relaxed); 40]); N.store(all[7], Relaxed)"),
    (
        "alike",
        "let all = core::hint::black_box([1; 60]); N.store((all == [2; 60]).into(), Relaxed)",
    ),
];

/// Components of this kind and name each, whose jobs begin one after the other.
fn described() -> String {
    let names = || C.iter().chain(&RUST).map(|(name, _)| *name).enumerate();
    let kinds: String =
        names().map(|(index, _)| format!("component T{index} {{ control; }}\n")).collect();
    let instances: String =
        names().map(|(index, name)| format!("component T{index} {name};\n")).collect();
    let settings: String = names()
        .map(|(index, name)| {
            format!(
                "{name}.period = \"10 ms\"; {name}.offset = \"{index} us\"; {name}.calls = [];\n"
            )
        })
        .collect();
    format!(
        "{kinds}assembly {{\ncomposition {{\n{instances}}}\nconfiguration {{\n{settings}}}\n}}\n"
    )
}

fn in_rust(statement: &str) -> String {
    format!(
        "#![no_std]\nuse core::sync::atomic::{{AtomicI32, Ordering::Relaxed}};\n\
         static N: AtomicI32 = AtomicI32::new(0);\nstruct T;\n\
         impl camkes::provided::Control for T {{ fn run() {{ {statement}; }} }}\n\
         camkes::component!(T);\n"
    )
}

fn document(folder: &Path, arguments: &[&str]) -> Value {
    let run = FUSEE.run_in(folder, &[arguments, &["--json"]].concat());
    let said = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(0), "{arguments:?}: {said}");
    serde_json::from_slice(&run.stdout).unwrap_or_else(|error| panic!("{error}: {said}"))
}

#[test]
fn small_jobs_are_bounded_without_a_fact() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("small-jobs");
    let _ = std::fs::remove_dir_all(&folder);
    let mut files = vec![("system.camkes".to_owned(), described())];
    let in_c = |text: &str| format!("#include <camkes.h>\n#include <stdio.h>\n{text}\n");
    let texts = C.iter().map(|(_, text)| ("t.c", in_c(text)));
    let texts = texts.chain(RUST.iter().map(|(_, text)| ("lib.rs", in_rust(text))));
    let sources = texts
        .enumerate()
        .map(|(index, (file, text))| (format!("components/T{index}/{file}"), text));
    files.extend(sources);
    for (path, text) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    let places = ["system.camkes", "--platform", "qemu-rv64"];
    document(&folder, &[&["build", "-o", "made"], &places[..]].concat());
    let proved = document(&folder, &[&["analyze", "--programs", "made"], &places[..]].concat());
    let seen = document(&folder, &["run", "made/image.elf", "--for", "100ms"]);
    let (bounds, jobs) = (&proved["tasks"], &seen["tasks"]);
    for (index, (name, _)) in C.iter().chain(&RUST).enumerate() {
        let (bound, job) = (&bounds[index], &jobs[index]);
        assert!(bound["name"] == *name && job["name"] == *name, "{bound} {job}");
        let most = bound["response_bound_ns"].as_u64();
        let longest = job["response_max_ns"].as_u64();
        assert!(longest.is_some() && longest <= most, "{name}: {longest:?}, bound {most:?}");
        assert!(job["jobs"].as_u64() >= Some(9), "{name}: {job}");
    }
}
