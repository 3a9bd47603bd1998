// The language of descriptions, as the parser in crates/adl reads it.
//
// That parser sees the text after the preprocessor, an editor sees it before. So lines that begin
// with `#` may stand anywhere, like comments, both branches of an `#if` are read one after the
// other, and the use of a macro may stand where what it becomes may stand.

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

// How tightly operators bind. `**` binds like `*`, and all go from left to right.
const BINARY = [
  "||",
  "&&",
  "|",
  "^",
  "&",
  choice("==", "!="),
  choice("<", "<=", ">", ">="),
  choice("<<", ">>"),
  choice("+", "-"),
  choice("*", "/", "%", "**"),
];
const UNARY = BINARY.length + 1;

/** Items with commas between them; the last one may have a comma, too. */
const list = (item) => optional(seq(item, repeat(seq(",", item)), optional(",")));

/** Statements between braces. */
const block = (statement) => seq("{", repeat(choice(statement, ";")), "}");

module.exports = grammar({
  name: "camkes",

  word: ($) => $.identifier,

  externals: ($) => [$._line_end, $._error_sentinel],

  extras: ($) => [
    /[\s\uFEFF]|\\\r?\n/,
    $.comment,
    $.preproc_include,
    $.preproc_define,
    $.preproc_line,
  ],

  supertypes: ($) => [$.expression],

  conflicts: ($) => [[$.macro_call, $._name]],

  rules: {
    source_file: ($) => repeat(choice($._item, $.macro_call, ";")),

    _item: ($) =>
      choice(
        $.import,
        $.assembly,
        $.component,
        $.procedure,
        $.connector,
        $.composition,
        $.configuration,
        $.struct,
      ),

    import: ($) => seq("import", field("path", $._file_name), ";"),

    include: ($) => seq("include", field("path", $._file_name), ";"),

    _file_name: ($) => choice($._strings, $.system_path),

    system_path: (_) => /<[^<>;\n]*>/,

    // Assemblies.

    assembly: ($) => seq("assembly", optional(field("name", $._name)), $.assembly_body),

    assembly_body: ($) => block(choice($._parts, $.schedule, $.macro_call)),

    // What assemblies and components have in common; each is written here or named.
    _parts: ($) =>
      choice(
        $.composition,
        $.configuration,
        alias($._named_composition, $.composition),
        alias($._named_configuration, $.configuration),
      ),

    composition: ($) => seq("composition", optional(field("name", $._name)), $.composition_body),

    _named_composition: ($) => seq("composition", $.reference, ";"),

    composition_body: ($) =>
      block(choice($.instance, $.connection, $.group, $.export, $.macro_call)),

    instance: ($) =>
      seq(
        "component",
        field("type", choice($._type_name, $.component_body)),
        field("name", $._name),
        ";",
      ),

    connection: ($) =>
      seq(
        "connection",
        choice(
          seq(
            field("type", choice($._type_name, $.connector_body)),
            field("name", $.identifier),
          ),
          // A macro that gives both.
          alias($._macro_with_arguments, $.macro_call),
        ),
        $.connection_ends,
        ";",
      ),

    connection_ends: ($) => seq("(", list($.connection_end), ")"),

    connection_end: ($) => seq(choice("from", "to"), field("interface", $.reference)),

    group: ($) =>
      seq("group", optional(field("name", $._name)), alias($._group_body, $.composition_body)),

    _group_body: ($) => block(choice($.instance, $.macro_call)),

    export: ($) =>
      seq("export", field("inner", $.reference), "->", field("outer", $.reference), ";"),

    configuration: ($) =>
      seq("configuration", optional(field("name", $._name)), $.configuration_body),

    _named_configuration: ($) => seq("configuration", $.reference, ";"),

    configuration_body: ($) => block(choice($.setting, $.macro_call)),

    setting: ($) =>
      seq(
        field("target", $.reference),
        choice(seq("=", field("value", $.expression)), seq("<-", field("source", $.expression))),
        ";",
      ),

    schedule: ($) => seq("schedule", block($.schedule_entries)),

    schedule_entries: ($) => seq("[", list($.schedule_entry), "]"),

    schedule_entry: ($) =>
      seq(
        "(",
        field("domain", $.expression),
        ",",
        field("length", $.expression),
        optional(field("unit", choice("ticks", "us"))),
        ")",
      ),

    // Components.

    component: ($) =>
      seq("component", optional(field("name", $._name)), field("body", $.component_body)),

    component_body: ($) =>
      block(
        choice(
          $.control,
          $.hardware,
          $.interface,
          $.dataport,
          $.lock,
          $.attribute,
          $.include,
          $._parts,
          $.macro_call,
        ),
      ),

    control: (_) => seq("control", ";"),

    hardware: (_) => seq("hardware", ";"),

    interface: ($) =>
      seq(
        optional("maybe"),
        choice("provides", "uses", "emits", "consumes"),
        field("type", $._type_name),
        field("name", $._name),
        ";",
      ),

    dataport: ($) =>
      seq(
        optional("maybe"),
        "dataport",
        field("type", choice($.buffer, $._type_name)),
        field("name", $._name),
        ";",
      ),

    buffer: ($) => seq("Buf", optional(seq("(", field("size", $.expression), ")"))),

    lock: ($) =>
      seq(
        "has",
        field("kind", choice("mutex", "semaphore", "binary_semaphore")),
        field("name", $._name),
        ";",
      ),

    // Connectors.

    connector: ($) =>
      seq("connector", optional(field("name", $._name)), field("body", $.connector_body)),

    connector_body: ($) => block(choice($.connector_end, $.attribute, $.macro_call)),

    connector_end: ($) =>
      seq(
        choice("from", "to"),
        optional("hardware"),
        field(
          "sort",
          choice("Procedure", "Procedures", "Event", "Events", "Dataport", "Dataports"),
        ),
        optional(field("name", $.identifier)),
        optional(seq("template", field("template", $._strings))),
        optional(seq("with", field("threads", $.expression), choice("thread", "threads"))),
        ";",
      ),

    // Procedures, structs, attributes.

    procedure: ($) =>
      seq("procedure", optional(field("name", $._name)), field("body", $.procedure_body)),

    procedure_body: ($) =>
      block(
        choice(
          $.method,
          $.attribute,
          alias($._bare_attribute, $.attribute),
          $.include,
          $.macro_call,
        ),
      ),

    // Rather a method or attribute than two macros.
    method: ($) =>
      prec.dynamic(
        1,
        seq(
          field("returns", choice("void", $._type)),
          field("name", $.identifier),
          field("parameters", $.parameters),
          ";",
        ),
      ),

    parameters: ($) => seq("(", choice("void", list($.parameter)), ")"),

    parameter: ($) =>
      seq(
        optional(field("direction", choice("in", "out", "inout", "refin"))),
        field("type", $._type),
        field("name", $.identifier),
        optional($.array_mark),
      ),

    attribute: ($) => seq("attribute", $._attribute_rest, ";"),

    // In a procedure, `attribute` and the `;` behind a value may be left out.
    _bare_attribute: ($) =>
      prec.right(
        prec.dynamic(
          1,
          seq(
            field("type", $._type),
            field("name", $.identifier),
            choice(
              seq($.array_mark, optional($._default), optional(";")),
              seq($._default, optional(";")),
              ";",
            ),
          ),
        ),
      ),

    _attribute_rest: ($) =>
      seq(
        field("type", $._type),
        field("name", $._name),
        optional($.array_mark),
        optional($._default),
      ),

    _default: ($) => seq("=", field("default", $.expression)),

    array_mark: (_) => seq("[", "]"),

    struct: ($) => seq("struct", optional(field("name", $._name)), field("body", $.struct_body)),

    struct_body: ($) => block(choice($.attribute, alias($._field, $.attribute), $.macro_call)),

    _field: ($) => prec.dynamic(1, seq($._attribute_rest, ";")),

    _type: ($) => choice($.primitive_type, $.struct_type, $._type_name),

    primitive_type: (_) =>
      choice(
        "int",
        "integer",
        "int64_t",
        "uint64_t",
        "char",
        "string",
        prec.right(seq(choice("signed", "unsigned"), optional(choice("char", "int", "integer")))),
      ),

    struct_type: ($) =>
      choice(
        seq("struct", field("name", $.identifier)),
        seq(optional("struct"), field("body", $.struct_body)),
      ),

    // Expressions.

    expression: ($) =>
      choice(
        $.number,
        $.boolean,
        $.text,
        $.list,
        $.dictionary,
        $.parenthesized,
        $.unary,
        $.binary,
        $.conditional,
        alias($._plain_reference, $.reference),
        $.lookup,
        $.query,
      ),

    number: (_) => {
      const whole = /0[xX][0-9a-fA-F]+|0[bB][0-9a-fA-F]+|0[oO][0-9a-fA-F]+/;
      return token(choice(whole, /[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/));
    },

    boolean: (_) => choice("true", "True", "false", "False"),

    // Strings that stand next to each other are one text; a macro may become one of them.
    text: ($) =>
      prec.right(
        1,
        choice(
          seq($.string, repeat(choice($.string, $.query))),
          seq($.query, repeat1(choice($.string, $.query))),
        ),
      ),

    _strings: ($) => prec.right(repeat1($.string)),

    string: (_) => /"[^"]*"/,

    list: ($) => seq("[", list($.expression), "]"),

    dictionary: ($) => seq("{", list($.entry), "}"),

    entry: ($) => seq(field("key", $.expression), ":", field("value", $.expression)),

    parenthesized: ($) => seq("(", $.expression, ")"),

    unary: ($) =>
      prec(
        UNARY,
        seq(field("operator", choice("-", "+", "!", "~")), field("operand", $.expression)),
      ),

    binary: ($) =>
      choice(
        ...BINARY.map((operators, level) =>
          prec.left(
            level + 1,
            seq(
              field("left", $.expression),
              field("operator", operators),
              field("right", $.expression),
            ),
          ),
        ),
      ),

    conditional: ($) =>
      prec.right(
        seq(
          field("condition", $.expression),
          "?",
          field("then", $.expression),
          ":",
          field("otherwise", $.expression),
        ),
      ),

    _plain_reference: ($) => prec.right(seq($.identifier, repeat(seq(".", $.identifier)))),

    lookup: ($) =>
      prec(
        UNARY + 1,
        seq(
          field("base", choice(alias($._plain_reference, $.reference), $.query, $.lookup)),
          "[",
          field("key", $.expression),
          "]",
        ),
      ),

    // A question such as `dtb({...})`, or the use of a macro as a value.
    query: ($) => seq(field("name", $.identifier), $.query_arguments),

    query_arguments: ($) => seq("(", list(repeat1($.expression)), ")"),

    // Names.

    reference: ($) => seq($._name, repeat(seq(".", $._name))),

    _type_name: ($) => alias($.reference, $.type_name),

    _name: ($) => choice($.identifier, alias($._macro_with_arguments, $.macro_call)),

    identifier: (_) => /[A-Za-z_][A-Za-z0-9_]*/,

    // The preprocessor.

    macro_call: ($) => choice(field("name", $.identifier), $._macro_with_arguments),

    _macro_with_arguments: ($) => seq(field("name", $.identifier), $.macro_arguments),

    macro_arguments: ($) => seq("(", repeat($._argument_token), ")"),

    _argument_token: ($) =>
      choice(
        $.identifier,
        $.number,
        $.string,
        seq("(", repeat($._argument_token), ")"),
        /[^\s\w"()#]/,
      ),

    preproc_include: ($) =>
      seq(
        field("directive", alias(token(prec(1, /#[ \t]*include/)), $.directive)),
        field("path", choice(alias($._line_string, $.string), $.system_path, $.macro_call)),
        $._line_end,
      ),

    preproc_define: ($) =>
      seq(
        field("directive", alias(token(prec(1, /#[ \t]*define/)), $.directive)),
        field("name", $.identifier),
        optional(field("parameters", $.preproc_parameters)),
        optional(field("value", $.preproc_text)),
        $._line_end,
      ),

    preproc_parameters: ($) =>
      seq(token.immediate("("), list(choice($.identifier, "...")), ")"),

    // `#if`, `#error` and all others, also those that nobody knows.
    preproc_line: ($) =>
      seq(
        field("directive", alias(/#[ \t]*[A-Za-z0-9_]*/, $.directive)),
        optional(field("value", $.preproc_text)),
        $._line_end,
      ),

    preproc_text: ($) =>
      repeat1(
        choice(
          $.identifier,
          $.number,
          alias($._line_string, $.string),
          // Before an argument, not before a directive.
          token(prec(2, /##?/)),
          token(prec(-1, /[^\s\w#]/)),
        ),
      ),

    // Here a string ends with its line.
    _line_string: (_) => /"([^"\n]|\\\r?\n)*"/,

    comment: (_) => token(choice(/\/\/[^\n]*/, /\/\*[^*]*\*+([^/*][^*]*\*+)*\//)),
  },
});
