//! The content of registers at an entry: as told, and by argument types.

use fusee_diagnostics::Diagnostic;
use fusee_wcet::execute;
use fusee_wcet::parameters;
use fusee_wcet::program::Program;
use fusee_wcet::value::Range;

/// The content of a register, as the command line says it.
#[derive(Debug, Clone)]
pub struct Held {
    name: String,
    low: i64,
    high: i64,
}

/// Reads `NAME=NUMBER` or `NAME=LOWEST..HIGHEST`.
pub fn held(text: &str) -> Result<Held, String> {
    let (name, numbers) = text.split_once('=').ok_or("it must have the form NAME=NUMBER")?;
    let (low, high) = numbers.split_once("..").unwrap_or((numbers, numbers));
    let (low, high) = (number(low)?, number(high)?);
    Ok(Held { name: name.trim().to_owned(), low, high })
}

fn number(text: &str) -> Result<i64, String> {
    let text = text.trim();
    let (digits, negative) = text.strip_prefix('-').map_or((text, false), |digits| (digits, true));
    let found = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    let number = found.map_err(|_| format!("`{text}` is no whole number"))?;
    Ok(if negative { (number as i64).wrapping_neg() } else { number as i64 })
}

/// Returns the content of registers that the command line says, for this program.
pub fn registers(program: &Program, given: &[Held]) -> Result<Vec<execute::Held>, Vec<Diagnostic>> {
    let isa = program.architecture();
    let (mut all, mut wrong) = (Vec::new(), Vec::new());
    for Held { name, low, high } in given {
        let found = Range::between(*low, *high).zip(isa.named(name));
        let Some((range, found)) = found else {
            let message = format!(
                "`{name}` can't hold {low} to {high}: {} has no such register or number",
                isa.name()
            );
            wrong.push(Diagnostic::error(fusee_wcet::REGISTER, message));
            continue;
        };
        let numbers = if low == high { low.to_string() } else { format!("from {low} to {high}") };
        let why = format!("`{name}` is {numbers} at entry, as `--register` says");
        all.extend(found.into_iter().map(|(register, width)| execute::Held {
            register,
            range: range.truncated(width),
            why: why.clone(),
        }));
    }
    if wrong.is_empty() { Ok(all) } else { Err(wrong) }
}

/// Returns the content of registers at an entry; the user's words count before those of types.
pub fn at_entry(
    file: &[u8],
    program: &Program,
    entry: u64,
    told: &[execute::Held],
) -> Vec<execute::Held> {
    let typed = parameters::held(file, program, entry);
    let other =
        typed.into_iter().filter(|one| told.iter().all(|known| known.register != one.register));
    told.iter().cloned().chain(other).collect()
}
