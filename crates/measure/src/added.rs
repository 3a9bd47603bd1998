//! The additions to the description of a measuring system.

/// Returns a description with more before its assembly, in its composition and in its
/// configuration.
pub(crate) fn added(text: &str, [before, instances, settings]: [&str; 3]) -> String {
    text.replacen("assembly {", &format!("{before}\nassembly {{"), 1)
        .replacen("composition {", &format!("composition {{{instances}"), 1)
        .replacen("configuration {", &format!("configuration {{{settings}"), 1)
}

/// Returns the settings of a thread that has nothing to do as long as a system is looked at.
pub(crate) fn idle(name: &str) -> String {
    let settings = ["stub = true", "period = \"1000 s\"", "offset = \"999 s\"", "wcet = \"1 us\""];
    settings.map(|setting| format!("{name}.{setting};\n        ")).concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_comes_to_its_place() {
        let text = "assembly {\n    composition {\n    }\n    configuration {\n    }\n}\n";
        let with = added(text, ["component A {}", " component A a;", " a.b = 1;"]);
        let places = ["component A {}\nassembly {", "composition { component A a;"];
        assert!(places.iter().all(|place| with.contains(place)), "{with}");
        assert!(with.contains("configuration { a.b = 1;"), "{with}");
    }
}
