//! Expressions: the values of settings, defaults and sizes.

use super::{Name, Reference};
use fusee_diagnostics::Span;

/// An expression with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// The kind of expression.
    pub kind: ExprKind,
    /// Its place in the text.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// A whole number in any notation. Signs are operators.
    Integer(i128),
    /// A number with a fraction.
    Real(f64),
    /// One or more strings that stand next to each other, joined.
    Text(String),
    /// `true`, `True`, `false`, `False`.
    Boolean(bool),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `{"key": value}`
    Dict(Vec<Entry>),
    /// `-a`, `!a`, ...
    Unary {
        /// The operator that is applied.
        operator: UnaryOperator,
        /// The expression that it is applied to.
        operand: Box<Expr>,
    },
    /// A binary operation, as in `a + b`.
    Binary {
        /// The operator that is applied.
        operator: BinaryOperator,
        /// The left-hand side.
        left: Box<Expr>,
        /// The right-hand side.
        right: Box<Expr>,
    },
    /// `a ? b : c`
    Conditional {
        /// The condition that decides.
        condition: Box<Expr>,
        /// The value if it holds.
        then: Box<Expr>,
        /// The value otherwise.
        otherwise: Box<Expr>,
    },
    /// `a.b.c`: another attribute's value.
    Reference(Reference),
    /// `base[key]`
    Lookup {
        /// The expression that is looked into.
        base: Box<Expr>,
        /// The key or position.
        key: Box<Expr>,
    },
    /// `name({...})`: a question to a query engine such as `dtb`.
    Query {
        /// The name of the engine.
        name: Name,
        /// Its argument: a dictionary or a list of dictionaries.
        argument: Option<Box<Expr>>,
    },
    /// Not understood; reported by the parser.
    Error,
}

/// A key of a dictionary and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key: text or a number.
    pub key: Expr,
    /// The value as an expression.
    pub value: Expr,
}

/// An operator with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOperator {
    /// The operator `-`.
    Minus,
    /// The operator `+`.
    Plus,
    /// The operator `!`.
    Not,
    /// The operator `~`.
    Complement,
}

/// An operator with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOperator {
    /// The operator `||`.
    LogicalOr,
    /// The operator `&&`.
    LogicalAnd,
    /// The operator `|`.
    Or,
    /// The operator `^`.
    Xor,
    /// The operator `&`.
    And,
    /// The operator `==`.
    Equal,
    /// The operator `!=`.
    NotEqual,
    /// The operator `<`.
    Less,
    /// The operator `<=`.
    LessOrEqual,
    /// The operator `>`.
    Greater,
    /// The operator `>=`.
    GreaterOrEqual,
    /// The operator `<<`.
    ShiftLeft,
    /// The operator `>>`.
    ShiftRight,
    /// The operator `+`.
    Add,
    /// The operator `-`.
    Subtract,
    /// The operator `*`.
    Multiply,
    /// The operator `/`.
    Divide,
    /// The operator `%`.
    Remainder,
    /// The operator `**`.
    Power,
}

impl BinaryOperator {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOperator::LogicalOr => "||",
            BinaryOperator::LogicalAnd => "&&",
            BinaryOperator::Or => "|",
            BinaryOperator::Xor => "^",
            BinaryOperator::And => "&",
            BinaryOperator::Equal => "==",
            BinaryOperator::NotEqual => "!=",
            BinaryOperator::Less => "<",
            BinaryOperator::LessOrEqual => "<=",
            BinaryOperator::Greater => ">",
            BinaryOperator::GreaterOrEqual => ">=",
            BinaryOperator::ShiftLeft => "<<",
            BinaryOperator::ShiftRight => ">>",
            BinaryOperator::Add => "+",
            BinaryOperator::Subtract => "-",
            BinaryOperator::Multiply => "*",
            BinaryOperator::Divide => "/",
            BinaryOperator::Remainder => "%",
            BinaryOperator::Power => "**",
        }
    }
}

impl UnaryOperator {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOperator::Minus => "-",
            UnaryOperator::Plus => "+",
            UnaryOperator::Not => "!",
            UnaryOperator::Complement => "~",
        }
    }
}
