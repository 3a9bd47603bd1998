; No node has two captures, since editors differ in which of them counts. Their names are known
; to Neovim and to Helix, or their beginnings are.

(comment) @comment

[
  "assembly"
  "attribute"
  "component"
  "composition"
  "configuration"
  "connection"
  "connector"
  "consumes"
  "control"
  "dataport"
  "emits"
  "export"
  "from"
  "group"
  "hardware"
  "has"
  "maybe"
  "procedure"
  "provides"
  "schedule"
  "struct"
  "template"
  "thread"
  "threads"
  "to"
  "uses"
  "with"
] @keyword

[
  "import"
  "include"
] @keyword.import

[
  "in"
  "inout"
  "out"
  "refin"
] @keyword.modifier

(directive) @keyword.directive

; Types.

[
  (primitive_type)
  "Buf"
  "Dataport"
  "Dataports"
  "Event"
  "Events"
  "Procedure"
  "Procedures"
  "binary_semaphore"
  "mutex"
  "semaphore"
  "void"
] @type.builtin

(type_name
  (identifier) @type)

(component
  name: (identifier) @type)

(connector
  name: (identifier) @type)

(procedure
  name: (identifier) @type)

(struct
  name: (identifier) @type)

(struct_type
  name: (identifier) @type)

; Names.

(assembly
  name: (identifier) @module)

(composition
  name: (identifier) @module)

(configuration
  name: (identifier) @module)

(group
  name: (identifier) @module)

(instance
  name: (identifier) @variable)

(connection
  name: (identifier) @variable)

(reference
  .
  (identifier) @variable)

(reference
  "."
  .
  (identifier) @property)

(interface
  name: (identifier) @property)

(dataport
  name: (identifier) @property)

(lock
  name: (identifier) @property)

(attribute
  name: (identifier) @property)

(connector_end
  name: (identifier) @property)

(parameter
  name: (identifier) @variable.parameter)

(method
  name: (identifier) @function.method)

(query
  name: (identifier) @function)

; Macros.

(macro_call
  name: (identifier) @function.macro)

(macro_arguments
  (identifier) @variable)

(preproc_define
  name: (identifier) @constant.macro)

(preproc_parameters
  (identifier) @variable.parameter)

(preproc_text
  (identifier) @constant.macro)

; Values.

[
  (string)
  (system_path)
] @string

(number) @constant.numeric

[
  "ticks"
  "us"
] @keyword.modifier

(boolean) @constant.builtin.boolean

[
  "!"
  "!="
  "%"
  "&"
  "&&"
  "*"
  "**"
  "+"
  "-"
  "->"
  "/"
  "<"
  "<-"
  "<<"
  "<="
  "="
  "=="
  ">"
  ">="
  ">>"
  "?"
  "^"
  "|"
  "||"
  "~"
] @operator

[
  ","
  "."
  ":"
  ";"
] @punctuation.delimiter

[
  "("
  ")"
  "["
  "]"
  "{"
  "}"
] @punctuation.bracket
