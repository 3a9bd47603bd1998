//! The measuring systems on a kernel that has schedulers.
//!
//! A system runs on that kernel if it has one, and all of the kernel's ways grow with how many
//! there are. So each gets as many as the costs are for, with a thread each that has nothing to do.

use crate::setting::SCHEDULERS;

/// The same description beside schedulers.
pub(crate) fn beside_schedulers(text: &str) -> String {
    let [assembly, composition, configuration] = ["assembly {", "composition {", "configuration {"];
    let all = |line: &dyn Fn(usize) -> String| (0..SCHEDULERS).map(line).collect::<String>();
    let before = "import <fusee/fixed_priority.camkes>;\ncomponent Dispatched { control; }\n";
    let instances = all(&|i| {
        format!(
            "\n        component FixedPriority scheduler{i};\n        component Dispatched d{i};"
        )
    });
    let settings = all(&|i| {
        let (scheduler, thread) = (format!("scheduler{i}"), format!("d{i}"));
        // Below all that is measured: none of them begins on the way of another.
        let lines = [
            format!("{scheduler}.priority = {};", i + 1),
            format!("{thread}.scheduler = \"{scheduler}\";"),
            format!("{thread}.priority = 10;"),
            format!("{thread}.stub = true;"),
            format!("{thread}.period = \"1000 s\";"),
            format!("{thread}.offset = \"999 s\";"),
            format!("{thread}.wcet = \"1 us\";"),
        ];
        lines.map(|line| format!("\n        {line}")).concat()
    });
    text.replacen(assembly, &format!("{before}\n{assembly}"), 1)
        .replacen(composition, &format!("{composition}{instances}"), 1)
        .replacen(configuration, &format!("{configuration}{settings}"), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedulers_are_added() {
        let text = "assembly {\n    composition {\n    }\n    configuration {\n    }\n}\n";
        let with = beside_schedulers(text);
        assert_eq!(with.matches("component FixedPriority scheduler").count(), SCHEDULERS, "{with}");
        assert!(with.starts_with("import <fusee/fixed_priority.camkes>;\n"), "{with}");
        assert!(with.contains("d3.scheduler = \"scheduler3\";"), "{with}");
    }
}
