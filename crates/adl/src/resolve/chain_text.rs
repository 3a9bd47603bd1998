//! The text of a chain: `a -> b.c -> d within 20 ms, age 30 ms`.

/// A chain as it is written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Text {
    /// The names between the arrows.
    pub(super) steps: Vec<String>,
    /// The time behind `within`.
    pub(super) within: Option<String>,
    /// The time behind `age`.
    pub(super) age: Option<String>,
}

/// Takes a text apart; an error is half a sentence.
pub(super) fn parse(text: &str) -> Result<Text, String> {
    let spaced = text.replace("->", " -> ").replace(',', " , ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let is_limit = |word: &str| matches!(word, "within" | "age" | ",");
    let end = words.iter().position(|word| is_limit(word)).unwrap_or(words.len());
    let (steps, limits) = words.split_at(end);
    let mut parsed = Text { steps: names(steps)?, within: None, age: None };
    let mut rest = limits;
    while let Some((&word, behind)) = rest.split_first() {
        let length = behind.iter().position(|word| is_limit(word)).unwrap_or(behind.len());
        let time = behind[..length].join(" ");
        rest = &behind[length..];
        let slot = match word {
            "," if time.is_empty() && !rest.is_empty() => continue,
            "," => return Err("a comma stands before `age` or `within`".to_owned()),
            "within" => &mut parsed.within,
            _ => &mut parsed.age,
        };
        if time.is_empty() {
            return Err(format!("`{word}` stands before a time"));
        }
        if slot.replace(time).is_some() {
            return Err(format!("`{word}` is there twice"));
        }
    }
    Ok(parsed)
}

/// The names of the steps, with arrows between them.
fn names(words: &[&str]) -> Result<Vec<String>, String> {
    let mut steps = Vec::new();
    for (at, &word) in words.iter().enumerate() {
        match (at % 2 == 1, word == "->") {
            (true, true) => {}
            (false, false) => steps.push(word.to_owned()),
            (true, false) => return Err(format!("`->` is missing before `{word}`")),
            (false, true) => return Err("a name is missing before `->`".to_owned()),
        }
    }
    if words.is_empty() || words.len().is_multiple_of(2) {
        return Err("a name is missing at its end".to_owned());
    }
    match steps.iter().enumerate().find(|(at, step)| steps[..*at].contains(step)) {
        Some((_, twice)) => Err(format!("`{twice}` is there twice")),
        None => Ok(steps),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_taken_apart() {
        let text = |steps: &[&str], within: Option<&str>, age: Option<&str>| Text {
            steps: steps.iter().map(|&step| step.to_owned()).collect(),
            within: within.map(str::to_owned),
            age: age.map(str::to_owned),
        };
        let cases = [
            ("a", text(&["a"], None, None)),
            ("a.x->b.y", text(&["a.x", "b.y"], None, None)),
            ("a -> b -> c within 20 ms", text(&["a", "b", "c"], Some("20 ms"), None)),
            ("a -> b within 2 ms, age 3ms", text(&["a", "b"], Some("2 ms"), Some("3ms"))),
            ("a -> b age 3 ms within 2 ms", text(&["a", "b"], Some("2 ms"), Some("3 ms"))),
        ];
        for (written, expected) in cases {
            assert_eq!(parse(written), Ok(expected), "{written}");
        }
    }

    #[test]
    fn what_is_no_chain_is_said() {
        let wrong = [
            "",
            "->",
            "a ->",
            "-> a",
            "a b",
            "a -> b within",
            "a, b",
            "a within 1 ms within 2 ms",
            "a -> a",
        ];
        for text in
            wrong.into_iter().chain(["a -> b,", "a -> -> b", "a within , age 1 ms", "a -> b 20 ms"])
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
