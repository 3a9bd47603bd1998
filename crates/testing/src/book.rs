//! The book's statements, compared with the results of a test.

/// A page of the book.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// Its path, for who reads that something is not so.
    pub name: &'static str,
    /// The text of the page.
    pub text: &'static str,
}

impl Page {
    /// Checks that the page has this row.
    ///
    /// # Errors
    /// Says what is not so.
    pub fn has(self, row: &str) -> Result<(), String> {
        let Page { name, text } = self;
        if text.contains(row) { Ok(()) } else { Err(format!("not so in {name}: {row}")) }
    }

    /// Checks that the page has all of these rows.
    ///
    /// # Panics
    /// Panics with those that it has not.
    pub fn assert_has(self, rows: impl IntoIterator<Item = String>) {
        let wrong: Vec<String> = rows.into_iter().filter_map(|row| self.has(&row).err()).collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// Prints the rows of a table, each marked that the page does not have; whether it has all.
#[must_use]
#[expect(clippy::print_stdout, reason = "the numbers are for people")]
pub fn print(page: Page, rows: &[String]) -> bool {
    for row in rows {
        match page.has(row) {
            Ok(()) => println!("{row}"),
            Err(_) => println!("{row}    <- not so in {}", page.name),
        }
    }
    rows.iter().all(|row| page.has(row).is_ok())
}
