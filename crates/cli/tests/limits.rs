//! `fusee check` tells what no image has room for, before anything is compiled.

use std::fmt::Write;
use std::process::Command;

/// Returns the output of `fusee check`, and its exit status.
fn check(name: &str, text: &str) -> (Option<i32>, String) {
    let path = format!("{}/{name}.camkes", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&path, text).expect("a scratch file");
    let run =
        Command::new(env!("CARGO_BIN_EXE_fusee")).args(["check", &path]).output().expect("fusee");
    (
        run.status.code(),
        String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr),
    )
}

/// Many components, each with a protection domain of its own but for the first ones, which are in a
/// group.
fn many(count: usize, in_group: usize) -> String {
    let mut text = "component Worker { control; }\nassembly {\n    composition {\n".to_owned();
    let mut settings = String::new();
    text += "        group some {\n";
    for index in 0..count {
        text += if index == in_group { "        }\n" } else { "" };
        writeln!(text, "            component Worker w{index};").expect("a string");
        let owner = if index < in_group { format!("some.w{index}") } else { format!("w{index}") };
        writeln!(settings, "        {owner}.priority = 100; {owner}.wcet = \"1 us\";")
            .expect("a string");
    }
    text + "    }\n    configuration {\n" + &settings + "    }\n}\n"
}

#[test]
fn more_protection_domains_than_an_image_has_are_told() {
    let (status, text) = check("many", &many(240, 0));
    assert_eq!(status, Some(0), "it can be simulated: {text}");
    assert!(text.contains("warning[F0908]") && text.contains("room for 240"), "{text}");
    assert!(text.contains("`group`"), "{text}");
    for enough in [many(239, 0), many(240, 2)] {
        let (_, text) = check("enough", &enough);
        assert!(!text.contains("F0908"), "{text}");
    }
}

#[test]
fn a_heap_larger_than_its_domain_is_told() {
    let of = |heap: &str| {
        let given =
            format!("configuration {{ w.wcet = \"1 us\"; w.priority = 1; w.heap_size = {heap}; }}");
        check(
            "heap",
            &format!(
                "component W {{ control; }}\nassembly {{ composition {{ component W w; }} {given} \
                 }}\n"
            ),
        )
    };
    let (status, text) = of("0x40000000");
    assert_eq!(status, Some(0), "{text}");
    assert!(
        text.contains("warning[F0911]") && text.contains("takes 1 GiB") && text.contains("8 MiB"),
        "{text}"
    );
    assert!(!of("65536").1.contains("F0911"));
    // Neither of these is a number of bytes; none of them is taken for the default.
    for (heap, code) in [("-1", "F0303"), ("\"64 KiB\"", "F0304"), ("0x1000000000", "F0303")] {
        let (status, text) = of(heap);
        assert_eq!(status, Some(2), "{text}");
        assert!(text.contains(code), "{text}");
    }
}

#[test]
fn heaps_that_fit_one_by_one_and_not_together_are_told() {
    let of = |name: &str, count: usize| {
        let heaps: String =
            (0..count).map(|index| format!("        w{index}.heap_size = 0x700000;\n")).collect();
        check(
            name,
            &many(count, 0)
                .replace("    configuration {\n", &format!("    configuration {{\n{heaps}")),
        )
    };
    let (status, text) = of("together", 40);
    assert_eq!(status, Some(0), "it can be simulated: {text}");
    assert!(
        text.contains("warning[F0911]") && text.contains("and the machine has 255 MiB"),
        "{text}"
    );
    assert!(text.contains("the largest heap") && text.contains("lower `heap_size`"), "{text}");
    assert!(!of("apart", 30).1.contains("F0911"));
}

#[test]
fn an_interrupt_without_a_number_is_told() {
    let of = |name: &str, settings: &str| {
        let text = format!(
            "import <std_connector.camkes>;\ncomponent Chip {{ hardware; emits Ready ready; }}\n\
             component Driver {{ control; consumes Ready ready; }}\nassembly {{\n    composition \
             {{\n        component Chip chip;\n        component Driver driver;\n        \
             connection seL4HardwareInterrupt c(from chip.ready, to driver.ready);\n    }}\n    \
             configuration {{ driver.wcet = \"1 us\"; driver.priority = 1; {settings} }}\n}}\n"
        );
        check(name, &text)
    };
    let (status, text) = of("silent", "");
    assert_eq!(status, Some(0), "{text}");
    assert!(
        text.contains("warning[F0908]") && text.contains("which interrupt `chip.ready` is"),
        "{text}"
    );
    assert!(text.contains("silent.camkes:2") && text.contains("`chip.ready_irq_number`"), "{text}");
    let (_, text) = of("numbered", "chip.ready_irq_number = 10;");
    assert!(!text.contains("F0908"), "{text}");
    let (_, text) = of("released", "driver.arrival = \"event ready\"; driver.period = \"1 ms\";");
    assert!(!text.contains("F0908"), "time releases the task: {text}");
}

#[test]
fn a_dataport_larger_than_memory_or_than_all_addresses_is_told() {
    let of = |name: &str, size: &str| {
        let text = format!(
            "import <std_connector.camkes>;\ncomponent A {{ control; dataport Buf({size}) d; }}\n\
             assembly {{\n    composition {{\n        component A a;\n        component A \
             b;\n        connection seL4SharedData c(from a.d, to b.d);\n    }}\n    configuration \
             {{ a.wcet = \"1 us\"; a.priority = 1; b.wcet = \"1 us\"; b.priority = 2; }}\n}}\n"
        );
        check(name, &text)
    };
    let (status, text) = of("window", "0x4000000");
    assert!(status == Some(0) && !text.contains("warning"), "{text}");
    let (status, text) = of("memory", "0x10000000");
    assert_eq!(status, Some(0), "it can be simulated: {text}");
    assert!(
        text.contains("warning[F0911]") && text.contains("and the machine has 255 MiB"),
        "{text}"
    );
    assert!(text.contains("memory.camkes:2") && text.contains("the largest dataport"), "{text}");
    let (status, text) = of("addresses", "0xc0000000");
    assert_eq!(status, Some(0), "it can be simulated: {text}");
    assert!(text.contains("warning[F0908]") && text.contains("bytes of addresses, and"), "{text}");
    assert!(text.contains("addresses.camkes:2"), "with its place: {text}");
}
