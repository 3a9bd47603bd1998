//! Checksums: CRC-32 for records, FNV-1a for identities.
//!
//! Both guard against accidents, not against malice; ten lines each.

/// Returns the CRC-32 of IEEE 802.3, as in PNG and zip.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, &byte: &u8| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg())
        })
    };
    !bytes.iter().fold(!0, step)
}

/// FNV-1a with 128 bits.
pub(crate) fn identity(bytes: &[u8]) -> u128 {
    let step = |hash: u128, &byte: &u8| {
        (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013B)
    };
    bytes.iter().fold(0x6C62_272E_07BB_0142_62B8_2175_6295_C58D, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn give_the_published_answers() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(identity(b""), 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D);
        assert_eq!(identity(b"a"), 0xD228_CB69_6F1A_8CAF_7891_2B70_4E4A_8964);
    }
}
