//! Exponential and logarithm that are the same on every machine.
//!
//! The standard library's are the operating system's and differ in the last bit
//! between systems; a set drawn with them would not be the same everywhere.
//! These use only operations that IEEE 754 defines to the bit, and are accurate
//! to about 1e-15, far below a tick.

use std::f64::consts::{LN_2, SQRT_2};

/// The natural logarithm of a positive normal number.
pub(super) fn ln(x: f64) -> f64 {
    let bits = x.to_bits();
    let mut exponent = (bits >> 52) as i64 - 1023;
    let mut mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    if mantissa > SQRT_2 {
        mantissa /= 2.0;
        exponent += 1;
    }
    // ln m = 2 artanh z = 2 (z + z^3/3 + z^5/5 + ...), |z| < 0.172.
    let z = (mantissa - 1.0) / (mantissa + 1.0);
    let square = z * z;
    let series = (0..12).rev().fold(0.0, |sum, k| sum * square + 1.0 / (2 * k + 1) as f64);
    exponent as f64 * LN_2 + 2.0 * z * series
}

/// e to the power x, for |x| < 700.
pub(super) fn exp(x: f64) -> f64 {
    let twos = (x / LN_2).round_ties_even();
    let rest = x - twos * LN_2;
    let series = (1..=18).rev().fold(1.0, |sum, k| sum * rest / k as f64 + 1.0);
    let exponent = (twos.clamp(-1022.0, 1023.0) as i64 + 1023) as u64;
    series * f64::from_bits(exponent << 52)
}

/// x to the power y for x in [0, 1] and positive y.
pub(super) fn power(x: f64, y: f64) -> f64 {
    if x <= 0.0 { 0.0 } else { exp((y * ln(x)).max(-700.0)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agree_with_the_operating_system() {
        for step in 1..20_000 {
            let x = f64::from(step) * 0.037;
            assert!((ln(x) - x.ln()).abs() <= 4e-15 * x.ln().abs().max(0.1), "{x}");
            let y = f64::from(step - 10_000) * 0.06;
            assert!((exp(y) / y.exp() - 1.0).abs() < 2e-13, "{y}");
            let z = f64::from(step) / 20_000.0;
            assert!((power(z, 0.3) / z.powf(0.3) - 1.0).abs() < 1e-14, "{z}");
        }
        assert_eq!((ln(1.0), exp(0.0), power(0.0, 0.5), power(1.0, 7.0)), (0.0, 1.0, 0.0, 1.0));
    }
}
