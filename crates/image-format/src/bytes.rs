//! Numbers in bytes, little-endian, without panics.

/// Something of fixed size in bytes.
pub trait Entry: Sized {
    /// The size of an entry in bytes.
    const BYTES: usize;

    /// From exactly [`BYTES`](Self::BYTES) bytes; none: they mean nothing.
    fn decode(bytes: &[u8]) -> Option<Self>;

    /// To exactly [`BYTES`](Self::BYTES) bytes, zeros before.
    fn encode(&self, bytes: &mut [u8]);
}

/// Reads numbers one after the other.
pub(crate) struct Reader<'b> {
    bytes: &'b [u8],
}

impl<'b> Reader<'b> {
    pub(crate) const fn new(bytes: &'b [u8]) -> Self {
        Reader { bytes }
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.bytes.split_first_chunk::<N>()?;
        self.bytes = rest;
        Some(*first)
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.take().map(u8::from_le_bytes)
    }

    #[inline(never)]
    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    #[inline(never)]
    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    #[inline(never)]
    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }
}

/// Writes numbers one after the other; what does not fit is left out.
pub(crate) struct Writer<'b> {
    bytes: &'b mut [u8],
    at: usize,
}

impl<'b> Writer<'b> {
    pub(crate) fn new(bytes: &'b mut [u8]) -> Self {
        Writer { bytes, at: 0 }
    }

    fn put(&mut self, number: &[u8]) -> &mut Self {
        if let Some(place) = self.bytes.get_mut(self.at..self.at + number.len()) {
            place.copy_from_slice(number);
        }
        self.at += number.len();
        self
    }

    pub(crate) fn u8(&mut self, number: u8) -> &mut Self {
        self.put(&[number])
    }

    pub(crate) fn u16(&mut self, number: u16) -> &mut Self {
        self.put(&number.to_le_bytes())
    }

    pub(crate) fn u32(&mut self, number: u32) -> &mut Self {
        self.put(&number.to_le_bytes())
    }

    pub(crate) fn u64(&mut self, number: u64) -> &mut Self {
        self.put(&number.to_le_bytes())
    }
}
