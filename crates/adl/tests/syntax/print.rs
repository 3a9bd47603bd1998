//! The tree as canonical text.

use fusee_adl::tree::*;

/// Returns all declarations, each on a line.
pub(crate) fn tree(tree: &Tree) -> String {
    tree.items.iter().map(|declaration| item(declaration) + "\n").collect()
}

fn item(item: &Item) -> String {
    match item {
        Item::Import(import) => format!("import {};", file(&import.path, import.system)),
        Item::Assembly(it) => {
            format!(
                "assembly {}{{ {} }}",
                optional(&it.name),
                joined(&it.members, assembly_member, " ")
            )
        }
        Item::Component(it) => format!("component {}{}", optional(&it.name), component(&it.body)),
        Item::Procedure(it) => procedure(it),
        Item::Connector(it) => format!("connector {}{}", optional(&it.name), connector(&it.body)),
        Item::Composition(it) => composition(it),
        Item::Configuration(it) => configuration(it),
        Item::Struct(it) => format!("struct {}{}", optional(&it.name), fields(&it.body)),
    }
}

fn joined<T>(items: &[T], one: impl Fn(&T) -> String, separator: &str) -> String {
    items.iter().map(one).collect::<Vec<_>>().join(separator)
}

fn file(path: &str, system: bool) -> String {
    if system { format!("<{path}>") } else { format!("\"{path}\"") }
}

fn optional(name: &Option<Name>) -> String {
    name.as_ref().map_or(String::new(), |name| format!("{} ", name.text))
}

fn defined<T>(definition: &Definition<T>, keyword: &str, here: impl Fn(&T) -> String) -> String {
    match definition {
        Definition::Here(it) => here(it),
        Definition::Named(name) => format!("{keyword} {};", name.text()),
    }
}

fn assembly_member(member: &AssemblyMember) -> String {
    match member {
        AssemblyMember::Composition(it) => defined(it, "composition", composition),
        AssemblyMember::Configuration(it) => defined(it, "configuration", configuration),
        AssemblyMember::Schedule(it) => {
            let unit = |unit| if unit == TimeUnit::Microseconds { "us" } else { "ticks" };
            let entry = |it: &ScheduleEntry| {
                format!("({}, {} {})", expr(&it.domain), expr(&it.length), unit(it.unit))
            };
            format!("schedule {{ [{}] }}", joined(&it.entries, entry, ", "))
        }
    }
}

fn component(body: &ComponentBody) -> String {
    format!("{{ {} }}", joined(&body.members, component_member, " "))
}

fn component_member(member: &ComponentMember) -> String {
    match member {
        ComponentMember::Control(_) => "control;".to_owned(),
        ComponentMember::Hardware(_) => "hardware;".to_owned(),
        ComponentMember::Interface(it) => interface(it),
        ComponentMember::Lock(it) => {
            let kind = match it.kind {
                LockKind::Mutex => "mutex",
                LockKind::Semaphore => "semaphore",
                LockKind::BinarySemaphore => "binary_semaphore",
            };
            format!("has {kind} {};", it.name.text)
        }
        ComponentMember::Attribute(it) => format!("attribute {};", attribute(it)),
        ComponentMember::Include(it) => include(it),
        ComponentMember::Composition(it) => defined(it, "composition", composition),
        ComponentMember::Configuration(it) => defined(it, "configuration", configuration),
    }
}

fn interface(it: &Interface) -> String {
    let maybe = if it.maybe.is_some() { "maybe " } else { "" };
    let kind = match &it.type_ {
        InterfaceType::Named(name) => name.text(),
        InterfaceType::Buffer { size: None, .. } => "Buf".to_owned(),
        InterfaceType::Buffer { size: Some(size), .. } => format!("Buf({})", expr(size)),
    };
    format!("{maybe}{} {kind} {};", it.kind.keyword(), it.name.text)
}

fn include(it: &Include) -> String {
    format!("include {};", file(&it.path, it.system))
}

fn connector(body: &ConnectorBody) -> String {
    let mut text = String::from("{ ");
    for (word, end) in [("from", &body.from), ("to", &body.to)] {
        let Some(end) = end else { continue };
        let hardware = if end.hardware.is_some() { "hardware " } else { "" };
        let sort = match end.sort {
            InterfaceSort::Procedure => "Procedure",
            InterfaceSort::Event => "Event",
            InterfaceSort::Dataport => "Dataport",
        };
        let many = if end.many { "s" } else { "" };
        let threads =
            end.threads.as_ref().map_or(String::new(), |it| format!(" with {} threads", expr(it)));
        text += &format!("{word} {hardware}{sort}{many}{threads}; ");
    }
    text + &body
        .attributes
        .iter()
        .map(|it| format!("attribute {}; ", attribute(it)))
        .collect::<String>()
        + "}"
}

fn composition(it: &Composition) -> String {
    format!(
        "composition {}{{ {} }}",
        optional(&it.name),
        joined(&it.members, composition_member, " ")
    )
}

fn composition_member(member: &CompositionMember) -> String {
    match member {
        CompositionMember::Instance(it) => instance(it),
        CompositionMember::Connection(it) => {
            let from = it.from.iter().map(|end| format!("from {}", end.interface.text()));
            let to = it.to.iter().map(|end| format!("to {}", end.interface.text()));
            let ends = from.chain(to).collect::<Vec<_>>().join(", ");
            let kind = match &it.connector {
                Definition::Here(body) => connector(body),
                Definition::Named(name) => name.text(),
            };
            format!("connection {kind} {}({ends});", it.name.text)
        }
        CompositionMember::Group(it) => {
            format!("group {}{{ {} }}", optional(&it.name), joined(&it.instances, instance, " "))
        }
        CompositionMember::Export(it) => {
            format!("export {} -> {};", it.inner.text(), it.outer.text())
        }
    }
}

fn instance(it: &Instance) -> String {
    let kind = match &it.component {
        Definition::Here(body) => component(body),
        Definition::Named(name) => name.text(),
    };
    format!("component {kind} {};", it.name.text)
}

fn configuration(it: &Configuration) -> String {
    let setting = |it: &Setting| match &it.value {
        SettingValue::Value(value) => format!("{} = {};", it.target.text(), expr(value)),
        SettingValue::Alias(value) => format!("{} <- {};", it.target.text(), expr(value)),
    };
    format!("configuration {}{{ {} }}", optional(&it.name), joined(&it.settings, setting, " "))
}

fn procedure(it: &Procedure) -> String {
    let includes = joined(&it.includes, include, " ");
    let attributes = joined(&it.attributes, |it| attribute(it) + ";", " ");
    let methods = joined(&it.methods, method, " ");
    format!("procedure {}{{ {includes} {attributes} {methods} }}", optional(&it.name))
}

fn method(it: &Method) -> String {
    let parameter = |it: &Parameter| {
        let direction = match it.direction {
            Direction::In => "in",
            Direction::Out => "out",
            Direction::InOut => "inout",
            Direction::RefIn => "refin",
        };
        format!(
            "{direction} {} {}{}",
            kind(&it.type_),
            it.name.text,
            if it.array { "[]" } else { "" }
        )
    };
    let returns = it.returns.as_ref().map_or("void".to_owned(), kind);
    format!("{returns} {}({});", it.name.text, joined(&it.parameters, parameter, ", "))
}

fn attribute(it: &Attribute) -> String {
    let default = it.default.as_ref().map_or(String::new(), |value| format!(" = {}", expr(value)));
    format!("{} {}{}{default}", kind(&it.type_), it.name.text, if it.array { "[]" } else { "" })
}

fn kind(it: &Type) -> String {
    match &it.kind {
        TypeKind::Int => "int".to_owned(),
        TypeKind::UnsignedInt => "unsigned int".to_owned(),
        TypeKind::Int64 => "int64_t".to_owned(),
        TypeKind::UnsignedInt64 => "uint64_t".to_owned(),
        TypeKind::Char => "char".to_owned(),
        TypeKind::SignedChar => "signed char".to_owned(),
        TypeKind::UnsignedChar => "unsigned char".to_owned(),
        TypeKind::String => "string".to_owned(),
        TypeKind::Struct(name) => format!("struct {}", name.text),
        TypeKind::Inline(body) => format!("struct {}", fields(body)),
        TypeKind::Named(name) => name.text(),
    }
}

fn fields(body: &StructBody) -> String {
    format!("{{ {} }}", joined(&body.fields, |it| attribute(it) + ";", " "))
}

/// Returns an expression with brackets around every operation.
pub(crate) fn expr(it: &Expr) -> String {
    match &it.kind {
        ExprKind::Integer(value) => value.to_string(),
        ExprKind::Real(value) => format!("{value:?}"),
        ExprKind::Text(text) => format!("\"{text}\""),
        ExprKind::Boolean(value) => value.to_string(),
        ExprKind::List(items) => format!("[{}]", joined(items, expr, ", ")),
        ExprKind::Dict(entries) => {
            format!(
                "{{{}}}",
                joined(entries, |it| format!("{}: {}", expr(&it.key), expr(&it.value)), ", ")
            )
        }
        ExprKind::Unary { operator, operand } => {
            format!("({}{})", operator.symbol(), expr(operand))
        }
        ExprKind::Binary { operator, left, right } => {
            format!("({} {} {})", expr(left), operator.symbol(), expr(right))
        }
        ExprKind::Conditional { condition, then, otherwise } => {
            format!("({} ? {} : {})", expr(condition), expr(then), expr(otherwise))
        }
        ExprKind::Reference(name) => name.text(),
        ExprKind::Lookup { base, key } => format!("{}[{}]", expr(base), expr(key)),
        ExprKind::Query { name, argument } => {
            format!("{}({})", name.text, argument.as_ref().map_or(String::new(), |it| expr(it)))
        }
        ExprKind::Error => "<error>".to_owned(),
    }
}
