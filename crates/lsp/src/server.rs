//! The conversation with the editor.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument, DidOpenTextDocument,
    DidSaveTextDocument, Notification as _, PublishDiagnostics,
};
use lsp_types::request::{
    CodeActionRequest, Completion, DocumentSymbolRequest, GotoDefinition, HoverRequest,
    InlayHintRequest, PrepareRenameRequest, References, Rename, Request as _,
};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionParams, CodeActionProviderCapability,
    CompletionOptions, CompletionParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DocumentSymbolParams, DocumentSymbolResponse, GotoDefinitionParams,
    GotoDefinitionResponse, HoverParams, HoverProviderCapability, InitializeParams,
    InlayHintParams, OneOf, PublishDiagnosticsParams, ReferenceParams, RenameOptions, RenameParams,
    ServerCapabilities, TextDocumentPositionParams, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextDocumentSyncOptions, Uri,
};
use serde_json::{Value, json};

use crate::features::{completion, hints, hover, messages, navigation, rename, repairs};
use crate::places;
use crate::workspace::{Options, Understood, Workspace};

type Failure = Box<dyn Error + Send + Sync>;

/// Speaks with an editor over standard input and output until it says goodbye.
///
/// # Errors
/// When the editor breaks off, or does not speak the protocol.
pub fn serve_on_standard_streams() -> Result<(), Failure> {
    let (connection, threads) = Connection::stdio();
    serve(&connection)?;
    drop(connection);
    Ok(threads.join()?)
}

/// Speaks with an editor until it says goodbye.
///
/// # Errors
/// When the editor breaks off, or does not speak the protocol.
pub fn serve(connection: &Connection) -> Result<(), Failure> {
    let (id, asked) = connection.initialize_start()?;
    let asked: InitializeParams = serde_json::from_value(asked)?;
    let answer = json!({
        "capabilities": capabilities(),
        "serverInfo": { "name": "fusee", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, answer)?;
    let mut server = Server::new(connection, options(asked.initialization_options.as_ref()));
    while let Ok(message) = connection.receiver.recv() {
        if !server.take(message)? {
            return Ok(());
        }
        // Changes that were typed meanwhile are read first: nobody waits for messages about older
        // texts.
        while let Ok(message) = connection.receiver.try_recv() {
            if !server.take(message)? {
                return Ok(());
            }
        }
        server.publish()?;
    }
    Ok(())
}

/// Returns the options that an editor's settings give: `defines` and `includePaths`.
fn options(given: Option<&Value>) -> Options {
    let texts = |name: &str| -> Vec<String> {
        let list = given.and_then(|given| given.get(name)?.as_array());
        let texts = list.into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    };
    let include_paths = texts("includePaths").into_iter().map(PathBuf::from).collect();
    Options { defines: texts("defines"), include_paths }
}

fn capabilities() -> ServerCapabilities {
    let kinds = vec![CodeActionKind::QUICKFIX, CodeActionKind::SOURCE_FIX_ALL];
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::FULL),
            save: Some(true.into()),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        inlay_hint_provider: Some(OneOf::Left(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(vec![".".to_owned()]),
            ..CompletionOptions::default()
        }),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: Default::default(),
        })),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(kinds),
            ..CodeActionOptions::default()
        })),
        ..ServerCapabilities::default()
    }
}

/// The editor's view, and ours.
struct Server<'c> {
    connection: &'c Connection,
    workspace: Workspace,
    /// Files about which the editor shows messages.
    shown: BTreeSet<PathBuf>,
    /// True if messages may have changed since they were sent.
    is_stale: bool,
}

/// The answer to a question: a value, or why there is none.
type Answer = Result<Value, String>;

impl<'c> Server<'c> {
    fn new(connection: &'c Connection, options: Options) -> Self {
        let workspace = Workspace::new(options);
        Self { connection, workspace, shown: BTreeSet::new(), is_stale: false }
    }

    /// Takes one message; says whether there may be more.
    fn take(&mut self, message: Message) -> Result<bool, Failure> {
        match message {
            Message::Request(request) => {
                if self.connection.handle_shutdown(&request)? {
                    return Ok(false);
                }
                // Who asks has seen what is said about the newest texts.
                self.publish()?;
                let id = request.id.clone();
                let response = match self.answer(request) {
                    Some(Ok(value)) => Response::new_ok(id, value),
                    Some(Err(why)) => Response::new_err(id, ErrorCode::RequestFailed as i32, why),
                    None => {
                        let why = "this server does not answer that".to_owned();
                        Response::new_err(id, ErrorCode::MethodNotFound as i32, why)
                    }
                };
                self.connection.sender.send(Message::Response(response))?;
            }
            Message::Notification(notification) => self.note(notification),
            Message::Response(_) => {}
        }
        Ok(true)
    }

    /// Takes note of a change.
    fn note(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        self.is_stale = true;
        match method.as_str() {
            DidOpenTextDocument::METHOD => {
                let read = serde_json::from_value::<DidOpenTextDocumentParams>(params);
                let Ok(opened) = read else { return };
                if let Some(path) = places::path(&opened.text_document.uri) {
                    self.workspace.change(&path, opened.text_document.text);
                }
            }
            DidChangeTextDocument::METHOD => {
                let read = serde_json::from_value::<DidChangeTextDocumentParams>(params);
                let Ok(mut changed) = read else { return };
                let path = places::path(&changed.text_document.uri);
                // Each change has the whole text, so that the last one counts.
                let (Some(path), Some(last)) = (path, changed.content_changes.pop()) else {
                    return;
                };
                self.workspace.change(&path, last.text);
            }
            DidCloseTextDocument::METHOD => {
                let read = serde_json::from_value::<DidCloseTextDocumentParams>(params);
                let Ok(closed) = read else { return };
                if let Some(path) = places::path(&closed.text_document.uri) {
                    self.workspace.close(&path);
                }
            }
            DidSaveTextDocument::METHOD | DidChangeWatchedFiles::METHOD => {
                self.workspace.look_around();
            }
            _ => self.is_stale = false,
        }
    }

    /// Sends the messages about all descriptions of open documents, and takes back those about
    /// files that no longer take part.
    fn publish(&mut self) -> Result<(), Failure> {
        if !std::mem::take(&mut self.is_stale) {
            return Ok(());
        }
        let mut shown = BTreeSet::new();
        for root in self.workspace.roots() {
            for (path, found) in messages::by_file(self.workspace.understand(&root), &root) {
                // The first description of a file says what is wrong with it.
                if shown.insert(path.clone()) {
                    self.send(&path, found)?;
                }
            }
        }
        let gone: Vec<PathBuf> = self.shown.difference(&shown).cloned().collect();
        gone.iter().try_for_each(|path| self.send(path, Vec::new()))?;
        self.shown = shown;
        Ok(())
    }

    fn send(&self, path: &Path, diagnostics: Vec<lsp_types::Diagnostic>) -> Result<(), Failure> {
        let Some(uri) = places::uri(path) else { return Ok(()) };
        let about = PublishDiagnosticsParams { uri, diagnostics, version: None };
        let method = PublishDiagnostics::METHOD.to_owned();
        Ok(self.connection.sender.send(Message::Notification(Notification::new(method, about)))?)
    }

    /// Answers a question; `None`: it is none that is known here.
    fn answer(&mut self, request: Request) -> Option<Answer> {
        let Request { method, params, .. } = request;
        Some(match method.as_str() {
            HoverRequest::METHOD => parsed(params, |asked: HoverParams| self.hover(&asked)),
            GotoDefinition::METHOD => {
                parsed(params, |asked: GotoDefinitionParams| self.definition(&asked))
            }
            References::METHOD => parsed(params, |asked: ReferenceParams| self.references(&asked)),
            DocumentSymbolRequest::METHOD => {
                parsed(params, |asked: DocumentSymbolParams| self.symbols(&asked))
            }
            Completion::METHOD => parsed(params, |asked: CompletionParams| self.completion(&asked)),
            InlayHintRequest::METHOD => parsed(params, |asked: InlayHintParams| self.hints(&asked)),
            CodeActionRequest::METHOD => {
                parsed(params, |asked: CodeActionParams| self.actions(&asked))
            }
            PrepareRenameRequest::METHOD => {
                parsed(params, |asked: TextDocumentPositionParams| self.prepare_rename(&asked))
            }
            Rename::METHOD => parsed(params, |asked: RenameParams| self.rename(&asked)),
            _ => return None,
        })
    }

    /// Answers a question about a document of which something is understood.
    fn about<T: serde::Serialize>(
        &mut self,
        uri: &Uri,
        answer: impl FnOnce(&Understood, &Path) -> T,
    ) -> Answer {
        let path = document(uri)?;
        value(self.workspace.of_document(&path).map(|own| answer(own, &path)))
    }

    fn hover(&mut self, asked: &HoverParams) -> Answer {
        let at = &asked.text_document_position_params;
        self.about(&at.text_document.uri, |own, path| hover::at(own, path, at.position))
    }

    fn definition(&mut self, asked: &GotoDefinitionParams) -> Answer {
        let at = &asked.text_document_position_params;
        self.about(&at.text_document.uri, |own, path| {
            GotoDefinitionResponse::Array(navigation::definition(own, path, at.position))
        })
    }

    fn references(&mut self, asked: &ReferenceParams) -> Answer {
        let at = &asked.text_document_position;
        let wanted = (at.position, asked.context.include_declaration);
        self.about(&at.text_document.uri, |own, path| navigation::references(own, path, wanted))
    }

    fn symbols(&mut self, asked: &DocumentSymbolParams) -> Answer {
        self.about(&asked.text_document.uri, |own, path| {
            DocumentSymbolResponse::Nested(navigation::symbols(own, path))
        })
    }

    fn completion(&mut self, asked: &CompletionParams) -> Answer {
        let at = &asked.text_document_position;
        self.about(&at.text_document.uri, |own, path| completion::at(own, path, at.position))
    }

    fn hints(&mut self, asked: &InlayHintParams) -> Answer {
        let uri = &asked.text_document.uri;
        self.about(uri, |own, path| hints::within(own, path, asked.range))
    }

    fn actions(&mut self, asked: &CodeActionParams) -> Answer {
        let path = document(&asked.text_document.uri)?;
        let wants = |kind: &CodeActionKind| {
            let only = asked.context.only.as_ref();
            only.is_none_or(|only| only.iter().any(|one| kind.as_str().starts_with(one.as_str())))
        };
        let mut all = Vec::new();
        if wants(&CodeActionKind::QUICKFIX) {
            let found = self.workspace.of_document(&path);
            all.extend(found.into_iter().flat_map(|own| repairs::at(own, &path, asked.range)));
        }
        // Without being asked for, it would cost more than the single repairs at each step.
        if asked.context.only.is_some() && wants(&CodeActionKind::SOURCE_FIX_ALL) {
            let root = self.workspace.root(&path).map(Path::to_owned);
            all.extend(root.and_then(|root| repairs::all(&mut self.workspace, &root)));
        }
        value(all)
    }

    fn prepare_rename(&mut self, at: &TextDocumentPositionParams) -> Answer {
        let path = document(&at.text_document.uri)?;
        let own = self.workspace.of_document(&path).ok_or("the document is not open")?;
        value(rename::prepare(own, &path, at.position)?)
    }

    fn rename(&mut self, asked: &RenameParams) -> Answer {
        let at = &asked.text_document_position;
        let path = document(&at.text_document.uri)?;
        let to = (at.position, asked.new_name.as_str());
        value(rename::edits(&mut self.workspace, &path, to)?)
    }
}

fn parsed<P: serde::de::DeserializeOwned>(
    params: Value,
    answer: impl FnOnce(P) -> Answer,
) -> Answer {
    match serde_json::from_value(params) {
        Ok(asked) => answer(asked),
        Err(error) => Err(format!("the question can't be read: {error}")),
    }
}

fn document(uri: &Uri) -> Result<PathBuf, String> {
    places::path(uri).ok_or_else(|| format!("`{}` is no file", uri.as_str()))
}

fn value(answer: impl serde::Serialize) -> Answer {
    serde_json::to_value(answer).map_err(|error| error.to_string())
}
