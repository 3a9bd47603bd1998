//! Facts as lines of a facts file, for users that ask for one.

/// Returns the line that bounds a loop.
pub fn loop_line(place: &str, iterations: &str) -> String {
    format!("loops.{} = {iterations}", quoted(place))
}

/// Returns how often a function is called in all while it calls itself.
pub fn calls_line(place: &str, calls: &str) -> String {
    format!("calls.{} = {calls}", quoted(place))
}

/// Returns the line that bounds how deep a function calls itself.
pub fn recursion_line(place: &str, depth: &str) -> String {
    format!("recursion.{} = {depth}", quoted(place))
}

/// Returns the line that bounds the iterations of a loop in all of its entries together.
pub(crate) fn total_line(place: &str, iterations: &str, during: Option<&str>) -> String {
    let place = quoted(place);
    match during {
        Some(during) => {
            format!("totals.{place} = {{ iterations = {iterations}, during = {} }}", quoted(during))
        }
        None => format!("totals.{place} = {iterations}"),
    }
}

/// Returns the line that says that at most one of some places is executed.
pub(crate) fn exclusive_line(places: &[&str], during: Option<&str>) -> String {
    let places = list(places);
    match during {
        Some(during) => {
            format!("exclusive = [{{ places = {places}, during = {} }}]", quoted(during))
        }
        None => format!("exclusive = [{places}]"),
    }
}

/// Returns the line that says where a computed jump leads.
pub fn targets_line(place: &str, targets: &[&str]) -> String {
    format!("targets.{} = {}", quoted(place), list(targets))
}

/// Returns the line that says within which table the stores of an instruction stay.
pub fn table_line(place: &str, table: &str) -> String {
    format!("tables.{} = {}", quoted(place), quoted(table))
}

/// The same for a table in the stack.
pub(crate) fn stack_table_line(place: &str, above: u64, bytes: u64) -> String {
    format!("tables.{} = {{ stack = {above}, bytes = {bytes} }}", quoted(place))
}

/// Returns the line that says that places are never executed.
pub fn unreachable_line(places: &[&str]) -> String {
    format!("unreachable = {}", list(places))
}

/// Returns the line that says where paths end.
pub fn ends_line(places: &[&str]) -> String {
    format!("ends = {}", list(places))
}

/// Returns the line that states how long something takes that is not executed.
pub fn time_line(place: &str, time: &str) -> String {
    format!("times.{} = {time}", quoted(place))
}

/// The same with the stack that it needs, if that is known, and the variables that it may write.
pub(crate) fn stated_line(
    place: &str,
    (time, stack): (u64, Option<u64>),
    writes: Option<&[String]>,
) -> String {
    let names = |all: &[String]| list(&all.iter().map(String::as_str).collect::<Vec<_>>());
    let writes = writes.map(|all| format!(", writes = {}", names(all))).unwrap_or_default();
    let stack = stack.map(|bytes| format!(", stack = {bytes}")).unwrap_or_default();
    format!("times.{} = {{ time = {time}{writes}{stack} }}", quoted(place))
}

/// Returns the line that says that stores reach no memory of which anything is known.
pub fn elsewhere_line(place: &str) -> String {
    format!("elsewhere = {}", list(&[place]))
}

fn list(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
    format!("[{}]", names.join(", "))
}

/// Returns a TOML string of one line.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            // TOML refuses these letters as they are.
            letter if letter.is_control() => quoted += &format!("\\u{:04x}", u32::from(letter)),
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}
