(component
  name: (identifier) @name) @definition.class

(connector
  name: (identifier) @name) @definition.class

(struct
  name: (identifier) @name) @definition.class

(procedure
  name: (identifier) @name) @definition.interface

(method
  name: (identifier) @name) @definition.method

(assembly
  name: (identifier) @name) @definition.module

(preproc_define
  name: (identifier) @name) @definition.macro

(type_name
  (identifier) @name) @reference.class

(macro_call
  name: (identifier) @name) @reference.call
