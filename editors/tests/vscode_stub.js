// Runs the extension without an editor, and prints what it asks of one.
"use strict";

const Module = require("node:module");

const asked = [];
const handlers = {};
const settings = { path: process.argv[3], defines: ["CORES=4"], includePaths: ["parts"] };

class LanguageClient {
  constructor(id, name, server, options) {
    asked.push({ server, selector: options.documentSelector, given: options.initializationOptions });
  }
  async start() {
    asked.push("start");
    if (settings.path === "missing") {
      throw new Error("no such program");
    }
    this.running = true;
  }
  needsStop() {
    return this.running;
  }
  async stop() {
    asked.push("stop");
    this.running = false;
  }
}

const vscode = {
  commands: { registerCommand: (name, handler) => (handlers[name] = handler) },
  window: { showErrorMessage: (message) => asked.push(message) },
  workspace: {
    workspaceFolders: [{ uri: { fsPath: "/folder" } }],
    createFileSystemWatcher: () => ({}),
    getConfiguration: (section) => ({ get: (name) => section === "fusee" && settings[name] }),
    onDidChangeConfiguration: (handler) => (handlers.changed = handler),
  },
};

const load = Module._load;
const instead = { vscode, "vscode-languageclient/node": { LanguageClient } };
Module._load = (name, ...rest) => instead[name] ?? load(name, ...rest);

async function run() {
  const extension = require(process.argv[2]);
  await extension.activate({ subscriptions: [] });
  await handlers.changed({ affectsConfiguration: (section) => section === "editor" });
  await handlers["fusee.restart"]();
  settings.path = "missing";
  await handlers.changed({ affectsConfiguration: (section) => section === "fusee" });
  await extension.deactivate();
  console.log(JSON.stringify(asked));
}

run();
