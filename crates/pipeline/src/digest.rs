//! The digest by which an image is told from others.

/// Returns the digest by which an image is told from others: Fowler, Noll and Vo's hash (1a, 64
/// bits).
pub(crate) fn digest(image: &[u8]) -> String {
    let hash = image.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
