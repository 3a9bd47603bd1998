//! Programs from the cross assembler, and the systems they belong to.

use fusee_adl::{resolve::resolve, syntax::load_bytes};
use fusee_image::{Built, DomainProgram, Inputs, build};
use fusee_model::{ComponentId, System};
use fusee_platform::{Platform, Records};
use fusee_tables::{Machine, Machines, Needs, ThreadRole, symbol};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// Everything that an image can hold, once each.
pub const EVERYTHING: &str = r#"
import <std_connector.camkes>;
procedure Store { int get(in int key); void put(in int key, in int value); };
procedure Count { int next(); };
component Device { hardware; dataport Buf registers; emits Irq irq; }
component Client { control; uses Store store; emits Tick tick; dataport Buf(8192) shared;
has mutex m; }
component Server {
    provides Store store; consumes Tick tick; consumes Irq irq; dataport Buf(8192) shared;
    dataport Buf registers; has semaphore s; uses Count count;
}
component Counter { provides Count count; }
component Slow { control; uses Store store; }
assembly {
    composition {
        component Client client;
        group inside { component Server server; component Counter counter; }
        component Slow slow; component Device device;
        connection seL4RPCCall store(from client.store, from slow.store, to inside.server.store);
        connection seL4DirectCall count(from inside.server.count, to inside.counter.count);
        connection seL4Notification tick(from client.tick, to inside.server.tick);
        connection seL4SharedData shared(from client.shared, to inside.server.shared);
        connection seL4HardwareMMIO registers(from inside.server.registers, to device.registers);
        connection seL4HardwareInterrupt irq(from device.irq, to inside.server.irq);
    }
    configuration {
        client.period = "10 ms"; client.wcet = "1 ms"; slow.period = "20 ms"; slow.wcet = "1 ms";
        server.store_wcet = "10 us"; counter.count_wcet = "1 us";
        client.shared_access = "R"; server.s_value = 3; client.on_fault = "restart";
        device.registers_paddr = 0x10000000; device.registers_size = 0x1000;
        device.irq_irq_number = 10;
    }
}
"#;

/// The system behind a description.
///
/// # Panics
/// When there is none.
pub fn system(text: &str) -> System {
    let loaded = load_bytes(text.as_bytes());
    assert!(loaded.diagnostics.is_empty(), "{:#?}", loaded.diagnostics);
    let resolution = resolve(&loaded.tree, "test", &fusee_adl::Options::default());
    resolution.system.unwrap_or_else(|| panic!("{:#?}", resolution.diagnostics))
}

/// Needs with a callback for each consumed event.
pub fn needs(system: &System) -> Needs {
    let consumed = system.components.iter().enumerate().flat_map(|(index, component)| {
        let interfaces = component.interfaces.iter().enumerate();
        let consumed = interfaces
            .filter(|(_, i)| matches!(i.kind, fusee_model::InterfaceKind::Consumes(Some(_))));
        consumed.map(move |(position, _)| (ComponentId::from(index), position))
    });
    Needs { callbacks: consumed.collect(), ..Needs::default() }
}

/// Programs of all domains, and a kernel that does nothing.
#[derive(Debug)]
pub struct Programs {
    /// The kernel's tables.
    pub machines: Machines,
    /// The kernel's ELF file.
    pub kernel: Vec<u8>,
    /// The domains' ELF files; none where a domain has no component.
    pub domains: Vec<Option<Vec<u8>>>,
}

/// Assembles and links everything that a system asks for.
///
/// # Panics
/// When a tool is missing or the system has no tables.
pub fn programs(system: &System, platform: Platform) -> Programs {
    let machines = Machines::of(system, &needs(system)).expect("tables");
    let machine = machines.first();
    let kernel = link(".globl _start\n_start: j _start\n.bss\n.space 64\n", 0x8000_0000, platform);
    let domains = machine.domains.iter().enumerate().map(|(index, domain)| {
        let entries = entries(system, machine, index);
        let text = || source(&entries) + &pools(system, machine, index);
        (!domain.components.is_empty()).then(|| link(&text(), domain.base, platform))
    });
    let domains = domains.collect();
    Programs { machines, kernel, domains }
}

/// The image of a system.
///
/// # Panics
/// When it has none.
pub fn image(system: &System, platform: Platform) -> Built {
    let programs = programs(system, platform);
    built(system, &programs, platform).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

/// The image of a system with these programs.
///
/// # Errors
/// What the build of images refuses.
pub fn built(
    system: &System,
    programs: &Programs,
    platform: Platform,
) -> Result<Built, Vec<fusee_image::ImageError>> {
    let program = |bytes| DomainProgram { bytes, path: "domains/x.elf" };
    let domains: Vec<_> =
        programs.domains.iter().map(|bytes| bytes.as_deref().map(program)).collect();
    let inputs = Inputs {
        record: None,
        system,
        machines: &programs.machines,
        platform,
        kernels: &vec![&programs.kernel[..]; programs.machines.cores.len()],
        variant: Records::Plain,
        domains: &domains,
        stubs: &[],
    };
    build(&inputs)
}

fn entries(system: &System, machine: &Machine, domain: usize) -> Vec<String> {
    let mut entries = Vec::new();
    if domain == machine.boot_domain() {
        return vec![symbol::BOOT.to_owned()];
    }
    for &component in &machine.domains[domain].components {
        let id = ComponentId::from(component.at());
        entries.push(symbol::init(system, id));
        entries.push(symbol::job(system, id));
        for interface in &system.component(id).interfaces {
            entries.push(symbol::gate(system, id, &interface.name));
            entries.push(symbol::event(system, id, &interface.name));
        }
    }
    assert!(machine.threads.contains(&ThreadRole::Boot));
    entries
}

fn source(entries: &[String]) -> String {
    let mut text = String::from(".text\n");
    for entry in entries {
        text += &format!(
            ".globl {entry}\n.type {entry}, @function\n{entry}:\n addi sp, sp, -64\n call leaf\n"
        );
        text += " addi sp, sp, 64\n1: ecall\n j 1b\n";
        text += &format!(".size {entry}, . - {entry}\n");
    }
    text += ".type leaf, @function\nleaf:\n addi sp, sp, -32\n addi sp, sp, 32\n ret\n.size leaf, \
             . - leaf\n";
    text += ".section .rodata\n.word 1, 2, 3\n.data\n.word 4, 5, 6, 7\n.bss\n.space 100\n";
    text += ".section .tdata, \"awT\", @progbits\n.word 8, 9\n";
    text
}

/// Each described component has a pool for devices and asks where it is.
fn pools(system: &System, machine: &Machine, domain: usize) -> String {
    let ids = machine.domains[domain]
        .components
        .iter()
        .map(|component| ComponentId::from(component.at()));
    let mut text = String::from(".section .rodata\n.balign 8\n");
    for id in ids.filter(|id| id.index() < system.components.len()) {
        let (told, pool) = (symbol::dma_offset(system, id), symbol::dma_pool(system, id));
        text += &format!(".globl {told}\n{told}: .quad 0\n");
        text += &format!(
            ".bss\n.globl {pool}\n.type {pool}, @object\n.balign 8\n{pool}: .space 5000\n"
        );
        text += &format!(".size {pool}, 5000\n.section .rodata\n");
    }
    text
}

static NUMBER: AtomicU32 = AtomicU32::new(0);

/// Assembles and links a text at an address.
///
/// # Panics
/// When a tool is missing or refuses it.
pub fn link(source: &str, base: u64, platform: Platform) -> Vec<u8> {
    link_by(source, base, platform, &[])
}

/// The same with relocations kept, as the programs of components have them.
///
/// # Panics
/// When a tool is missing or refuses it.
pub fn link_with_relocations(source: &str, base: u64, platform: Platform) -> Vec<u8> {
    link_by(source, base, platform, &["--emit-relocs"])
}

fn link_by(source: &str, base: u64, platform: Platform, options: &[&str]) -> Vec<u8> {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder = crate::folder().join(format!("{}-{number}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let emulation = platform.descriptor().compilers.emulation;
    let (bits, mabi) = if platform.word_bytes() == 8 { (64, "lp64") } else { (32, "ilp32") };
    let script = format!(
        "PHDRS {{ t PT_LOAD FLAGS(5); r PT_LOAD FLAGS(4); d PT_LOAD FLAGS(6); tls PT_TLS FLAGS(4); \
         }}\n\
         SECTIONS {{ . = {base:#x}; .text : {{ *(.text*) }} :t . = ALIGN(4096); .rodata : {{ \
         *(.rodata*) }} :r\n\
         .tdata : {{ *(.tdata*) }} :r :tls . = ALIGN(4096); .data : {{ *(.data*) }} :d .bss : {{ \
         *(.bss*) }} :d }}\n"
    );
    let path = |name: &str| folder.join(name);
    fs::write(path("a.s"), source).expect("a source");
    fs::write(path("a.ld"), script).expect("a script");
    tool(
        "as",
        &[&format!("-march=rv{bits}imac"), &format!("-mabi={mabi}"), "-o"],
        &[path("a.o"), path("a.s")],
    );
    tool(
        "ld",
        &[options, &["-m", emulation, "-z", "max-page-size=4096", "--no-relax", "-o"]].concat(),
        &[path("a.elf"), path("a.o"), "-T".into(), path("a.ld")],
    );
    let bytes = fs::read(path("a.elf")).expect("an ELF file");
    fs::remove_dir_all(&folder).expect("a folder to remove");
    bytes
}

fn tool(name: &str, options: &[&str], files: &[PathBuf]) {
    let mut command = Command::new(format!("riscv64-unknown-elf-{name}"));
    let output = command
        .args(options)
        .args(files)
        .output()
        .expect("`make setup` installs the cross assembler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
