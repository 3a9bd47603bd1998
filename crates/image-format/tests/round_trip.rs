//! Written tables are read back; other bytes are an error, no panic.
#![cfg(feature = "std")]

use fusee_image_format::Status;
use fusee_image_format::*;
use fusee_kernel::*;
use proptest::prelude::*;

fn header() -> Header {
    Header {
        end: 5_000_000,
        platform: Platform::QemuRv64,
        startup: 1_000_000,
        boot_thread: 1,
        depth: 3,
        chain: 300,
        policy: KernelPolicy::EARLIEST_DEADLINE,
        trees: false,
        cores: 1,
        backlog: 16,
        levels: 12,
        time_slice: NEVER,
        records: 0x8800_0000,
        records_bytes: 0x10_0000,
    }
}

fn threads() -> Vec<ThreadEntry> {
    let releases = [
        Release::Once { offset: 7 },
        Release::Periodic { period: 10, offset: 3 },
        Release::Sporadic { separation: 9, jitter: 4 },
    ];
    let budgets = [
        None,
        Some(Budget { amount: 4, overrun: Overrun::Suspend }),
        Some(Budget { amount: 5, overrun: Overrun::Notify(NotificationIndex(1)) }),
        Some(Budget { amount: 6, overrun: Overrun::Continue }),
    ];
    let all = releases.into_iter().flat_map(|release| budgets.map(|budget| (release, budget)));
    all.map(|(release, budget)| {
        let config = ThreadConfig {
            component: ComponentIndex(1),
            priority: 9,
            core: 0,
            release,
            deadline: 100,
            budget,
        };
        ThreadEntry { config, entry: 0x1000_0040 }
    })
    .collect()
}

fn gates() -> Vec<GateEntry> {
    let protocols = [
        Protocol::Propagated,
        Protocol::Fixed { ceiling: 11 },
        Protocol::Inherited,
        Protocol::Fifo,
    ];
    let kinds = [GateKind::Interface, GateKind::Interface, GateKind::Mutex, GateKind::Interface];
    let all = protocols.into_iter().zip(kinds);
    all.map(|(protocol, kind)| {
        let stacks = if protocol.is_exclusive() { 1 } else { 2 };
        GateEntry {
            config: GateConfig { component: ComponentIndex(0), protocol, stacks, kind },
            entry: 0x1000_0080,
        }
    })
    .collect()
}

fn component(on_fault: OnFault, capabilities: Vec<Capability>) -> SystemComponent {
    let copies = vec![CopyRange { to: 0x8100_0000, from: 0x8200_0000, bytes: 64 }];
    SystemComponent { on_fault, address_space: 0x8000_1000_0008_0123, capabilities, copies }
}

fn system() -> System {
    let threads = threads();
    let stack = StackEntry {
        stack_pointer: 0x1080_2000,
        thread_pointer: 0x1080_3000,
        message: 0x8130_0000,
    };
    System {
        header: header(),
        home_stacks: vec![stack; threads.len()],
        threads,
        gates: gates(),
        gate_stacks: vec![stack; 5],
        notifications: vec![
            NotificationConfig {
                kind: NotificationKind::Merging,
                releases: ThreadIndex(8),
                initial: 0,
            },
            NotificationConfig {
                kind: NotificationKind::Counting { limit: 5 },
                releases: ThreadIndex::NONE,
                initial: 2,
            },
        ],
        components: vec![
            component(OnFault::Continue, vec![Capability::Empty, Capability::Gate(GateIndex(1))]),
            component(OnFault::Dead, vec![Capability::Signal(NotificationIndex(0), 6)]),
            component(
                OnFault::Restart,
                vec![
                    Capability::Wait(NotificationIndex(1)),
                    Capability::Mutex(GateIndex(2)),
                    Capability::Acknowledge(0),
                    Capability::Thread(GateIndex(1), ThreadIndex(1)),
                ],
            ),
        ],
        interrupts: vec![InterruptLine { source: 10, notification: NotificationIndex(1) }],
        openings: vec![Opening {
            base: 0x8100_0000,
            bytes: 0x10_0000,
            permissions: Permissions::READ_WRITE,
        }],
    }
}

#[test]
fn a_system_comes_back() {
    let bytes = system().encode().unwrap();
    assert_eq!(System::decode(&bytes), Ok(system()));
    assert_eq!(Blob::length(&bytes[..Blob::HEAD_BYTES]), Ok(bytes.len()));
}

#[test]
fn the_end_stands_where_the_host_looks_for_it() {
    let mut bytes = system().encode().unwrap();
    bytes[END_OFFSET..END_OFFSET + 8].copy_from_slice(&77u64.to_le_bytes());
    assert_eq!(Blob::parse(&bytes).unwrap().header.end, 77);
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = system().encode().unwrap();
    for length in 0..bytes.len() {
        assert!(Blob::parse(&bytes[..length]).is_err(), "{length}");
    }
}

#[test]
fn no_changed_byte_panics() {
    let bytes = system().encode().unwrap();
    for place in 0..bytes.len() {
        for value in [0, 1, 7, 0x7f, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[place] = value;
            // Whatever still is a system reads the same twice.
            assert_eq!(System::decode(&changed), System::decode(&changed));
        }
    }
}

#[test]
fn names_what_is_wrong() {
    let good = system().encode().unwrap();
    let with = |place: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[place] = value;
        Blob::parse(&bytes).map(drop)
    };
    assert_eq!(with(0, 0), Err(Malformed::Magic));
    assert_eq!(with(8, 9), Err(Malformed::Version));
    assert_eq!(with(12, 9), Err(Malformed::Platform));
    assert_eq!(with(31, 1), Err(Malformed::Length));
    assert_eq!(with(80 + 7, 1), Err(Malformed::Table));
    let mut wrong = system();
    wrong.gate_stacks.pop();
    assert_eq!(System::decode(&wrong.encode().unwrap()), Err(Malformed::Count));
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes: Vec<u8>) {
        prop_assert!(Blob::parse(&bytes).is_err());
        let _ = (RawRecord::decode(&pad(&bytes, 24)), ResultBlock::decode(&pad(&bytes, 128)));
    }

    #[test]
    fn page_table_entries_come_back(page in 0u64..1 << 22, bits in 0u8..8, sv32: bool) {
        let format = if sv32 { PageTableFormat::Sv32 } else { PageTableFormat::Sv39 };
        let permissions = Permissions::from_bits(bits).unwrap();
        let address = page << 12;
        let entry = PageTableEntry::Page { address, permissions };
        let usable = permissions.bits() != 0 && (permissions.read || !permissions.write);
        // A page without any permission reads as something else, and that with user bits: nothing.
        prop_assert_eq!(format.decode(format.encode(entry)), usable.then_some(entry));
        let table = PageTableEntry::Table(address);
        prop_assert_eq!(format.decode(format.encode(table)), Some(table));
    }

    #[test]
    fn only_what_is_encoded_is_decoded(bits: u64, sv32: bool) {
        let format = if sv32 { PageTableFormat::Sv32 } else { PageTableFormat::Sv39 };
        if let Some(entry) = format.decode(bits) {
            prop_assert_eq!(format.encode(entry), bits);
        }
    }

    #[test]
    fn address_spaces_come_back(page in 1u64..1 << 22, number in 0u16..512, sv32: bool) {
        let format = if sv32 { PageTableFormat::Sv32 } else { PageTableFormat::Sv39 };
        prop_assert_eq!(
            format.root(format.address_space(page << 12, number)),
            Some((page << 12, number)),
        );
        prop_assert_eq!(format.root(0), None);
    }

    #[test]
    fn records_come_back(time: u64, value: u64, kind: u8, thread: u16, object: u16) {
        let record = RawRecord { time, value, kind, thread, object };
        let mut bytes = [0; RawRecord::BYTES];
        record.encode(&mut bytes);
        prop_assert_eq!(RawRecord::decode(&bytes), Some(record));
    }
}

fn pad(bytes: &[u8], length: usize) -> Vec<u8> {
    let mut padded = bytes.to_vec();
    padded.resize(length, 0);
    padded
}

#[test]
fn result_blocks_come_back() {
    let block = ResultBlock {
        status: Status::StartLate,
        detail: 1,
        address: 2,
        time: 3,
        records: 4,
        dropped: 5,
        kernel_memory: 6,
        started: 7,
    };
    let mut bytes = [0; ResultBlock::BYTES];
    block.encode(&mut bytes);
    assert_eq!(ResultBlock::decode(&bytes), Some(block));
    bytes[8] = 200;
    assert_eq!(ResultBlock::decode(&bytes), None);
}

#[test]
fn walks_reach_every_page() {
    for format in [PageTableFormat::Sv39, PageTableFormat::Sv32] {
        let address = 0x1234_5678u64;
        let parts = (0..format.levels())
            .map(|level| format.index(level, address) as u64 * format.span(level));
        assert_eq!(parts.sum::<u64>(), address & !0xfff);
    }
}
