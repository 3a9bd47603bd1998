//! Descriptions with attributes of CAmkES in random places.
//!
//! One setting a line, so that whoever reads the text can tell them apart. Names come from what
//! CAmkES's templates and its connectors read, put before or behind the name of anything that is
//! there, whether it fits or not; some are nobody's.

use crate::random::Random;
use std::fmt::Write;

/// The attributes of a component.
const OF_COMPONENTS: &str = "
_priority priority _max_priority max_priority _affinity affinity _domain _period _budget
_data data _size_bits size_bits _stack_size heap_size dma_pool dma_pool_paddr
dma_pool_cached cnode_size_bits tcb_pool ep_pool tcb_pool_domains notification_pool
untyped12_pool simple_untyped20_pool asid_pool simple simple_extra_bootinfo mmios
untyped_mmios irqs ioports iospaces smmu pci_devices sched_ctrl environment debug
integrity_label single_threaded allowed_smc_functions fdt_bind_driver_paths
global_endpoint_base global_endpoint_mask global_rpc_endpoint_base
global_rpc_endpoint_mask rump_config rumprun_memory_size timer_interface serial_interface
pci_config_interface eth_irq_interface enable_tracing number_tracepoints
disable_optimizations faultperiod faultbudget elf_headers dtb requestor period budget";

/// The attributes of an interface, behind its name and `_`.
const OF_INTERFACES: &str = "
priority max_priority affinity domain period budget data size_bits stack_size passive
access paddr size cached hardware_cached attributes global_endpoint global_rpc_endpoint id
irq_number irq_type irq_ioapic irq_ioapic_pin irq_polarity irq_level irq_vector irq_handle
irq_pci_bus irq_pci_dev irq_pci_fun irq_trigger irq_target spi_number shmem_size topology
mac pins num_threads priority_protocol value";

/// The attributes of an interface, behind its name and a point.
const OWN: &str = "
dtb generate_interrupts hardware_cached";

/// The attributes of a connection.
const OF_CONNECTIONS: &str = "
size buffer paddr controller queue_size queue_length from_access";

/// Those of components and of interfaces that make a system another one where they fit.
const STRONG: &str = "_priority priority _affinity period _period _budget affinity";
const STRONG_OF_INTERFACES: &str = "priority_protocol num_threads priority domain budget affinity";

/// Attributes that no reader knows.
const NOBODYS: &str = "
colour _prio _stacksize weight heap domain_ x_y_z";

const CONNECTORS: &str = "
connector seL4RPCCall { from Procedures with 0 threads; to Procedure; }
connector seL4RPCDataport { from Procedures with 0 threads; to Procedure; }
connector seL4Notification { from Events; to Events with 0 threads; }
connector seL4SharedData { from Dataports; to Dataports; }
connector seL4HardwareMMIO { from Dataport; to hardware Dataport; }
connector seL4HardwareInterrupt { from hardware Event; to Event; }
procedure P { void m(); int n(in int x); }
";

/// A component type under the hand.
struct Type {
    name: String,
    control: bool,
    /// Word, and name.
    ports: Vec<(&'static str, String)>,
    locks: Vec<String>,
}

/// Returns a description of a seed.
pub(crate) fn description(seed: u64) -> String {
    let mut random = Random::new(seed);
    let types: Vec<Type> = (0..2 + random.below(3)).map(|at| kind(at, &mut random)).collect();
    let mut text = CONNECTORS.to_owned();
    for kind in &types {
        declare(kind, &mut random, &mut text);
    }
    text += "component Device {\nhardware;\nemits Irq irq;\ndataport Buf regs;\n}\n";
    let nested = random.chance(30);
    if nested {
        outer(&types[0], &mut random, &mut text);
    }
    let instances: Vec<(String, usize)> =
        (0..2 + random.below(4)).map(|at| (format!("c{at}"), random.below(types.len()))).collect();
    text += "assembly {\ncomposition {\n";
    for (name, of) in &instances {
        let _ = writeln!(text, "component {} {name};", types[*of].name);
    }
    text += "component Device dev;\n";
    if nested {
        text += "component Outer outer;\n";
    }
    let connections = join(&types, &instances, &mut random, &mut text);
    text += "}\nconfiguration {\n";
    let mut set: Vec<String> = Vec::new();
    for _ in 0..1 + random.below(12) {
        let (of, attribute) = place(&types, &instances, &connections, &mut random);
        let target = format!("{of}.{attribute}");
        if !set.contains(&target) {
            let value = value(&attribute, &connections, &mut random);
            let _ = writeln!(text, "{target} = {value};");
            set.push(target);
        }
    }
    text += "}\n";
    if random.chance(6) {
        text += *random.one(&[
            "schedule { [(0, 10000 us), (1, 5000 us)] }\n",
            "schedule { [(0, 3), (0, 5)] }\n",
        ]);
    }
    text + "}\n"
}

fn kind(at: usize, random: &mut Random) -> Type {
    let words = ["provides P", "uses P", "emits Tick", "consumes Tick", "dataport Buf"];
    let port = |port: usize| (*random.one(&words), format!("i{port}"));
    let ports = (0..1 + at % 2 + 2).map(port).collect();
    let locks = (0..random.below(3)).map(|lock| format!("l{lock}")).collect();
    Type { name: format!("T{at}"), control: random.chance(70), ports, locks }
}

fn declare(kind: &Type, random: &mut Random, text: &mut String) {
    let _ = writeln!(text, "component {} {{", kind.name);
    if kind.control {
        text.push_str("control;\n");
    }
    for (word, name) in &kind.ports {
        let _ = writeln!(text, "{word} {name};");
    }
    for name in &kind.locks {
        let word = random.one(&["mutex", "semaphore", "binary_semaphore"]);
        let _ = writeln!(text, "has {word} {name};");
    }
    // Attributes of its own, some of them with names that CAmkES reads.
    if random.chance(30) {
        let declared = random.one(&[
            "attribute int weight = 3;\n",
            "attribute int _domain;\n",
            "attribute int _priority = 77;\n",
            "attribute int single_threaded = 1;\n",
            "attribute int affinity = 2;\n",
            "attribute int _max_priority;\n",
            "attribute int i0_priority = 44;\n",
        ]);
        text.push_str(declared);
    }
    text.push_str("}\n");
}

/// A component with another inside, and settings of that one.
fn outer(kind: &Type, random: &mut Random, text: &mut String) {
    let _ =
        writeln!(text, "component Outer {{\ncomposition {{\ncomponent {} inner;\n}}", kind.name);
    text.push_str("configuration {\n");
    let instances = [("inner".to_owned(), 0)];
    let mut set = Vec::new();
    for _ in 0..1 + random.below(3) {
        let (of, attribute) = place(std::slice::from_ref(kind), &instances, &[], random);
        if of.starts_with("inner") && !set.contains(&attribute) {
            let value = value(&attribute, &[], random);
            let _ = writeln!(text, "{of}.{attribute} = {value};");
            set.push(attribute);
        }
    }
    text.push_str("}\n}\n");
}

/// Joins what fits, and returns the connections' names.
fn join(
    types: &[Type],
    instances: &[(String, usize)],
    random: &mut Random,
    text: &mut String,
) -> Vec<String> {
    let ends = |wanted: &str| -> Vec<String> {
        let of = |(name, of): &(String, usize)| {
            let ports = types[*of].ports.iter().filter(|(word, _)| *word == wanted);
            ports.map(|(_, port)| format!("{name}.{port}")).collect::<Vec<_>>()
        };
        instances.iter().flat_map(of).collect()
    };
    let mut names = Vec::new();
    let mut add = |connector: &str, from: &str, to: &str, text: &mut String| {
        let name = format!("k{}", names.len());
        let _ = writeln!(text, "connection {connector} {name}(from {from}, to {to});");
        names.push(name);
    };
    let (provided, consumed) = (ends("provides P"), ends("consumes Tick"));
    for used in ends("uses P") {
        if !provided.is_empty() {
            let connector = *random.one(&["seL4RPCCall", "seL4RPCCall", "seL4RPCDataport"]);
            let provided: &String = random.one(&provided);
            add(connector, &used, provided, text);
        }
    }
    for (emitted, consumed) in ends("emits Tick").iter().zip(&consumed) {
        add("seL4Notification", emitted, consumed, text);
    }
    if let Some(last) = consumed.last().filter(|_| ends("emits Tick").len() < consumed.len()) {
        add("seL4HardwareInterrupt", "dev.irq", last, text);
    }
    match ends("dataport Buf").as_slice() {
        [one] => add("seL4HardwareMMIO", one, "dev.regs", text),
        [one, other, ..] => add("seL4SharedData", one, other, text),
        [] => {}
    }
    names
}

/// Draws the owner of an attribute, and its name.
fn place(
    types: &[Type],
    instances: &[(String, usize)],
    connections: &[String],
    random: &mut Random,
) -> (String, String) {
    if random.chance(10) && !connections.is_empty() {
        let names = if random.chance(90) { OF_CONNECTIONS } else { NOBODYS };
        return (random.one(connections).clone(), word(names, random));
    }
    if random.chance(8) {
        let port = *random.one(&["irq", "regs"]);
        return ("dev".to_owned(), format!("{port}_{}", word(OF_INTERFACES, random)));
    }
    let (name, of) = random.one(instances);
    let kind = &types[*of];
    if random.chance(45) {
        let names = match random.below(100) {
            0..5 => NOBODYS,
            5..35 => STRONG,
            _ => OF_COMPONENTS,
        };
        return (name.clone(), word(names, random));
    }
    if random.chance(12) && !kind.locks.is_empty() {
        let lock = random.one(&kind.locks);
        return (name.clone(), format!("{lock}_{}", random.one(&["value", "priority", "size"])));
    }
    let (_, port) = random.one(&kind.ports);
    if random.chance(8) {
        return (format!("{name}.{port}"), word(OWN, random));
    }
    let names = if random.chance(30) { STRONG_OF_INTERFACES } else { OF_INTERFACES };
    (name.clone(), format!("{port}_{}", word(names, random)))
}

fn word(of: &str, random: &mut Random) -> String {
    let words: Vec<&str> = of.split_whitespace().collect();
    (*random.one(&words)).to_owned()
}

/// Returns a value, which most often fits; never CAmkES's default where that is a number.
fn value(attribute: &str, connections: &[String], random: &mut Random) -> String {
    if random.chance(4) {
        return (*random.one(&["\"high\"", "[1, 2]", "{\"a\": 1}", "2.5", "-1"])).to_owned();
    }
    let ends = |suffixes: &[&str]| suffixes.iter().any(|suffix| attribute.ends_with(suffix));
    if ends(&["priority_protocol"]) {
        return (*random.one(&["\"fixed\"", "\"propagated\"", "\"inherited\""])).to_owned();
    }
    if ends(&["environment"]) {
        return (*random.one(&["\"c\"", "\"cakeml\""])).to_owned();
    }
    if ends(&["period", "budget"]) {
        return (*random.one(&["2000", "10000", "20000", "50000"])).to_owned();
    }
    if ends(&["affinity", "domain"]) {
        return random.below(3).to_string();
    }
    if ends(&["buffer"]) {
        let memory = if connections.is_empty() { "k0" } else { random.one(connections).as_str() };
        return format!("\"{memory}\"");
    }
    if ends(&["passive", "cached", "simple", "asid_pool", "single_threaded", "debug"]) {
        return (*random.one(&["true", "false", "1", "0"])).to_owned();
    }
    if ends(&["size", "pool", "paddr"]) {
        return (*random.one(&["8192", "0x4000", "\"0x8000\"", "12288"])).to_owned();
    }
    if ends(&["mmios", "irqs", "domains", "topology", "smmu", "bootinfo", "functions", "paths"]) {
        return (*random.one(&["[1, 2]", "[\"a\"]"])).to_owned();
    }
    if ends(&["access"]) {
        return (*random.one(&["\"R\"", "\"W\"", "\"RW\""])).to_owned();
    }
    if ends(&["priority"]) {
        return (1 + random.below(250)).to_string();
    }
    if ends(&["_type", "trigger", "label", "mac", "interface", "dtb", "pins", "endpoint"]) {
        return (*random.one(&["\"simple\"", "\"abc\""])).to_owned();
    }
    (2 + random.below(9)).to_string()
}
