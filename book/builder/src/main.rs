//! Builds the book: the chapters, and a page for each rule.
//!
//! usage: fusee-book BOOK TARGET < rules.json
//!
//! A rule owns its page. So that no page can be out of date, none is kept in the
//! repository: `fusee explain --json` gives the rules, and this program writes
//! their pages beside a copy of the chapters before mdBook sees them.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use mdbook_driver::MDBook;
use serde_json::Value;

/// The chapter in `SUMMARY.md` below which the rules' pages go.
const CHAPTER: &str = "- [Rules](rules.md)\n";

fn main() -> Result<()> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [book, target] = arguments.as_slice() else {
        bail!("usage: fusee-book BOOK TARGET < rules.json");
    };
    let rules: Value = serde_json::from_reader(io::stdin()).context("standard input is not the \
        rules as JSON")?;
    let rules = rules["rules"].as_array().context("there is no list `rules`")?;
    let work = target.join("book-source");
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    copy(&book.join("src"), &work.join("src"))?;
    fs::copy(book.join("book.toml"), work.join("book.toml"))?;
    write_rules(&work.join("src"), rules)?;
    let mut book = MDBook::load(&work).context("mdBook cannot read the book")?;
    book.config.build.build_dir = std::path::absolute(target.join("book"))?;
    book.build().context("mdBook cannot build the book")?;
    let index = target.join("book/index.html");
    writeln!(io::stdout(), "the book has {} rules: {}", rules.len(), index.display())?;
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn write_rules(source: &Path, rules: &[Value]) -> Result<()> {
    fs::create_dir_all(source.join("rules"))?;
    let mut entries = String::new();
    for rule in rules {
        let text = |key: &str| rule[key].as_str().with_context(|| format!("a rule has no `{key}`"));
        let (code, name) = (text("code")?, text("name")?);
        let page = format!(
            "# {code} {name}\n\n*Reported as {}.*\n\n{}\n\n## Why it matters\n\n{}\n\n## \
             Example\n\n```text\n{}\n```\n\n\
             ## What to do instead\n\n{}\n\n## Reference\n\n{}\n",
            text("severity")?,
            text("what")?.trim(),
            text("why")?.trim(),
            text("example")?.trim_matches('\n'),
            text("instead")?.trim(),
            text("reference")?.trim(),
        );
        fs::write(source.join(format!("rules/{code}.md")), page)?;
        entries += &format!("  - [{code} {name}](rules/{code}.md)\n");
    }
    let path = source.join("SUMMARY.md");
    let summary = fs::read_to_string(&path)?;
    if !summary.contains(CHAPTER) {
        bail!("SUMMARY.md has no line `{}`", CHAPTER.trim_end());
    }
    fs::write(path, summary.replace(CHAPTER, &format!("{CHAPTER}{entries}")))?;
    Ok(())
}
