//! Stores of any width, and what grows for ever.

use super::*;
use crate::program::tests::empty;

fn range(low: i64, high: i64) -> Range {
    Range::new(low.into(), high.into(), 1)
}

/// Stores of all widths, one within the other: every number that was stored is in what is read.
#[test]
fn stores_of_any_width_are_all_there() {
    let program = empty();
    let stores = [
        (0u64, Width::Double, 0x1122_3344_5566_7788i64),
        (2, Width::Half, -2),
        (1, Width::Byte, 0x55),
        (4, Width::Word, 70_000),
        (3, Width::Half, 0x0102),
        (0, Width::Double, -1),
    ];
    let mut first = Bytes::default();
    first.write(0x100, Width::Double, Some(0), &program);
    let mut invariant = Invariant::new(first, Elsewhere::default(), 0..0);
    for (at, width, number) in stores {
        let mut learned = Learned::default();
        learned.store(
            1,
            Value::constant(0x100 + at),
            width,
            Range::constant(number).truncated(width),
        );
        invariant.absorb(&learned, &program);
        for byte in 0..width.bytes() {
            let held = invariant.read(0x100 + at + byte, Width::Byte, &program);
            let stored = Range::constant(number >> (8 * byte)).truncated(Width::Byte);
            assert!(
                held.is_none_or(|held| held.includes(stored)),
                "{at} {width:?} {byte}: {held:?}"
            );
        }
        let whole = invariant.read(0x100 + at, width, &program);
        assert!(whole.is_none_or(|held| held.includes(Range::constant(number).truncated(width))));
        // The same once more is nothing new, or the search for a claim would have no end.
        assert!(!invariant.absorb(&learned, &program), "{at} {width:?}");
    }
}

#[test]
fn what_grows_for_ever_is_anything_soon_and_is_narrowed_again() {
    let program = empty();
    let mut first = Bytes::default();
    first.write(0x100, Width::Half, Some(0), &program);
    let mut invariant = Invariant::new(first, Elsewhere::default(), 0..0);
    let store = |high| {
        let mut learned = Learned::default();
        learned.store(1, Value::constant(0x100), Width::Half, range(0, high));
        learned
    };
    // Grown once it is as it was stored, grown twice up to a power of two.
    for (high, kept) in [(10, 10), (100, 128)] {
        assert!(invariant.absorb(&store(high), &program));
        assert_eq!(invariant.read(0x100, Width::Half, &program), Some(range(0, kept)));
    }
    assert!(invariant.absorb(&store(1000), &program));
    assert_eq!(invariant.read(0x100, Width::Half, &program), None);
    assert_eq!(
        invariant.narrowed(&store(9), &program).read(0x100, Width::Half, &program),
        Some(range(0, 9))
    );
}

/// A store to many places around address 0: nothing is known of any place then.
#[test]
fn stores_across_address_zero_may_go_anywhere() {
    let program = empty();
    for (low, high) in [(-4_000, 4_000), (-9_000, -1), (-8, -8)] {
        let mut learned = Learned::default();
        let place = Value { base: Base::None, range: range(low, high) };
        learned.store(1, place, Width::Double, Range::constant(7));
        let mut invariant = Invariant::new(Bytes::default(), Elsewhere::default(), 0..0);
        invariant.absorb(&learned, &program);
        let held = invariant.read(low as u64, Width::Byte, &program);
        assert!(
            held.is_none_or(|held| held.includes(Range::constant(7))),
            "{low} {high}: {held:?}"
        );
    }
}
