//! Perfetto's track events: tracks, slices, instants, counters, flows.
//!
//! A [`Timeline`] turns calls into the packets of one trusted sequence. Names
//! are interned, because a run of a second may have a million slices and some
//! dozen names. Times are nanoseconds of virtual time and go out unchanged.
//!
//! Field numbers are those of Perfetto's published trace format (TracePacket,
//! TrackDescriptor, TrackEvent, InternedData).

use crate::protobuf::Message;
use std::collections::BTreeMap;

/// A track's identity; any number that no other track of the trace has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Track(pub u64);

/// Ties slices together: the viewer draws arrows along equal numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Flow(pub u64);

/// The unit of a counter's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// The unit is nanoseconds.
    Nanoseconds,
    /// A plain number.
    Count,
}

/// A trace under construction.
#[derive(Debug, Clone, Default)]
pub struct Timeline {
    trace: Message,
    names: BTreeMap<String, u64>,
    started: bool,
}

mod field {
    pub(super) const TRACE_PACKET: u32 = 1;
    pub(super) mod packet {
        pub(crate) const TIMESTAMP: u32 = 8;
        pub(crate) const SEQUENCE: u32 = 10;
        pub(crate) const TRACK_EVENT: u32 = 11;
        pub(crate) const INTERNED: u32 = 12;
        pub(crate) const SEQUENCE_FLAGS: u32 = 13;
        pub(crate) const TRACK_DESCRIPTOR: u32 = 60;
    }
    pub(super) mod descriptor {
        pub(crate) const UUID: u32 = 1;
        pub(crate) const NAME: u32 = 2;
        pub(crate) const PROCESS: u32 = 3;
        pub(crate) const THREAD: u32 = 4;
        pub(crate) const PARENT: u32 = 5;
        pub(crate) const COUNTER: u32 = 8;
        pub(crate) const CHILD_ORDERING: u32 = 11;
        pub(crate) const RANK: u32 = 12;
    }
    pub(super) mod event {
        pub(crate) const KIND: u32 = 9;
        pub(crate) const NAME: u32 = 10;
        pub(crate) const TRACK: u32 = 11;
        pub(crate) const COUNTER_VALUE: u32 = 30;
        pub(crate) const FLOW: u32 = 47;
    }
}

/// The one producer of these traces.
const SEQUENCE: u64 = 1;
/// SEQ_INCREMENTAL_STATE_CLEARED: nothing interned before this packet counts.
const FRESH: u64 = 1;
/// SEQ_NEEDS_INCREMENTAL_STATE: the packet refers to interned names.
const NEEDS_NAMES: u64 = 2;

#[derive(Clone, Copy)]
enum Kind {
    Begin = 1,
    End = 2,
    Instant = 3,
    Counter = 4,
}

impl Timeline {
    /// Returns an empty trace.
    pub fn new() -> Self {
        Self::default()
    }

    /// A process, which holds thread tracks; `pid` is positive.
    pub fn process(&mut self, track: Track, pid: u32, name: &str) {
        let mut process = Message::new();
        process.unsigned(1, u64::from(pid));
        process.text(6, name);
        let mut descriptor = described(track, name);
        descriptor.message(field::descriptor::PROCESS, &process);
        self.describe(&descriptor);
    }

    /// A thread of process `pid`; `tid` is positive and differs from every other thread's.
    pub fn thread(&mut self, track: Track, pid: u32, tid: u32, name: &str) {
        let mut thread = Message::new();
        thread.unsigned(1, u64::from(pid));
        thread.unsigned(2, u64::from(tid));
        thread.text(5, name);
        let mut descriptor = described(track, name);
        descriptor.message(field::descriptor::THREAD, &thread);
        self.describe(&descriptor);
    }

    /// A track of no thread, which holds further ones in the order of their ranks.
    pub fn folder(&mut self, track: Track, name: &str) {
        let mut descriptor = described(track, name);
        descriptor.unsigned(field::descriptor::CHILD_ORDERING, 3);
        self.describe(&descriptor);
    }

    /// A track inside `parent`.
    pub fn child(&mut self, track: Track, parent: Track, name: &str, rank: u32) {
        let mut descriptor = described(track, name);
        descriptor.unsigned(field::descriptor::PARENT, parent.0);
        descriptor.unsigned(field::descriptor::RANK, u64::from(rank));
        self.describe(&descriptor);
    }

    /// A counter inside `parent`.
    pub fn counter_track(&mut self, track: Track, parent: Track, name: &str, unit: Unit) {
        let mut counter = Message::new();
        counter.unsigned(3, if unit == Unit::Nanoseconds { 1 } else { 2 });
        let mut descriptor = described(track, name);
        descriptor.unsigned(field::descriptor::PARENT, parent.0);
        descriptor.message(field::descriptor::COUNTER, &counter);
        self.describe(&descriptor);
    }

    /// Opens a slice on `track`; slices of one track nest.
    pub fn begin(&mut self, at: u64, track: Track, name: &str, flow: Option<Flow>) {
        self.named(at, track, name, Kind::Begin, flow);
    }

    /// Closes the slice opened last on `track`.
    pub fn end(&mut self, at: u64, track: Track) {
        self.event(at, event(track, Kind::End), None);
    }

    /// Marks an instant.
    pub fn instant(&mut self, at: u64, track: Track, name: &str, flow: Option<Flow>) {
        self.named(at, track, name, Kind::Instant, flow);
    }

    /// A counter's value from now on.
    pub fn count(&mut self, at: u64, track: Track, value: i64) {
        let mut counter = event(track, Kind::Counter);
        counter.signed(field::event::COUNTER_VALUE, value);
        self.event(at, counter, None);
    }

    /// Returns the finished trace: one `perfetto.protos.Trace`.
    pub fn finish(self) -> Vec<u8> {
        self.trace.bytes().to_vec()
    }

    fn named(&mut self, at: u64, track: Track, name: &str, kind: Kind, flow: Option<Flow>) {
        let known = self.names.get(name).copied();
        let id = known.unwrap_or(self.names.len() as u64 + 1);
        let mut named = event(track, kind);
        named.unsigned(field::event::NAME, id);
        if let Some(Flow(flow)) = flow {
            named.fixed(field::event::FLOW, flow);
        }
        let introduced = known.is_none().then(|| {
            self.names.insert(name.to_owned(), id);
            interned(id, name)
        });
        self.event(at, named, introduced);
    }

    fn event(&mut self, at: u64, event: Message, introduced: Option<Message>) {
        let mut packet = Message::new();
        packet.unsigned(field::packet::TIMESTAMP, at);
        packet.message(field::packet::TRACK_EVENT, &event);
        if let Some(names) = introduced {
            packet.message(field::packet::INTERNED, &names);
        }
        self.packet(packet);
    }

    fn describe(&mut self, descriptor: &Message) {
        let mut packet = Message::new();
        packet.message(field::packet::TRACK_DESCRIPTOR, descriptor);
        self.packet(packet);
    }

    fn packet(&mut self, mut packet: Message) {
        packet.unsigned(field::packet::SEQUENCE, SEQUENCE);
        packet.unsigned(
            field::packet::SEQUENCE_FLAGS,
            if self.started { NEEDS_NAMES } else { FRESH },
        );
        self.started = true;
        self.trace.message(field::TRACE_PACKET, &packet);
    }
}

fn described(track: Track, name: &str) -> Message {
    let mut descriptor = Message::new();
    descriptor.unsigned(field::descriptor::UUID, track.0);
    descriptor.text(field::descriptor::NAME, name);
    descriptor
}

fn event(track: Track, kind: Kind) -> Message {
    let mut event = Message::new();
    event.unsigned(field::event::KIND, kind as u64);
    event.unsigned(field::event::TRACK, track.0);
    event
}

fn interned(id: u64, name: &str) -> Message {
    let mut entry = Message::new();
    entry.unsigned(1, id);
    entry.text(2, name);
    let mut names = Message::new();
    names.message(2, &entry);
    names
}
