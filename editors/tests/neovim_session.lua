-- A session of Neovim without a screen: opens a description that misspells an attribute, looks
-- around, has it repaired, and writes what the editor showed to a file as JSON.
-- usage: nvim --headless -u NONE -c 'luafile THIS' SYSTEM, with FUSEE and SHOWN in the environment

local shown = {}
local limit = 20000

local function wait_for(what, condition)
  assert(vim.wait(limit, condition, 20), "nothing came: " .. what)
end

-- The codes of the messages in the order of their lines.
local function codes()
  local found = vim.diagnostic.get(0)
  table.sort(found, function(a, b) return a.lnum < b.lnum end)
  return vim.tbl_map(function(message) return message.code or message.user_data.lsp.code end, found)
end

-- Puts the cursor into a word behind a text, and returns its line.
local function go_to(text, word)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search("\\V" .. text .. "\\zs" .. word, "cW") > 0, "the text has no " .. text .. word)
  return vim.fn.line(".")
end

local function windows()
  return vim.tbl_filter(function(window)
    return vim.api.nvim_win_get_config(window).relative ~= ""
  end, vim.api.nvim_list_wins())
end

local function hover()
  go_to("reader.", "period")
  vim.lsp.buf.hover()
  wait_for("an explanation", function() return #windows() == 1 end)
  local buffer = vim.api.nvim_win_get_buf(windows()[1])
  shown.hover = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), "\n")
  vim.api.nvim_win_close(windows()[1], true)
end

local function definition()
  local line = go_to("", "reader.period")
  vim.lsp.buf.definition()
  wait_for("a definition", function() return vim.fn.line(".") ~= line end)
  shown.definition = { vim.fn.getline("."), vim.fn.expand("<cword>") }
end

local function completion()
  local line = go_to("", "reader.period")
  vim.fn.append(line, "        reader.")
  vim.fn.cursor(line + 1, 1)
  vim.cmd("normal! $")
  local params = vim.lsp.util.make_position_params(0, "utf-16")
  params.position.character = params.position.character + 1
  local answers = vim.lsp.buf_request_sync(0, "textDocument/completion", params, limit)
  local _, answer = next(answers)
  local items = answer.result.items or answer.result
  shown.completion = vim.tbl_map(function(item) return item.label end, items)
  vim.fn.deletebufline("%", line + 1)
end

local function repair()
  vim.ui.select = function(actions, options, choose)
    shown.actions = vim.tbl_map(options.format_item, actions)
    choose(actions[1], 1)
  end
  go_to("reader.", "wctt")
  vim.lsp.buf.code_action()
  wait_for("a repair", function() return vim.fn.search("wctt", "nw") == 0 end)
  shown.repaired = vim.fn.getline(".")
  wait_for("new messages", function() return not vim.tbl_contains(codes(), shown.before[1]) end)
  shown.after = codes()
end

local function session()
  local root = vim.fn.getcwd()
  local client = vim.lsp.start_client({ name = "fusee", cmd = { vim.env.FUSEE, "lsp" }, root_dir = root })
  vim.bo.filetype = "camkes"
  assert(vim.lsp.buf_attach_client(0, client), "the server does not start")
  wait_for("messages", function() return #codes() > 0 end)
  shown.before = codes()
  hover()
  definition()
  completion()
  repair()
  vim.fn.writefile({ vim.fn.json_encode(shown) }, vim.env.SHOWN)
end

local succeeded, why = pcall(session)
if not succeeded then
  io.stderr:write(tostring(why), "\n", vim.inspect(shown), "\n")
  vim.cmd("cquit 1")
end
vim.cmd("qall!")
