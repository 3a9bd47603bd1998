//! The source of a worst path, each line with what became of it.

use std::collections::BTreeMap;
use std::path::Path;

use fusee_report::worst_path::{File, SourceLine};
use fusee_wcet::assembly;
use fusee_wcet::execute::Bound;
use fusee_wcet::names::readable_text;
use fusee_wcet::profile::Profile;

use super::Code;

/// Lines that are shown between two of the path, rather than left out.
const AROUND: u32 = 3;
/// Lines of source that a page shows of one entry.
const LINES: usize = 2000;

/// Returns the files of the worst path, the one that takes longest first.
///
/// A file that is not where the compiler read it has lines without text.
pub(super) fn files(of: Code<'_>, bound: &Bound, profile: &Profile) -> Vec<File> {
    let mut files: BTreeMap<&str, BTreeMap<u32, SourceLine>> = BTreeMap::new();
    let known = profile.lines.iter().filter(|share| share.line.line > 0);
    for share in known.take(LINES) {
        let lines = files.entry(&share.line.file).or_default();
        let line = lines.entry(share.line.line).or_default();
        line.time += share.time;
    }
    let executed: BTreeMap<u64, u64> =
        profile.blocks.iter().map(|share| (share.address, share.executed)).collect();
    let mut code: Vec<(u64, u64)> = Vec::new();
    for (block, addresses) in &bound.code {
        let times = executed.get(block).copied().unwrap_or(0);
        code.extend(addresses.iter().map(|&address| (address, times)));
    }
    // Blocks may share their ends: an instruction is executed as often as both together.
    code.sort_unstable();
    code.dedup_by(|later, first| {
        let is_same = later.0 == first.0;
        first.1 += if is_same { later.1 } else { 0 };
        is_same
    });
    for (address, times) in code {
        let line = of.lines.at(address).into_iter().next().unwrap_or_default();
        let found = files.get_mut(line.file.as_str()).and_then(|file| file.get_mut(&line.line));
        let instruction = of.program.instruction(address).ok();
        if let (Some(found), Some(instruction)) = (found, instruction) {
            let text = readable_text(&assembly::text(of.program, &instruction));
            found.code.push((format!("{address:#x}"), text, times));
        }
    }
    let mut files: Vec<(u64, File)> =
        files.into_iter().map(|(name, lines)| file(name, lines)).collect();
    files.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
    files.into_iter().map(|(_, file)| file).collect()
}

/// Returns a file with its text, and the time of all its lines.
fn file(path: &str, mut lines: BTreeMap<u32, SourceLine>) -> (u64, File) {
    let time = lines.values().map(|line| line.time).sum();
    let text = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let text: Vec<&str> = text.lines().collect();
    let numbers: Vec<u32> = lines.keys().copied().collect();
    for pair in numbers.windows(2) {
        if pair[1] - pair[0] <= AROUND + 1 {
            lines.extend((pair[0] + 1..pair[1]).map(|number| (number, SourceLine::default())));
        }
    }
    for (&number, line) in &mut lines {
        line.number = number;
        line.text = text
            .get(number as usize - 1)
            .map(|text| text.replace('\t', "    "))
            .unwrap_or_default();
    }
    let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned();
    (time, File { name, lines: lines.into_values().collect() })
}
