//! Sessions of an editor: what it shows is what the commands say.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use fusee_pipeline::checked;
use fusee_pipeline::options::Source;
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use url::Url;

const SYSTEM: &str = "\
import <std_connector.camkes>;
procedure Store { void put(in int value); }
component Reader { control; uses Store store; }
component Memory { provides Store store; }
assembly {
  composition {
    component Reader fast;
    component Reader slow;
    component Memory memory;
    connection seL4RPCCall a(from fast.store, to memory.store);
    connection seL4RPCCall b(from slow.store, to memory.store);
  }
  configuration {
    fast.period = \"10 ms\";
    fast.wcet = \"1 ms\";
    slow.period = \"100 ms\";
    slow.wcet = \"20 ms\";
    slow.deadline = \"50 ms\";
    memory.store_put_wcet = \"2 ms\";
  }
}
";

/// An editor with an open session.
struct Editor {
    connection: Connection,
    server: Option<JoinHandle<()>>,
    next: i32,
    /// The messages that are shown, the last ones of each file.
    shown: std::collections::BTreeMap<String, Value>,
}

impl Editor {
    fn new() -> Self {
        let (connection, theirs) = Connection::memory();
        let server = std::thread::spawn(move || fusee_lsp::serve(&theirs).expect("a session"));
        let shown = std::collections::BTreeMap::new();
        let mut editor = Self { connection, server: Some(server), next: 0, shown };
        let answer = editor.ask("initialize", json!({ "capabilities": {} })).expect("an answer");
        assert_eq!(answer["serverInfo"]["name"], "fusee");
        editor.tell("initialized", json!({}));
        editor
    }

    fn tell(&self, method: &str, params: Value) {
        let note = Notification::new(method.to_owned(), params);
        self.connection.sender.send(Message::Notification(note)).expect("the server listens");
    }

    /// Asks, and takes what is said until the answer.
    fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.next += 1;
        let id = RequestId::from(self.next);
        let request = Request::new(id.clone(), method.to_owned(), params);
        self.connection.sender.send(Message::Request(request)).expect("the server listens");
        loop {
            match self.connection.receiver.recv().expect("the server answers") {
                Message::Response(response) => {
                    assert_eq!(response.id, id);
                    return match response.error {
                        Some(error) => Err(error.message),
                        None => Ok(response.result.unwrap_or_default()),
                    };
                }
                Message::Notification(note) => self.show(note),
                Message::Request(request) => panic!("{request:?}"),
            }
        }
    }

    fn show(&mut self, note: Notification) {
        assert_eq!(note.method, "textDocument/publishDiagnostics");
        let uri = note.params["uri"].as_str().expect("a file").to_owned();
        self.shown.insert(uri, note.params["diagnostics"].clone());
    }

    fn open(&mut self, path: &Path, text: &str) {
        let document = json!({
            "uri": uri(path), "languageId": "camkes", "version": 1, "text": text,
        });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change(&mut self, path: &Path, text: &str) {
        self.tell(
            "textDocument/didChange",
            json!({
                "textDocument": { "uri": uri(path), "version": 2 },
                "contentChanges": [{ "text": text }],
            }),
        );
    }

    /// The messages about a file, once the server has seen all that was sent.
    fn messages(&mut self, path: &Path) -> Vec<Value> {
        // They are sent before a question is answered.
        let asked = json!({ "textDocument": { "uri": uri(path) } });
        self.ask("textDocument/documentSymbol", asked).expect("symbols");
        let shown = self.shown.get(&uri(path)).cloned().unwrap_or_default();
        shown.as_array().cloned().unwrap_or_default()
    }

    /// Asks about the first place of a word in a text, so many letters into it.
    fn at(&mut self, method: &str, asked: (&Path, &str), word: &str) -> Result<Value, String> {
        self.with(method, asked, word, json!({}))
    }

    fn with(
        &mut self,
        method: &str,
        (path, text): (&Path, &str),
        word: &str,
        more: Value,
    ) -> Result<Value, String> {
        let mut params = json!({ "textDocument": { "uri": uri(path) } });
        params["position"] = place(text, text.find(word).expect("the word") + 1);
        for (name, value) in more.as_object().expect("fields") {
            params[name] = value.clone();
        }
        self.ask(method, params)
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        self.ask("shutdown", Value::Null).expect("an answer");
        self.tell("exit", Value::Null);
        self.server.take().expect("a server").join().expect("it ends");
    }
}

fn uri(path: &Path) -> String {
    Url::from_file_path(path).expect("an absolute path").to_string()
}

fn place(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap_or_default().encode_utf16().count();
    json!({ "line": line, "character": column })
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("session-{name}"));
    // An earlier run may have left files.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn codes(messages: &[Value]) -> Vec<&str> {
    messages.iter().map(|one| one["code"].as_str().expect("a code")).collect()
}

#[test]
fn messages_and_repairs_follow_what_is_typed() {
    let path = folder("typed").join("s.camkes");
    let mut editor = Editor::new();
    editor.open(&path, SYSTEM);
    // The file need not be there.
    let quiet = editor.messages(&path);
    assert!(quiet.iter().all(|one| one["severity"] != 1 && one["severity"] != 2), "{quiet:?}");
    let wrong = SYSTEM.replace("fast.wcet = \"1 ms\"", "fast.wcet = 1");
    editor.change(&path, &wrong);
    let found = editor.messages(&path);
    assert!(codes(&found).contains(&"F0319"), "{found:?}");
    let asked = json!({
        "textDocument": { "uri": uri(&path) },
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } },
        "context": { "diagnostics": [] },
    });
    let actions = editor.ask("textDocument/codeAction", asked.clone()).expect("actions");
    let edit = &actions[0]["edit"]["changes"][uri(&path)][0];
    assert_eq!(edit["newText"], "\"1 ms\"", "{actions}");
    assert_eq!(edit["range"]["start"], place(&wrong, wrong.find("= 1;").expect("it") + 2));
    let mut all = asked;
    all["context"]["only"] = json!(["source.fixAll"]);
    let actions = editor.ask("textDocument/codeAction", all).expect("actions");
    assert_eq!(actions[0]["edit"]["changes"][uri(&path)][0]["newText"], SYSTEM);
    editor.change(&path, SYSTEM);
    assert_eq!(editor.messages(&path), quiet);
}

#[test]
fn names_are_explained_found_and_completed() {
    let path = folder("names").join("s.camkes");
    let mut editor = Editor::new();
    editor.open(&path, SYSTEM);
    let here = (path.as_path(), SYSTEM);
    let text = |value: Value| value["contents"]["value"].as_str().unwrap_or_default().to_owned();
    let task = text(editor.at("textDocument/hover", here, "slow;").expect("a hover"));
    assert!(task.contains("responds within **") && task.contains("`fast` interferes"), "{task}");
    let attribute = text(editor.at("textDocument/hover", here, "period").expect("a hover"));
    assert!(attribute.contains("takes: duration"), "{attribute}");
    let gate = text(editor.at("textDocument/hover", here, "store; }\nassembly").expect("it"));
    assert!(gate.contains("gate `memory.store`: inherited, ceiling"), "{gate}");
    let own = text(editor.at("textDocument/hover", here, "store_put_wcet").expect("a hover"));
    assert!(own.contains("`wcet`"), "{own}");

    let found = editor.at("textDocument/definition", here, "fast.store").expect("places");
    let declared = SYSTEM.find("fast;").expect("it");
    assert_eq!(found[0]["range"]["start"], place(SYSTEM, declared));
    let found = editor.at("textDocument/definition", here, "Store store; }\ncomp").expect("it");
    assert_eq!(found[0]["range"]["start"], place(SYSTEM, SYSTEM.find("Store").expect("it")));
    let uses = json!({ "context": { "includeDeclaration": true } });
    let found = editor.with("textDocument/references", here, "memory;", uses).expect("places");
    assert_eq!(found.as_array().map(Vec::len), Some(4), "{found}");

    let begun = SYSTEM.replace("slow.wcet =", "slow.\n    slow.wcet =");
    editor.change(&path, &begun);
    let mut asked = json!({ "textDocument": { "uri": uri(&path) } });
    asked["position"] = place(&begun, begun.find("slow.\n").expect("it") + "slow.".len());
    let offered = editor.ask("textDocument/completion", asked).expect("names");
    let labels: Vec<&str> = offered
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["label"].as_str())
        .collect();
    for expected in ["period", "deadline", "budget", "calls"] {
        assert!(labels.contains(&expected), "{expected} in {labels:?}");
    }
    let hints = json!({ "range": {
        "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 },
    } });
    editor.change(&path, SYSTEM);
    let hints = editor.with("textDocument/inlayHint", here, "assembly", hints).expect("hints");
    let hints: Vec<&str> =
        hints.as_array().expect("a list").iter().filter_map(|one| one["label"].as_str()).collect();
    assert_eq!(hints.len(), 2, "{hints:?}");
    assert!(hints.iter().all(|hint| hint.starts_with('≤') && hint.ends_with(" left")), "{hints:?}");
}

#[test]
fn objects_get_other_names_where_that_is_right() {
    let path = folder("rename").join("s.camkes");
    let mut editor = Editor::new();
    editor.open(&path, SYSTEM);
    let here = (path.as_path(), SYSTEM);
    let to = |name: &str| json!({ "newName": name });
    let edits = editor.with("textDocument/rename", here, "memory;", to("ram")).expect("edits");
    let edits = edits["changes"][uri(&path)].as_array().expect("edits").clone();
    assert_eq!(edits.len(), 4);
    assert!(edits.iter().all(|edit| edit["newText"] == "ram"));
    for (word, name, why) in [
        ("memory;", "slow", "would be wrong"),
        ("memory;", "1st", "is no name"),
        ("store; }\nassembly", "shelf", "components' code"),
        ("Reader fast", "Other", "names of its files"),
        ("seL4RPCCall a", "Call", "components' code"),
        ("configuration", "x", "no name of an object"),
    ] {
        let refused = editor.with("textDocument/rename", here, word, to(name));
        assert!(refused.as_ref().is_err_and(|said| said.contains(why)), "{word}: {refused:?}");
    }
    // A text names the instance as well.
    let text = SYSTEM.replace("slow.wcet", "slow.scheduler = \"fast\";\n    slow.wcet");
    editor.change(&path, &text);
    let edits = editor.with("textDocument/rename", (&path, &text), "fast;", to("quick"));
    assert!(edits.is_err(), "{edits:?}");
    assert!(editor.at("textDocument/prepareRename", here, "slow;").is_ok());
    assert!(editor.ask("textDocument/formatting", json!({})).is_err());
    assert!(editor.ask("textDocument/hover", json!({})).is_err());
}

/// A file of components is judged with the description near it that imports it.
#[test]
fn a_file_belongs_to_the_description_that_imports_it() {
    let folder = folder("parts");
    let (head, rest) = SYSTEM.split_once("assembly").expect("two parts");
    let head = head.replace("import <std_connector.camkes>;\n", "");
    fs::create_dir_all(folder.join("parts")).expect("a folder");
    let part = folder.join("parts/parts.camkes");
    fs::write(&part, &head).expect("a file");
    let main = folder.join("main.camkes");
    let text =
        format!("import <std_connector.camkes>;\nimport \"parts/parts.camkes\";\nassembly{rest}");
    fs::write(&main, &text).expect("a file");
    let mut editor = Editor::new();
    editor.open(&part, &head);
    assert!(codes(&editor.messages(&part)).iter().all(|code| *code != "F0101"));
    editor.change(&part, &head.replace("void put", "void set"));
    let found = editor.messages(&main);
    assert!(!found.is_empty(), "the setting of the method's time has no method now");
    // Once it is closed, the file on the disk counts again.
    editor.open(&main, &text);
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri(&part) } }));
    let quiet = editor.messages(&main);
    assert!(quiet.len() < found.len(), "{quiet:?}");
}

/// After each of many random edits the editor shows what a run of `check` on the same text says.
#[test]
fn random_edits_give_the_messages_of_a_batch_run() {
    let edits: usize = match std::env::var("EDITS") {
        Ok(number) => number.parse().expect("a number"),
        Err(_) => 200,
    };
    let folder = folder("random");
    let path = folder.join("s.camkes");
    let mut editor = Editor::new();
    let mut text = SYSTEM.to_owned();
    editor.open(&path, &text);
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = |most: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % most
    };
    let pieces =
        ["{", "}", ";", "\"", "slow", ".", "= 5;", "import", "\u{e9}\u{1F600}", " ms", "//", "\n"];
    for edit in 0..edits {
        if edit % 8 == 7 {
            text = SYSTEM.to_owned();
        }
        let floor = |text: &str, mut at: usize| {
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let at = floor(&text, draw(text.len() + 1));
        match draw(2) {
            0 => text.insert_str(at, pieces[draw(pieces.len())]),
            _ => {
                let end = floor(&text, (at + draw(9)).min(text.len()));
                text.replace_range(at..end.max(at), "");
            }
        }
        editor.change(&path, &text);
        let shown = editor.messages(&path);
        fs::write(&path, &text).expect("a file");
        let batch = checked::run(&Source::of(path.clone()));
        let expected: Vec<&str> =
            batch.loaded.diagnostics.iter().map(|found| found.code.0).collect();
        assert_eq!(codes(&shown), expected, "after {edit} edits:\n{text}");
        for (shown, found) in shown.iter().zip(&batch.loaded.diagnostics) {
            let label = found.labels.iter().find(|label| label.primary);
            if let Some(label) = label.filter(|label| label.span.file.0 == 0) {
                let start = place(&text, label.span.start as usize);
                assert_eq!(shown["range"]["start"], start, "{}", found.message);
            }
            let said = shown["message"].as_str().expect("a message");
            assert!(said.starts_with(&found.message), "{said}");
        }
    }
}
