//! The text of a CMake file as commands, and commands as blocks.
//!
//! A word is quoted (`"a b"`, `[=[a b]=]`) or not; what is in it is expanded later, when
//! the command runs, because only then variables have their values.

/// A word as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    /// Whether it stays one word whatever is in its variables.
    pub(super) quoted: bool,
    /// Whether it is taken as it is, without variables: in brackets.
    pub(super) raw: bool,
}

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Command {
    /// In small letters.
    pub(super) name: String,
    pub(super) words: Vec<Word>,
    pub(super) line: usize,
}

/// A command, or commands that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    Command(Command),
    /// Conditions (none: `else`) with what they guard.
    If(Vec<(Option<Vec<Word>>, Vec<Node>)>),
    Foreach(Vec<Word>, Vec<Node>),
    /// A function or a macro: its name and parameters, its body.
    Routine {
        words: Vec<Word>,
        body: Vec<Node>,
        own_scope: bool,
    },
}

/// Blocks within blocks are read no deeper than this.
const MOST_DEPTH: usize = 60;

/// All commands of a file as blocks.
pub(super) fn nodes(text: &str) -> Vec<Node> {
    let commands = commands(text);
    let mut at = 0;
    let mut nodes = Vec::new();
    while at < commands.len() {
        nodes.extend(block(&commands, &mut at, 0));
        // What ends nothing is passed over.
        at += 1;
    }
    nodes
}

/// The nodes up to a word that ends the block around them, which is left where it is.
fn block(commands: &[Command], at: &mut usize, depth: usize) -> Vec<Node> {
    let mut nodes = Vec::new();
    while let Some(command) = commands.get(*at) {
        let name = command.name.as_str();
        if name.starts_with("end") && name != "endian"
            || ["else", "elseif"].contains(&name)
            || depth > MOST_DEPTH
        {
            break;
        }
        *at += 1;
        nodes.push(match name {
            "if" => choices(commands, at, (&command.words, depth)),
            "foreach" | "while" => {
                let body = block(commands, at, depth + 1);
                *at += 1;
                if name == "while" {
                    continue;
                }
                Node::Foreach(command.words.clone(), body)
            }
            "function" | "macro" => {
                let body = block(commands, at, depth + 1);
                *at += 1;
                Node::Routine { words: command.words.clone(), body, own_scope: name == "function" }
            }
            _ => Node::Command(command.clone()),
        });
    }
    nodes
}

fn choices(commands: &[Command], at: &mut usize, (first, depth): (&[Word], usize)) -> Node {
    let mut choices = vec![(Some(first.to_vec()), block(commands, at, depth + 1))];
    while let Some(command) = commands.get(*at) {
        *at += 1;
        match command.name.as_str() {
            "elseif" => choices.push((Some(command.words.clone()), block(commands, at, depth + 1))),
            "else" => choices.push((None, block(commands, at, depth + 1))),
            _ => break,
        }
    }
    Node::If(choices)
}

/// The commands of a text, in order.
fn commands(text: &str) -> Vec<Command> {
    let mut reader = Reader { text, at: 0 };
    let mut commands = Vec::new();
    while let Some(name) = reader.name() {
        let line = text[..reader.at].bytes().filter(|&byte| byte == b'\n').count() + 1;
        commands.push(Command { name, words: reader.words(), line });
    }
    commands
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Passes over a comment that starts here, behind its `#`.
    fn comment(&mut self) {
        if self.rest().starts_with('[') && self.bracket().is_some() {
            return;
        }
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    /// The name in front of the next parenthesis, which is passed.
    fn name(&mut self) -> Option<String> {
        let mut name = String::new();
        loop {
            match self.next()? {
                '(' => return Some(name.to_ascii_lowercase()),
                '#' => self.comment(),
                '\n' => name.clear(),
                c if c.is_whitespace() => {}
                c => name.push(c),
            }
        }
    }

    /// The words up to the closing parenthesis; inner parentheses are words of their own.
    fn words(&mut self) -> Vec<Word> {
        let (mut words, mut depth) = (Vec::new(), 1);
        let mut word = String::new();
        let end = |word: &mut String, words: &mut Vec<Word>| {
            if !word.is_empty() {
                words.push(Word { text: std::mem::take(word), quoted: false, raw: false });
            }
        };
        while let Some(c) = self.next() {
            match c {
                '"' if word.is_empty() => {
                    let text = self.quoted();
                    words.push(Word { text, quoted: true, raw: false });
                }
                '"' => word.push_str(&self.quoted()),
                '[' if word.is_empty() => {
                    self.at -= 1;
                    match self.bracket() {
                        Some(text) => words.push(Word { text, quoted: true, raw: true }),
                        None => {
                            self.at += 1;
                            word.push('[');
                        }
                    }
                }
                '#' => {
                    end(&mut word, &mut words);
                    self.comment();
                }
                '(' | ')' => {
                    end(&mut word, &mut words);
                    depth = if c == '(' { depth + 1 } else { depth - 1 };
                    if depth == 0 {
                        break;
                    }
                    words.push(Word { text: c.into(), quoted: false, raw: true });
                }
                '\\' => {
                    word.push('\\');
                    word.extend(self.next());
                }
                c if c.is_whitespace() => end(&mut word, &mut words),
                c => word.push(c),
            }
        }
        end(&mut word, &mut words);
        words
    }

    /// The text up to the closing quote, with its backslashes.
    fn quoted(&mut self) -> String {
        let mut text = String::new();
        while let Some(c) = self.next() {
            match c {
                '"' => break,
                '\\' => {
                    text.push('\\');
                    text.extend(self.next());
                }
                c => text.push(c),
            }
        }
        text
    }

    /// `[=[text]=]` at this place; `None`, and nothing passed, if there is none.
    fn bracket(&mut self) -> Option<String> {
        let rest = self.rest().strip_prefix('[')?;
        let equals = rest.len() - rest.trim_start_matches('=').len();
        let inner = rest[equals..].strip_prefix('[')?;
        let close = format!("]{}]", "=".repeat(equals));
        let length = inner.find(&close)?;
        let text = inner[..length].trim_start_matches('\n').to_owned();
        self.at += 2 + equals + length + close.len();
        Some(text)
    }
}
