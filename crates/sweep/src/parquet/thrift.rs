//! Thrift's compact protocol, as far as a Parquet footer needs it.

/// A structure under construction; fields are added in the order of their numbers.
#[derive(Debug, Clone, Default)]
pub(super) struct Struct {
    bytes: Vec<u8>,
    last: i16,
}

const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

fn unsigned(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn signed(value: i64, out: &mut Vec<u8>) {
    unsigned(((value << 1) ^ (value >> 63)) as u64, out);
}

fn binary(text: &str, out: &mut Vec<u8>) {
    unsigned(text.len() as u64, out);
    out.extend(text.bytes());
}

impl Struct {
    fn field(&mut self, number: i16, kind: u8) {
        // Field numbers here grow by less than 16, which fits the short form.
        self.bytes.push(((number - self.last) as u8) << 4 | kind);
        self.last = number;
    }

    fn list(&mut self, number: i16, kind: u8, length: usize) {
        self.field(number, LIST);
        if length < 15 {
            self.bytes.push((length as u8) << 4 | kind);
        } else {
            self.bytes.push(0xF0 | kind);
            unsigned(length as u64, &mut self.bytes);
        }
    }

    pub(super) fn integer32(mut self, number: i16, value: i64) -> Self {
        self.field(number, I32);
        signed(value, &mut self.bytes);
        self
    }

    pub(super) fn integer(mut self, number: i16, value: i64) -> Self {
        self.field(number, I64);
        signed(value, &mut self.bytes);
        self
    }

    pub(super) fn text(mut self, number: i16, text: &str) -> Self {
        self.field(number, BINARY);
        binary(text, &mut self.bytes);
        self
    }

    pub(super) fn structure(mut self, number: i16, inner: Struct) -> Self {
        self.field(number, STRUCT);
        self.bytes.extend(inner.finish());
        self
    }

    pub(super) fn structs(mut self, number: i16, list: Vec<Struct>) -> Self {
        self.list(number, STRUCT, list.len());
        self.bytes.extend(list.into_iter().flat_map(Struct::finish));
        self
    }

    pub(super) fn integers32(mut self, number: i16, list: &[i64]) -> Self {
        self.list(number, I32, list.len());
        list.iter().for_each(|&value| signed(value, &mut self.bytes));
        self
    }

    pub(super) fn texts(mut self, number: i16, list: &[&str]) -> Self {
        self.list(number, BINARY, list.len());
        list.iter().for_each(|text| binary(text, &mut self.bytes));
        self
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_packed_as_the_protocol_says() {
        let bytes = Struct::default().integer32(1, 1).integer(4, -150).text(5, "ab").finish();
        assert_eq!(bytes, [0x15, 0x02, 0x36, 0xAB, 0x02, 0x18, 0x02, b'a', b'b', 0]);
    }

    #[test]
    fn long_lists_carry_their_length() {
        let bytes = Struct::default().integers32(2, &[0; 20]).finish();
        assert_eq!(bytes[..3], [0x29, 0xF5, 20]);
    }
}
