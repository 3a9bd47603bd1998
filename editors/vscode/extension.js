// Starts `fusee lsp` for descriptions, and starts it again when the settings change.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function newClient() {
  const settings = vscode.workspace.getConfiguration("fusee");
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const server = { command: settings.get("path"), args: ["lsp"], options: { cwd: folder } };
  return new LanguageClient("fusee", "Fusee", server, {
    documentSelector: [{ scheme: "file", language: "camkes" }],
    initializationOptions: {
      defines: settings.get("defines"),
      includePaths: settings.get("includePaths"),
    },
    // Descriptions are judged with what they import and include.
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{camkes,idl4,inc,h}") },
  });
}

async function start() {
  client = newClient();
  try {
    await client.start();
  } catch {
    // The client has said what happened.
    vscode.window.showErrorMessage('Fusee does not start. Is the setting "fusee.path" right?');
  }
}

async function stop() {
  if (client?.needsStop()) {
    await client.stop();
  }
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  const changed = (event) => event.affectsConfiguration("fusee") && restart();
  context.subscriptions.push(
    vscode.commands.registerCommand("fusee.restart", restart),
    vscode.workspace.onDidChangeConfiguration(changed),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
