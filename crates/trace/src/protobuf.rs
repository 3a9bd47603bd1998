//! The protobuf wire format, as far as a trace needs it.
//!
//! A trace is written once, front to back, by one producer, from a handful of
//! message types. Generated code for Perfetto's descriptor would be some ten
//! thousand lines for the thirty fields in use, so the wire format is written by
//! hand: variable-length integers, fixed 64-bit words, and length-delimited
//! bytes. Fields appear in the order of the calls, so equal calls give equal
//! bytes. Nothing is read here; the decoder of the `perfetto` package checks
//! the result in the tests.

/// A message under construction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Message {
    bytes: Vec<u8>,
}

/// The layout of a field's payload, the low three bits of its tag.
#[derive(Clone, Copy)]
enum Wire {
    Varint = 0,
    Fixed64 = 1,
    Delimited = 2,
}

impl Message {
    /// Returns an empty message.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Returns the bytes written so far.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// An unsigned, enumeration or truth value.
    pub(crate) fn unsigned(&mut self, field: u32, value: u64) {
        self.tag(field, Wire::Varint);
        self.varint(value);
    }

    /// An `int32` or `int64`: negative values take ten bytes, as the format wants it.
    pub(crate) fn signed(&mut self, field: u32, value: i64) {
        self.unsigned(field, value as u64);
    }

    /// Writes a field of the type `fixed64`.
    pub(crate) fn fixed(&mut self, field: u32, value: u64) {
        self.tag(field, Wire::Fixed64);
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// Writes a field of the type `string`.
    pub(crate) fn text(&mut self, field: u32, value: &str) {
        self.delimited(field, value.as_bytes());
    }

    /// A message inside this one.
    pub(crate) fn message(&mut self, field: u32, value: &Message) {
        self.delimited(field, &value.bytes);
    }

    fn delimited(&mut self, field: u32, value: &[u8]) {
        self.tag(field, Wire::Delimited);
        self.varint(value.len() as u64);
        self.bytes.extend_from_slice(value);
    }

    fn tag(&mut self, field: u32, wire: Wire) {
        self.varint(u64::from(field) << 3 | wire as u64);
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_published_encodings() {
        let written = |write: fn(&mut Message)| {
            let mut message = Message::new();
            write(&mut message);
            message.bytes().to_vec()
        };
        assert_eq!(
            written(|m| m.unsigned(1, 150)),
            [0x08, 0x96, 0x01],
            "the example of the format's description"
        );
        assert_eq!(
            written(|m| m.unsigned(1, u64::MAX)),
            [0x08, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1]
        );
        assert_eq!(
            written(|m| m.signed(2, -2)),
            [0x10, 0xfe, 255, 255, 255, 255, 255, 255, 255, 255, 1]
        );
        assert_eq!(written(|m| m.fixed(47, 7)), [0xf9, 0x02, 7, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn texts_and_messages_carry_their_length() {
        let mut inner = Message::new();
        inner.text(2, "testing");
        let mut outer = Message::new();
        outer.message(3, &inner);
        assert_eq!(outer.bytes(), b"\x1a\x09\x12\x07testing");
    }
}
