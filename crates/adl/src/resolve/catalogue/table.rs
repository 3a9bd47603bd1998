//! The table of attributes itself.

use super::{Fate, Known, Place, Reader};

macro_rules! known {
    ($(
        $place:ident $reader:ident $name:literal: $takes:literal, $default:literal,
        $meaning:literal $(=> $fate:ident $why:literal)?;
    )*) => {
        &[$(Known {
            name: $name,
            place: Place::$place,
            reader: Reader::$reader,
            takes: $takes,
            default: $default,
            meaning: $meaning,
            fate: known!(fate $($fate)?),
            why: known!(why $($why)?),
        }),*]
    };
    (fate) => { Fate::Followed };
    (fate $fate:ident) => { Fate::$fate };
    (why) => { "" };
    (why $why:literal) => { $why };
}

/// All of them.
pub static ATTRIBUTES: &[Known] = known! {
    Component Fusee "period": "duration", "none: runs once; with an event, the emitter's",
        "time between releases, or the least such time for sporadic tasks and events";
    Component Fusee "deadline": "duration", "the period",
        "longest time from a release to the end of its job";
    Component Fusee "priority": "0 to 255", "by deadline; 254 without a period",
        "base priority, higher is more urgent; in CAmkES of all threads of the component";
    Component Fusee "budget": "duration", "none",
        "longest execution time of a job, callees included";
    Component Fusee "overrun": "`suspend`, `continue` or `notify EVENT`", "`suspend`",
        "what happens at the end of the budget";
    Component Fusee "core": "0 to 63", "0", "core on which the task runs";
    Component Fusee "wcet": "duration", "none",
        "longest own execution time of a job, without what it invokes";
    Component Fusee "bcet": "duration", "the wcet", "shortest own execution time of a job";
    Component Fusee "jitter": "duration", "0", "longest delay of a release";
    Component Fusee "offset": "duration", "0", "first release of a periodic task";
    Component Fusee "arrival": "`periodic`, `sporadic` or `event NAME`", "`periodic`",
        "whether releases come from the clock, from outside, or with a consumed event";
    Component Fusee "calls": "list of calls", "every used interface once",
        "what a job does, in order";
    Component Fusee "on_fault": "`continue`, `dead` or `restart`", "`continue`",
        "what a fault does to the component";
    Component Fusee "startup": "duration, below 4 s", "seven eighths of what is left until time 0",
        "how long `pre_init`, `init` and `post_init` may take, together";
    Component Fusee "scheduler": "name of an instance", "the kernel",
        "whose thread dispatches this one";
    Component Fusee "delegates": "list of delegations", "none",
        "time that a scheduler gives its threads, in order: `3 ms to worker`, perhaps `at 200`";
    Component Fusee "delegates_every": "duration", "none",
        "in which time a scheduler gives that";
    Component Fusee "dependencies": "truth value", "false",
        "whether its code may let threads sleep on each other's account, and wake them";
    Component Fusee "stub": "truth value", "false",
        "whether it runs as its description says, without code";
    Component Fusee "trusted": "truth value", "true",
        "whether others may rest on what is said of its code";
    Method Fusee "wcet": "duration", "none", "longest own execution time of an invocation";
    Method Fusee "bcet": "duration", "the wcet", "shortest own execution time of an invocation";
    Method Fusee "calls": "list of calls", "every used interface once",
        "what an invocation does, in order";
    Provided Fusee "ceiling": "0 to 255", "derived", "priority at which a `fixed` gate runs";
    Mutex Fusee "priority_protocol": "`inherited` or `msrp`", "`inherited`",
        "how a mutex with sections is locked: by tasks of one core, or by those of several";
    Mutex Fusee "locking": "`pessimistic` or `optimistic`", "`pessimistic`",
        "whether each lock is a call of the kernel's, or only one of a mutex that somebody holds";
    Semaphore Fusee "core": "0 to 63", "that of the component's tasks",
        "core whose tasks wait for it, where tasks of several cores get to it";
    System Fusee "time_slice": "duration", "10 ms where a thread without a period has equals; else \
        none",
        "longest run among equal priorities; without it a thread runs until it blocks";
    System Fusee "startup": "duration", "1 ms, the longest `period` of a task that an event \
                                         releases, and eight sevenths of all components' \
                                         `startup`",
        "time before time 0 in which a booted system sets up its components";
    System Fusee "stack_size": "bytes", "none",
        "size of every stack of a booted system that neither analysis nor another attribute sizes";
    System Fusee "policy": "`fixed_priority` or `earliest_deadline`", "`fixed_priority`",
        "what decides who runs on a core";
    Core Fusee "policy": "`fixed_priority` or `earliest_deadline`", "that of the system",
        "what decides who runs on this core";
    System Fusee "priority_assignment": "`deadline_monotonic` or `audsley`", "`deadline_monotonic`",
        "how priorities that are left out are assigned";
    System Fusee "chains": "list of chains", "none",
        "effects to follow from end to end, with the time that they may take";
    Component PrioritisedRequests "requestor": "whole number", "none",
        "identity of the task that the component originates";
    Provided PrioritisedRequests "priority_protocol": "`propagated`, `fixed`, `inherited` (or \
        Fusee's `fifo`, `ceiling`, `srp`, `non_preemptive`, and between cores `msrp`, `mrsp`, \
        `mpcp`)", "`inherited`",
        "what the gate does to concurrency and priority";
    Provided PrioritisedRequests "num_threads": "whole number from 1", "derived",
        "size of the pool of threads on seL4";
    Component Camkes "_priority": "0 to 255", "254", "priority of the control thread"
        => Judged "followed by control threads";
    Component Camkes "_max_priority": "0 to 255", "254",
        "highest priority that the control thread may give"
        => Needless
            "no thread here raises another's priority; priorities above it are named (F0553)";
    Component Camkes "max_priority": "0 to 255", "254", "the same for all threads of the component"
        => Needless
            "no thread here raises another's priority; priorities above it are named (F0553)";
    Component Camkes "affinity": "0 to 63", "0", "core of all threads of the component"
        => Judged "followed by control threads; else told (F0348)";
    Component Camkes "_affinity": "0 to 63", "0", "core of the control thread";
    Component Camkes "_domain": "whole number", "0", "scheduling domain of the control thread"
        => Judged "refused (F0346), unless all threads are in one domain that always runs";
    Component Camkes "_period": "microseconds", "10000",
        "period of the control thread's scheduling context, in which it runs for the budget at \
         most; it releases nothing"
        => Judged "refused (F0349) below the budget; told (F0330) where there are no jobs";
    Component Camkes "_budget": "microseconds", "10000",
        "budget of the control thread's scheduling context: limits each job of a task with a \
         `period`"
        => Judged "refused (F0349) above the period; told (F0330) where there are no jobs";
    Component Camkes "_stack_size": "bytes", "set by the build",
        "size of the control thread's stack";
    Component Camkes "_sc_size_bits": "whole number", "set by the build",
        "size of the control thread's scheduling context"
        => Needless "the kernel here has no objects of that kind";
    Component Camkes "heap_size": "bytes", "set by the build", "size of the component's heap";
    Component Camkes "dma_pool": "bytes", "0", "memory that devices may reach";
    Component Camkes "dma_pool_paddr": "address", "any", "where that memory lies"
        => Apart "the pool lies where the build puts it";
    Component Camkes "dma_pool_cached": "truth value", "false", "whether it is cached"
        => Needless "caches are coherent with devices on the machines here";
    Component Camkes "cnode_size_bits": "whole number", "as needed", "size of the capability table"
        => Needless "a capability table has as many slots as it needs";
    Component Camkes "tcb_pool": "whole number", "0", "spare threads"
        => Needless "the kernel here makes no threads while it runs";
    Component Camkes "tcb_pool_domains": "list", "none", "scheduling domains of the spare threads"
        => Needless "the kernel here makes no threads while it runs";
    Component Camkes "ep_pool": "whole number", "0", "spare endpoints"
        => Needless "the kernel here makes no objects while it runs";
    Component Camkes "notification_pool": "whole number", "0", "spare notifications"
        => Needless "the kernel here makes no objects while it runs";
    Component Camkes "asid_pool": "truth value", "false", "whether it gets an address space pool"
        => Needless "the kernel here makes no address spaces while it runs";
    Component Camkes "simple": "truth value", "false", "whether it gets the tables of a root task"
        => Needless "there is no root task whose tables could be given away";
    Component Camkes "simple_extra_bootinfo": "list", "none", "extra boot information"
        => Needless "there is no root task whose tables could be given away";
    Component Camkes "mmios": "list", "none", "device memory"
        => Apart "a device is a `hardware` component here, with a connection to who drives it";
    Component Camkes "untyped_mmios": "list", "none", "device memory without a type"
        => Apart "a device is a `hardware` component here, with a connection to who drives it";
    Component Camkes "irqs": "list", "none", "interrupts"
        => Apart "an interrupt is an event of a `hardware` component here, with a connection";
    Component Camkes "ioports": "list", "none", "ranges of x86 ports"
        => Apart "no machine here has ports of x86; it is not built (F0922)";
    Component Camkes "iospaces": "text", "none", "IOMMU domains"
        => Apart "no machine here has an IOMMU; it is not built (F0922)";
    Component Camkes "smmu": "list", "none", "SMMU streams"
        => Apart "no machine here has an SMMU; it is not built (F0922)";
    Component Camkes "pci_devices": "text", "none", "PCI devices"
        => Apart "devices on a PCI bus are not given here; it is not built (F0922)";
    Component Camkes "sched_ctrl": "whole number", "none", "core whose scheduling it controls"
        => Needless "who schedules is said with `scheduler` here";
    Component Camkes "environment": "text", "`c`", "language environment"
        => Needless "the files of a component say its language";
    Component Camkes "debug": "text", "none", "whether a debugger may attach"
        => Needless "a debugger gets to every component here";
    Component Camkes "integrity_label": "text", "none", "label for proofs"
        => Needless "it is about a proof, not about the system";
    Component Camkes "single_threaded": "truth value", "false",
        "whether all interfaces share one thread"
        => Judged "refused (F0350) where two threads could be inside at once";
    Component Camkes "allowed_smc_functions": "list", "none", "calls to secure firmware"
        => Apart "there is no secure firmware to call here";
    Component Camkes "fdt_bind_driver_paths": "list", "none", "device tree nodes of its drivers"
        => Needless "device trees are not asked here";
    Component Camkes "global_endpoint_base": "whole number", "1",
        "first badge of its global endpoint"
        => Needless "nothing here waits for several interfaces by badges";
    Component Camkes "global_rpc_endpoint_base": "whole number", "0",
        "first badge of its global RPC endpoint"
        => Needless "nothing here waits for several interfaces by badges";
    Component Camkes "rump_config": "dictionary", "none", "configuration of a rump kernel"
        => Apart "there is no rump kernel here; it is not built (F0922)";
    Component Camkes "rumprun_memory_size": "bytes", "none", "memory of a rump kernel"
        => Needless "there is no rump kernel here";
    Component Camkes "timer_interface": "text", "none", "timer of a rump kernel"
        => Needless "there is no rump kernel here";
    Component Camkes "serial_interface": "text", "none", "serial line of a rump kernel"
        => Needless "there is no rump kernel here";
    Component Camkes "pci_config_interface": "text", "none", "PCI access of a rump kernel"
        => Needless "there is no rump kernel here";
    Component Camkes "elf_headers": "text", "none", "where ELF headers go"
        => Needless "there is no root task that could read them";
    Component Camkes "_data": "whole number", "0",
        "word for who handles the control thread's time-outs"
        => Needless "what happens at the end of a budget is said with `overrun` here";
    Component Camkes "data": "whole number", "0", "the same of all threads of the component"
        => Needless "what happens at the end of a budget is said with `overrun` here";
    Component Camkes "_size_bits": "whole number", "set by the build",
        "size of the control thread's scheduling context"
        => Needless "the kernel here has no objects of that kind";
    Component Camkes "size_bits": "whole number", "set by the build",
        "the same of all threads of the component"
        => Needless "the kernel here has no objects of that kind";
    Component Camkes "faultperiod": "microseconds", "10000",
        "period of the scheduling context of the thread that reports faults"
        => Needless "the kernel reports faults here";
    Component Camkes "faultbudget": "microseconds", "10000",
        "budget of the scheduling context of the thread that reports faults"
        => Needless "the kernel reports faults here";
    Component Camkes "faultdata": "whole number", "0",
        "word for who handles the time-outs of the thread that reports faults"
        => Needless "the kernel reports faults here";
    Component Camkes "faultsize_bits": "whole number", "set by the build",
        "size of the scheduling context of the thread that reports faults"
        => Needless "the kernel reports faults here";
    Component Camkes "untypedN_pool": "whole number", "0", "spare memory of 2^N bytes"
        => Needless "the kernel here makes no objects while it runs";
    Component Camkes "simple_untypedN_pool": "whole number", "0",
        "spare memory of 2^N bytes in the tables of a root task"
        => Needless "the kernel here makes no objects while it runs";
    Component Camkes "dtb": "query", "none", "device tree nodes of the component"
        => Needless "device trees are not asked here";
    Component Camkes "global_endpoint_mask": "whole number", "all bits",
        "bits that its global endpoint's badges may have"
        => Needless "nothing here waits for several interfaces by badges";
    Component Camkes "global_rpc_endpoint_mask": "whole number", "all bits",
        "bits that its global RPC endpoint's badges may have"
        => Needless "nothing here waits for several interfaces by badges";
    Component Camkes "eth_irq_interface": "text", "none", "network interrupt of a rump kernel"
        => Needless "there is no rump kernel here";
    Component Camkes "eth_irq_number": "whole number", "none", "its number"
        => Needless "there is no rump kernel here";
    Component Camkes "enable_tracing": "0 or 1", "0",
        "whether a single-threaded component measures itself"
        => Needless "every run is traced here";
    Component Camkes "number_tracepoints": "whole number", "10", "how many places it measures"
        => Needless "every run is traced here";
    Component Camkes "disable_optimizations": "0 or 1", "0",
        "whether each item of a queue is signalled"
        => Needless "every signal is given here";
    Interface Camkes "priority": "0 to 255", "254",
        "priority of the interface's thread; of a `fixed` gate, its ceiling"
        => Judged "followed by `fixed` gates and by callbacks; else told (F0348)";
    Interface Camkes "max_priority": "0 to 255", "254",
        "highest priority that the interface's thread may give"
        => Needless
            "no thread here raises another's priority; priorities above it are named (F0553)";
    Interface Camkes "affinity": "0 to 63", "0", "core of the interface's thread"
        => Judged "told (F0348) where a task runs on another core";
    Interface Camkes "domain": "whole number", "0", "scheduling domain of the interface's thread"
        => Judged "refused (F0346), unless all threads are in one domain that always runs";
    Interface Camkes "period": "microseconds", "10000",
        "period of the interface thread's scheduling context"
        => Judged "told (F0348) where it limits; refused (F0349) below the budget";
    Interface Camkes "budget": "microseconds", "10000",
        "budget of the interface thread's scheduling context"
        => Judged "told (F0348) where it limits; refused (F0349) above the period";
    Interface Camkes "stack_size": "bytes", "set by the build",
        "size of the interface thread's stack";
    Interface Camkes "sc_size_bits": "whole number", "set by the build",
        "size of the interface thread's scheduling context"
        => Needless "the kernel here has no objects of that kind";
    Interface Camkes "passive": "truth value", "false",
        "whether the interface runs on its callers' scheduling contexts"
        => Needless "interfaces run in their callers' threads here, which pay for them";
    Interface Camkes "access": "text of R, W, X", "all", "rights to shared memory";
    Interface Camkes "paddr": "address", "none", "where a device's memory lies";
    Interface Camkes "size": "bytes", "the type's", "size of a device's memory";
    Interface Camkes "cached": "truth value", "true", "whether shared memory is cached"
        => Needless "all memory of programs is cached here, and no device's";
    Interface Camkes "hardware_cached": "truth value", "false",
        "whether a device's memory is cached"
        => Needless "no memory of devices is cached here";
    Interface Camkes "attributes": "text or number", "none",
        "port range, badge or interrupt, as the connector has it";
    Interface Camkes "global_endpoint": "text", "none", "name of a shared endpoint"
        => Needless "nothing here waits for several interfaces by badges";
    Interface Camkes "global_rpc_endpoint": "text", "none", "name of a shared RPC endpoint"
        => Needless "nothing here waits for several interfaces by badges";
    Interface Camkes "id": "whole number", "none", "identity at the other end"
        => Needless "ends are told apart by their connections here";
    Interface Camkes "irq_number": "whole number", "none", "interrupt number";
    Interface Camkes "irq_type": "text", "`simple`", "`simple`, `isa`, `pci`, `ioapic` or `msi`"
        => Needless "`irq_number` alone says which interrupt it is on the machines here";
    Interface Camkes "irq_ioapic": "whole number", "0", "interrupt controller"
        => Needless "`irq_number` alone says which interrupt it is on the machines here";
    Interface Camkes "irq_ioapic_pin": "whole number", "0", "its pin"
        => Needless "`irq_number` alone says which interrupt it is on the machines here";
    Interface Camkes "irq_ioapic_polarity": "0 or 1", "0", "1: active low"
        => Needless "`irq_number` alone says which interrupt it is on the machines here";
    Interface Camkes "irq_ioapic_level": "0 or 1", "0", "1: level triggered"
        => Needless "`irq_number` alone says which interrupt it is on the machines here";
    Interface Camkes "irq_vector": "whole number", "none", "interrupt vector"
        => Needless "`irq_number` alone says which interrupt it is on the machines here";
    Interface Camkes "irq_handle": "whole number", "none",
        "handle of a message-signalled interrupt"
        => Needless "`irq_number` alone says which interrupt it is on the machines here";
    Interface Camkes "irq_pci_bus": "whole number", "none", "bus of the device that interrupts"
        => Needless "`irq_number` alone says which interrupt it is on the machines here";
    Interface Camkes "irq_pci_dev": "whole number", "none", "number of the device that interrupts"
        => Needless "`irq_number` alone says which interrupt it is on the machines here";
    Interface Camkes "irq_pci_fun": "whole number", "none",
        "function of the device that interrupts"
        => Needless "`irq_number` alone says which interrupt it is on the machines here";
    Interface Camkes "irq_trigger": "text", "`level`", "`level` or `edge`"
        => Needless "`irq_number` alone says which interrupt it is on the machines here";
    Interface Camkes "irq_spi_number": "whole number", "none", "shared peripheral interrupt"
        => Needless "`irq_number` alone says which interrupt it is on the machines here";
    Interface Camkes "irq_spi": "whole number", "none", "shared peripheral interrupt"
        => Needless "`irq_number` alone says which interrupt it is on the machines here";
    Interface Camkes "irq_spi_core": "whole number", "0", "core of an interrupt"
        => Apart "an interrupt comes to the core of the task that consumes it";
    Interface Camkes "value": "whole number", "1", "first value of a semaphore";
    Interface Camkes "data": "whole number", "0", "word for who handles the thread's time-outs"
        => Needless "what happens at the end of a budget is said with `overrun` here";
    Interface Camkes "size_bits": "whole number", "set by the build",
        "size of the interface thread's scheduling context"
        => Needless "the kernel here has no objects of that kind";
    Interface Camkes "spi_number": "whole number", "none", "shared peripheral interrupt"
        => Needless "`irq_number` alone says which interrupt it is on the machines here";
    Interface Camkes "irq_level": "0 or 1", "none", "1: level triggered"
        => Needless "`irq_number` alone says which interrupt it is on the machines here";
    Interface Camkes "irq_polarity": "0 or 1", "none", "1: active low"
        => Needless "`irq_number` alone says which interrupt it is on the machines here";
    Interface Camkes "irq_target": "whole number", "0", "core of an interrupt"
        => Apart "an interrupt comes to the core of the task that consumes it";
    Interface Camkes "shmem_size": "bytes", "4096", "size of memory that arguments go through";
    Interface Camkes "topology": "list", "none", "which queues lead to whom"
        => Needless "connections say who is joined";
    Interface Camkes "mac": "text", "none", "address of a network interface"
        => Needless "no driver comes with it here";
    Interface Camkes "pins": "query", "none", "pins that a client may use"
        => Needless "no driver comes with it here";
    Own Camkes "dtb": "query", "none", "device tree node of an interface"
        => Needless "device trees are not asked here";
    Own Camkes "generate_interrupts": "0 or 1", "0", "whether its interrupts are connected"
        => Needless "device trees are not asked here";
    Own Camkes "hardware_cached": "truth value", "false", "whether a device's memory is cached"
        => Needless "no memory of devices is cached here";
    Connection Camkes "buffer": "text", "none", "shared memory through which arguments go";
    Connection Camkes "size": "bytes", "4096", "size of shared memory";
    Connection Camkes "paddr": "address", "any", "where shared memory lies"
        => Apart "shared memory lies where the build puts it";
    Connection Camkes "controller": "text", "none", "who allocates from shared memory"
        => Needless "no memory is given out while a system runs";
    Connection Camkes "queue_size": "whole number", "128", "places of a message queue"
        => Needless "no such queue comes with Fusee";
    Connection Camkes "queue_length": "whole number", "256", "places of a ring of buffers"
        => Needless "no such queue comes with Fusee";
};
