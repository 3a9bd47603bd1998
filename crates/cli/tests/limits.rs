//! Limits that are told before anything runs: of images, and of trust.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use fusee_testing::{Tool, write_project};

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// Writes a description and returns its path.
fn written(name: &str, text: &str) -> String {
    let path = format!("{}/{name}.camkes", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&path, text).expect("a scratch file");
    path
}

/// Returns the output of `fusee check`, and its exit status.
fn check(name: &str, text: &str) -> (Option<i32>, String) {
    let path = written(name, text);
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

/// A component with a mutex of its own, which two cores lock; nobody says that it is not trusted.
const OWN_MUTEX: &str = "import <std_connector.camkes>;
procedure Ask { void ask(); };
component Guest { control; provides Ask door; has mutex m; }
component Pump { control; uses Ask door; }
assembly {
    composition {
        component Guest guest;
        component Pump pump;
        connection seL4RPCCall c(from pump.door, to guest.door);
    }
    configuration {
        pump.period = \"10 ms\"; pump.calls = [\"10 us\", \"door.ask\"]; pump.core = 1;
        guest.period = \"10 ms\"; guest.calls = [\"10 us\", \"lock m\", \"20 us\", \"unlock m\"];
        guest.budget = \"100 us\"; guest.overrun = \"suspend\";
        guest.door_priority_protocol = \"propagated\";
        guest.door_ask_calls = [\"lock m\", \"10 us\", \"unlock m\"];
        guest.m_priority_protocol = \"msrp\";
    }
}
";

/// A gate that two cores pass, whose component calls another on the way.
const CALLED_INSIDE: &str = "import <std_connector.camkes>;
procedure Access { void put(); };
component Store { provides Access shelf; uses Access below; }
component Cellar { provides Access cellar; }
component Pump { control; uses Access store; }
assembly {
    composition {
        component Store store;
        component Cellar cellar;
        component Pump one;
        component Pump two;
        connection seL4RPCCall c(from one.store, from two.store, to store.shelf);
        connection seL4RPCCall d(from store.below, to cellar.cellar);
    }
    configuration {
        one.period = \"10 ms\"; one.calls = [\"10 us\", \"store.put\"]; one.budget = \"1 ms\";
        two.period = \"20 ms\"; two.calls = [\"10 us\", \"store.put\"]; two.budget = \"1 ms\";
        two.core = 1;
        store.shelf_priority_protocol = \"mrsp\";
        store.shelf_put_calls = [\"10 us\", \"below.put\"];
        cellar.cellar_wcet = \"10 us\";
        cellar.cellar_priority_protocol = \"propagated\";
    }
}
";

/// Returns what `fusee check` says of sections that no budget ends, and how severe that is.
fn endless_sections(name: &str, text: &str) -> Vec<(String, String)> {
    let checked = FUSEE.json(&["check", &written(name, text)], 0);
    let all = checked["diagnostics"].as_array().expect("a list").iter();
    let said = |key: &str, one: &serde_json::Value| one[key].as_str().expect("text").to_owned();
    let of_rule = all.filter(|one| one["code"] == "F0527");
    of_rule.map(|one| (said("severity", one), said("message", one))).collect()
}

/// A note names the code that all tasks of a core trust, where nobody is marked as untrusted; where
/// somebody is, there is a warning instead.
#[test]
fn everybody_is_told_whose_sections_no_budget_ends() {
    let note = |message: &str| vec![("note".to_owned(), message.to_owned())];
    let mutex = "no budget ends sections at `guest.m`: all tasks of cores 0 and 1 trust the code \
                 of `guest`";
    assert_eq!(endless_sections("own-mutex", OWN_MUTEX), note(mutex));
    let inside = "no budget ends sections at `store.shelf`: all tasks of cores 0 and 1 trust the \
                  code of `store` and `cellar`";
    assert_eq!(endless_sections("called-inside", CALLED_INSIDE), note(inside));
    // On one core a budget ends a section as it ends all else.
    for (name, text, from) in
        [("one-mutex", OWN_MUTEX, "pump.core = 1;"), ("one-gate", CALLED_INSIDE, "two.core = 1;")]
    {
        let alone = text.replace(from, "").replace("\"msrp\"", "\"inherited\"");
        let alone = alone.replace("\"mrsp\"", "\"fixed\"").replace("\"propagated\"", "\"fixed\"");
        assert_eq!(endless_sections(name, &alone), [], "{alone}");
    }
    for (name, text, whose, gate) in [
        ("guest-mutex", OWN_MUTEX, "guest", "guest.m"),
        ("guest-gate", CALLED_INSIDE, "cellar", "store.shelf"),
    ] {
        let text =
            text.replace("configuration {", &format!("configuration {{ {whose}.trusted = false;"));
        let found = endless_sections(name, &text);
        let warning = format!(
            "no budget ends a section at `{gate}`, and the code of `{whose}` in it is not trusted"
        );
        assert!(found.contains(&("warning".to_owned(), warning)), "{found:#?}");
        assert!(found.iter().all(|(severity, _)| severity != "note"), "{found:#?}");
    }
}

#[test]
fn a_device_that_no_component_may_have_is_refused_by_the_build() {
    let text = "import <std_connector.camkes>;
component Line { hardware; dataport Buf registers; }
component Driver { control; dataport Buf registers; }
assembly {
    composition {
        component Line line;
        component Driver driver;
        connection seL4HardwareMMIO m(from driver.registers, to line.registers);
    }
    configuration {
        line.registers_paddr = ADDRESS; line.registers_size = 0x1000;
        driver.period = \"10 ms\"; driver.wcet = \"1 ms\"; driver.calls = [];
    }
}
";
    let driver = "#include <camkes.h>\nint run(void) { return 0; }\n";
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("limits-device");
    let _ = std::fs::remove_dir_all(&folder);
    for (address, why) in [
        ("0x43f90000", "there is no device at 0x43f90000"),
        ("0x10100000", "the firmware device there writes to all memory"),
    ] {
        let text = text.replace("ADDRESS", address);
        let path = write_project(&folder, ("system.camkes", &text), &[("Driver", driver)]);
        let out = folder.join("out");
        let [path, out] = [&path, &out].map(|path| path.to_str().expect("UTF-8"));
        let built = FUSEE.json(&["build", path, "--platform", "qemu-rv64", "-o", out], 2);
        let found = &built["diagnostics"][0];
        assert_eq!(found["code"], "F1012", "{built:#}");
        assert!(found["message"].as_str().is_some_and(|text| text.contains(why)), "{built:#}");
        assert!(!folder.join("out/image.elf").exists());
    }
}
