//! Semaphores between cores boot: posts of another core wake waiting threads.
//!
//! QEMU's cores take turns, so nothing is asked of times; what is asked is what must hold whatever
//! the order of events is.

use fusee_testing::{Tool, document, printed, write_project};
use std::path::{Path, PathBuf};

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// A buffer with two counts: core 0 puts into it and waits for what is free, core 1 takes out of it
/// and waits for what is filled. And a door at which core 1 waits for whoever rings.
const TEXT: &str = r#"
import <std_connector.camkes>;
procedure Put { void one(in int value); int wrong(); void ring(); }
procedure Take { int one(); int wrong(); int answer(); }
component Producer { control; uses Put put; }
component Consumer { control; uses Take take; }
component Visitor { control; uses Put put; }
component Buffer {
    provides Put put; provides Take take;
    has semaphore filled; has semaphore free; has binary_semaphore bell;
}
component Porter { control; uses Take take; }
assembly {
    composition {
        component Buffer buffer; component Producer producer; component Consumer consumer;
        component Visitor visitor; component Porter porter;
        connection seL4RPCCall puts(from producer.put, from visitor.put, to buffer.put);
        connection seL4RPCCall takes(from consumer.take, from porter.take, to buffer.take);
    }
    configuration {
        buffer.put_priority_protocol = "propagated"; buffer.take_priority_protocol = "propagated";
        buffer.put_wcet = "10 us"; buffer.take_wcet = "10 us";
        buffer.filled_core = 1; buffer.filled_value = 0;
        buffer.free_core = 0; buffer.free_value = 3;
        buffer.bell_core = 1;
        producer.period = "5 ms"; producer.wcet = "1 ms"; producer.priority = 20;
        producer.calls = ["put.one", "put.wrong"];
        visitor.period = "7 ms"; visitor.wcet = "1 ms"; visitor.priority = 30;
        visitor.calls = ["put.ring"];
        consumer.period = "9 ms"; consumer.wcet = "1 ms"; consumer.priority = 20;
        consumer.core = 1; consumer.calls = ["take.one", "take.wrong"];
        porter.priority = 10; porter.core = 1; porter.calls = ["take.answer"];
    }
}
"#;

/// The buffer, whose set-up runs on core 0, and posts for both.
const BUFFER: &str = r#"
#include <camkes.h>

static int places[4];
static unsigned head, tail;

void pre_init(void)
{
    places[head++ % 4] = 100;
    filled_post();
}

void put_one(int value)
{
    if (free_wait() != 0)
        return;
    places[head % 4] = value;
    __atomic_store_n(&head, head + 1, __ATOMIC_RELEASE);
    filled_post();
}

int put_wrong(void)
{
    return filled_wait() != 0 && filled_trywait() != 0 && fusee_take_error() != 0;
}

void put_ring(void)
{
    bell_post();
    bell_post();
}

int take_one(void)
{
    if (filled_wait() != 0 || __atomic_load_n(&head, __ATOMIC_ACQUIRE) == tail)
        return -1;
    int value = places[tail++ % 4];
    free_post();
    return value;
}

int take_wrong(void)
{
    return free_wait() != 0 && free_trywait() != 0 && fusee_take_error() != 0;
}

int take_answer(void)
{
    return bell_wait();
}
"#;

const PRODUCER: &str = r#"
#include <camkes.h>
#include <stdio.h>

static int value = 100;

int run(void)
{
    for (int i = 0; i < 3; i++)
        put_one(++value);
    if (value == 103)
        printf("core 0 may not take: %d\n", put_wrong());
    return 0;
}
"#;

/// The consumer, which checks that items come in their order, and none twice.
const CONSUMER: &str = r#"
#include <camkes.h>
#include <stdio.h>

static int expected = 100;

int run(void)
{
    if (expected == 100)
        printf("core 1 may not put: %d\n", take_wrong());
    for (int i = 0; i < 7; i++) {
        int value = take_one();
        if (value != expected++)
            printf("wrong: %d\n", value);
        if (expected % 10 == 0)
            printf("up to %d\n", expected);
    }
    return 0;
}
"#;

const VISITOR: &str = "
#include <camkes.h>

int run(void)
{
    put_ring();
    return 0;
}
";

const PORTER: &str = r#"
#include <camkes.h>
#include <stdio.h>

int run(void)
{
    int rings = 0;
    for (;;) {
        if (take_answer() != 0)
            printf("wrong: no ring\n");
        if (++rings % 10 == 0)
            printf("%d rings\n", rings);
    }
}
"#;

/// Writes the system and its code into a folder; answers the description.
fn written(folder: &Path) -> PathBuf {
    let code = [
        ("Buffer", BUFFER),
        ("Producer", PRODUCER),
        ("Consumer", CONSUMER),
        ("Visitor", VISITOR),
        ("Porter", PORTER),
    ];
    write_project(folder, ("semaphores.camkes", TEXT), &code)
}

/// Boots it; what its components have printed.
fn console((platform, kernel): (&str, &str)) -> Vec<String> {
    let name = format!("semaphores-{platform}-{kernel}");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let path = written(&folder).display().to_string();
    let out = folder.join("out").display().to_string();
    // How often somebody posts in a job is not written.
    let given = ["run", &path, "--for", "200ms", "--platform", platform, "--trust-written"];
    let run = FUSEE.run(&[&given[..], &["--kernel", kernel, "--json", "-o", &out]].concat());
    let text = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.code().is_some_and(|code| code < 2), "{platform}: {text}");
    printed(&document(&run))
}

/// Everything arrives once and in order, and each core's tasks wait for what is theirs only.
fn check(of: (&str, &str)) {
    let said = console(of);
    let has = |what: &str| said.iter().any(|line| line == what);
    assert!(said.iter().all(|line| !line.starts_with("wrong")), "{of:?}: {said:?}");
    assert!(has("core 0 may not take: 1") && has("core 1 may not put: 1"), "{of:?}: {said:?}");
    let furthest = said.iter().filter_map(|line| line.strip_prefix("up to ")?.parse::<u32>().ok());
    let furthest = furthest.max().unwrap_or(0);
    assert!(furthest >= 180, "{of:?}: {said:?}");
    let rings = said.iter().filter_map(|line| line.strip_suffix(" rings")?.parse::<u32>().ok());
    let rings = rings.max().unwrap_or(0);
    // Each visit rings twice, and a bell that rings already goes on ringing.
    assert!((20..=60).contains(&rings), "{of:?}: {said:?}");
}

#[test]
fn posts_of_another_core_wake_whoever_waits() {
    check(("qemu-rv64", "plain"));
}

#[test]
fn they_do_on_a_kernel_that_checks_itself() {
    check(("qemu-rv64", "checked"));
}

#[test]
fn they_do_on_32_bits() {
    check(("qemu-rv32", "plain"));
}
