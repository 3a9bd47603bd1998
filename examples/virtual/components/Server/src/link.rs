//! The link: frames from the ring of the driver domain, to that of the wire.

use core::sync::atomic::{Ordering, fence};

use camkes::Shared;
use smoltcp::phy::{Device, DeviceCapabilities, Medium, RxToken, TxToken};
use smoltcp::time::Instant;

/// As in `ring.h`: so many frames, each after its number and length.
const FRAMES: u32 = 64;
const BYTES: usize = 256;
const HEAD: usize = 8;

/// The largest frame.
pub const LARGEST: usize = BYTES - HEAD;

/// Four bytes as a number.
pub fn word(memory: Shared, at: usize) -> u32 {
    u32::from_le_bytes([0, 1, 2, 3].map(|byte| memory.read(at + byte).unwrap_or(0)))
}

fn put(memory: Shared, at: usize, bytes: &[u8]) {
    for (offset, &byte) in bytes.iter().enumerate() {
        memory.write(at + offset, byte);
    }
}

/// Where frame `number` lies.
fn place(number: u32) -> usize {
    BYTES + (number % FRAMES) as usize * BYTES
}

/// The frame that is being answered, and how many have been taken and sent.
pub struct Link {
    taken: u32,
    sent: u32,
    frame: Option<Frame>,
}

pub struct Frame {
    bytes: [u8; LARGEST],
    length: usize,
}

impl Link {
    pub const fn new() -> Self {
        Self { taken: 0, sent: 0, frame: None }
    }

    /// Takes the next frame; those that have been overwritten are lost.
    pub fn take(&mut self) {
        let ring = camkes::forwarded::shared();
        let written = word(ring, 0);
        fence(Ordering::Acquire);
        if written.wrapping_sub(self.taken) > FRAMES {
            self.taken = written.wrapping_sub(FRAMES);
        }
        self.taken = self.taken.wrapping_add(1);
        let at = place(self.taken);
        let length = (word(ring, at + 4) as usize).min(LARGEST);
        let mut bytes = [0; LARGEST];
        for (offset, byte) in bytes[..length].iter_mut().enumerate() {
            *byte = ring.read(at + HEAD + offset).unwrap_or(0);
        }
        self.frame = Some(Frame { bytes, length });
    }
}

impl Device for Link {
    type RxToken<'a> = Frame;
    type TxToken<'a> = Sender<'a>;

    fn receive(&mut self, _now: Instant) -> Option<(Frame, Sender<'_>)> {
        let frame = self.frame.take()?;
        Some((frame, Sender(&mut self.sent)))
    }

    fn transmit(&mut self, _now: Instant) -> Option<Sender<'_>> {
        Some(Sender(&mut self.sent))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut own = DeviceCapabilities::default();
        own.medium = Medium::Ethernet;
        own.max_transmission_unit = LARGEST;
        own
    }
}

impl RxToken for Frame {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, f: F) -> R {
        f(&self.bytes[..self.length])
    }
}

/// Writes one frame into the ring that the wire reads.
pub struct Sender<'a>(&'a mut u32);

impl TxToken for Sender<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, length: usize, f: F) -> R {
        let mut bytes = [0; LARGEST];
        let answer = f(&mut bytes[..length]);
        let ring = camkes::answers::shared();
        *self.0 = self.0.wrapping_add(1);
        let at = place(*self.0);
        put(ring, at, &self.0.to_le_bytes());
        put(ring, at + 4, &(length as u32).to_le_bytes());
        put(ring, at + HEAD, &bytes[..length]);
        fence(Ordering::Release);
        put(ring, 0, &self.0.to_le_bytes());
        answer
    }
}
