//! Reading the facts about where control leaves the program.

use std::ops::Range;

use toml::de::DeValue;

use super::read::{Entry, Key, Reader};
use crate::execute::{Boundary, Stated, Used};
use crate::fact_line;
use crate::place;
use fusee_isa::language::{Flow, Target};

/// The most that may be stated: sums of such times fit into a number.
const MOST: u64 = 1_000_000_000_000;

const SHAPE: &str = "write the time, or `{ time = N, writes = [NAMES], stack = BYTES }`";

impl Reader<'_> {
    /// Returns where control leaves the program at an address: behind a call, a system call or a
    /// breakpoint that is there, or where a function begins.
    fn boundary(&mut self, text: &str, at: Range<usize>) -> Option<Boundary> {
        let address = self.place(text, at.clone())?;
        let begins = self.program.function_at(address).is_none_or(|one| one.address == address);
        let flow = self.program.instruction(address).map(|instruction| instruction.flow);
        match flow {
            // An instruction that traps leaves the program, even as a function's first one.
            Ok(Flow::Breakpoint | Flow::SystemCall) => Some(Boundary::Instruction(address)),
            // At the first instruction of a function the function is meant, also if that is a call.
            _ if begins => Some(Boundary::Function(address)),
            // A jump to a computed address may be a call that does not come back here.
            Ok(Flow::Call { .. } | Flow::Jump(Target::Computed(_))) => {
                Some(Boundary::Instruction(address))
            }
            _ => {
                let message = format!("nothing leaves the program at `{text}`");
                let label = "name a function, a call, a system call or a breakpoint";
                self.malformed(at, message, label);
                None
            }
        }
    }

    /// Reads a place at which paths end.
    pub(super) fn end(&mut self, value: &Entry<'_>) {
        let Some(text) = self.text(value) else { return };
        let Some(boundary) = self.boundary(&text, value.span()) else { return };
        if let Boundary::Instruction(at) = boundary
            && self.program.instruction(at).is_ok_and(|one| is_call(one.flow))
        {
            let message = format!("`{text}` is a call: name the function, or what follows");
            return self.malformed(value.span(), message, "");
        }
        self.result.facts.ends.insert(boundary);
        self.give(Used::End(boundary.address()), value.span(), fact_line::ends_line(&[&text]));
    }

    /// Reads how long something takes that is not executed: at an address, or at each system call
    /// and breakpoint that comes from a line of source, wherever it was inlined.
    pub(super) fn time(&mut self, key: &Key<'_>, value: &Entry<'_>) {
        let Some((stated, line)) = self.stated(key.get_ref(), value) else { return };
        let Some(boundaries) = self.boundaries(key.get_ref(), key.span()) else { return };
        for boundary in boundaries {
            // With two times for one place nobody knows which of them was meant.
            if self.result.facts.times.insert(boundary, stated.clone()).is_some() {
                let message = format!("`{}` has a time already", key.get_ref());
                return self.malformed(key.span(), message, "");
            }
            self.give(Used::Time(boundary.address()), key.span(), line.clone());
        }
    }

    /// Returns where control leaves the program at an address, or on a line of source.
    fn boundaries(&mut self, text: &str, at: Range<usize>) -> Option<Vec<Boundary>> {
        let Some(line) = self.line(text, at.clone())? else {
            return self.boundary(text, at).map(|one| vec![one]);
        };
        let flow = |address: &u64| self.program.instruction(*address).map(|found| found.flow);
        let leaves =
            |address: &u64| matches!(flow(address), Ok(Flow::Breakpoint | Flow::SystemCall));
        let found: Vec<Boundary> =
            line.into_iter().filter(leaves).map(Boundary::Instruction).collect();
        if found.is_empty() {
            let message = format!("nothing leaves the program at `{text}`");
            let label = "name a line with a system call or a breakpoint, or a function";
            self.malformed(at, message, label);
            return None;
        }
        Some(found)
    }

    /// Returns what is stated, and the fact as one line.
    fn stated(&mut self, place: &str, value: &Entry<'_>) -> Option<(Stated, String)> {
        let what = "the time of what is not executed";
        let DeValue::Table(table) = value.get_ref() else {
            let time = self.moderate(value, what, SHAPE)?;
            let line = fact_line::time_line(place, &time.to_string());
            return Some((Stated { time, ..Stated::default() }, line));
        };
        let Some(time) =
            table.get("time").filter(|_| self.known(table, ["time", "writes", "stack"]))
        else {
            let message = "what is not executed must have `time`, may have `writes` and `stack`";
            self.malformed(value.span(), message.to_owned(), SHAPE);
            return None;
        };
        let time = self.moderate(time, what, SHAPE)?;
        let stack = match table.get("stack") {
            Some(stack) => Some(self.moderate(stack, "the stack that it needs", "in bytes")?),
            None => None,
        };
        let writes = match table.get("writes") {
            Some(names) => Some(self.written(names)?),
            None => None,
        };
        let line = fact_line::stated_line(
            place,
            (time, stack),
            writes.as_ref().map(|(names, _)| names.as_slice()),
        );
        Some((Stated { time, writes: writes.map(|(_, places)| places), stack }, line))
    }

    /// A number that sums can be made of.
    fn moderate(&mut self, value: &Entry<'_>, what: &str, label: &str) -> Option<u64> {
        let number = self.number(value, what, label)?;
        if number > MOST {
            self.malformed(value.span(), format!("{what} must be at most {MOST}"), label);
            return None;
        }
        Some(number)
    }

    /// The names of variables, and where they are.
    fn written(&mut self, value: &Entry<'_>) -> Option<(Vec<String>, Vec<Range<u64>>)> {
        let Some(list) = value.get_ref().as_array() else {
            self.malformed(value.span(), "`writes` must be a list of variables".to_owned(), SHAPE);
            return None;
        };
        let (mut names, mut places) = (Vec::new(), Vec::new());
        for one in list.iter() {
            let name = self.text(one)?;
            let symbol = place::symbol(self.program, &name)
                .map_err(|unknown| self.unknown(&unknown, one.span()))
                .ok()?;
            let (start, size) = (symbol.address, symbol.size);
            // How much of memory may change cannot be told without the size,
            // and less would be unsound.
            if size == 0 {
                let message = format!("the file does not say how large `{name}` is");
                self.malformed(one.span(), message, "");
                return None;
            }
            places.push(start..start.saturating_add(size));
            names.push(name);
        }
        Some((names, places))
    }
}

fn is_call(flow: Flow) -> bool {
    // A jump may be the last call of a function, and is named by its place in the same way.
    matches!(flow, Flow::Call { .. } | Flow::Jump(_))
}
