//! Finds the places of a source file that can be changed, and writes all changes into the file at once: each is made only
//! while its number is that of the environment.

use std::ops::Range;

use anyhow::Context;
use cfg_expr::targets::get_builtin_target_by_triple;
use cfg_expr::{Expression, Predicate};
use proc_macro2::{LineColumn, Span};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, BinOp, Expr, Meta, ReturnType, Stmt, Type, UnOp};

/// A change of a source file.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The file, from the root of the project.
    pub file: String,
    /// The line of the changed expression, from 1.
    pub line: usize,
    /// The lines of the expression, to find the changes that do not compile.
    pub lines: Range<usize>,
    /// The function around it.
    pub function: String,
    /// What becomes of what.
    pub change: String,
    /// Counts equal changes in functions of the same name, from 1.
    pub ordinal: usize,
}

impl Mutant {
    /// A name that does not depend on line numbers.
    pub fn name(&self) -> String {
        let Mutant { file, function, change, ordinal, .. } = self;
        format!("{file} {function}: {change} ({ordinal})")
    }
}

/// A text that replaces a range of bytes. Inserted texts have an empty range.
struct Edit {
    range: Range<usize>,
    text: String,
    /// Orders insertions at the same place.
    rank: isize,
}

/// The mutants of a file, and the file with all of them. `first` is the number of the first mutant. `is_excluded` tells
/// which mutants are left out.
pub fn rewrite(
    file: &str,
    source: &str,
    first: usize,
    is_excluded: &dyn Fn(&Mutant) -> bool,
) -> anyhow::Result<(Vec<Mutant>, String)> {
    let syntax = syn::parse_file(source).with_context(|| format!("cannot parse {file}"))?;
    let mut line_starts = vec![0];
    line_starts.extend(source.match_indices('\n').map(|(at, _)| at + 1));
    let mut finder = Finder {
        file,
        source,
        line_starts,
        functions: Vec::new(),
        first,
        is_excluded,
        mutants: Vec::new(),
        names: Vec::new(),
        edits: Vec::new(),
    };
    finder.visit_file(&syntax);
    let Finder { mutants, mut edits, .. } = finder;
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end, edit.rank));
    let (mut text, mut at) = (String::new(), 0);
    for Edit { range, text: new, .. } in edits {
        text += &source[at..range.start];
        text += &new;
        at = range.end;
    }
    Ok((mutants, text + &source[at..]))
}

struct Finder<'a> {
    file: &'a str,
    source: &'a str,
    line_starts: Vec<usize>,
    functions: Vec<String>,
    first: usize,
    is_excluded: &'a dyn Fn(&Mutant) -> bool,
    mutants: Vec<Mutant>,
    /// The names of all mutants, also of those that are excluded.
    names: Vec<String>,
    edits: Vec<Edit>,
}

impl Finder<'_> {
    fn offset(&self, at: LineColumn) -> usize {
        let start = self.line_starts[at.line - 1];
        let line = &self.source[start..];
        start + line.char_indices().nth(at.column).map_or(line.len(), |(offset, _)| offset)
    }

    fn range(&self, span: Span) -> Range<usize> {
        self.offset(span.start())..self.offset(span.end())
    }

    /// Adds a mutant and returns the condition under which it is active. `None` if it is excluded.
    fn mutant(&mut self, span: Span, change: &str) -> Option<String> {
        let mut mutant = Mutant {
            file: self.file.to_owned(),
            line: span.start().line,
            lines: span.start().line..span.end().line + 1,
            function: self.functions.last()?.clone(),
            change: change.to_owned(),
            ordinal: 1,
        };
        while self.names.contains(&mutant.name()) {
            mutant.ordinal += 1;
        }
        self.names.push(mutant.name());
        if (self.is_excluded)(&mutant) {
            return None;
        }
        let number = self.first + self.mutants.len();
        self.mutants.push(mutant);
        Some(format!("crate::mutant::on({number})"))
    }

    /// Writes `prefix` before the range and `suffix` after it. Outer expressions are visited first: their prefix comes first
    /// and their suffix last.
    fn surround(&mut self, range: Range<usize>, prefix: &str, suffix: String) {
        let rank = self.edits.len() as isize;
        self.edits.push(Edit { range: range.start..range.start, text: prefix.to_owned(), rank });
        self.edits.push(Edit { range: range.end..range.end, text: suffix, rank: -rank - 1_000_000 });
    }

    fn replace(&mut self, span: Span, text: &str) {
        let range = self.range(span);
        self.edits.push(Edit { range, text: text.to_owned(), rank: 0 });
    }

    fn binary(&mut self, expr: &syn::ExprBinary) {
        let symbol = self.source[self.range(expr.op.span())].to_owned();
        let (is_comparison, others): (bool, &[&str]) = match expr.op {
            BinOp::Add(_) | BinOp::Mul(_) => (false, &["-"]),
            BinOp::Sub(_) => (false, &["+"]),
            BinOp::Div(_) => (false, &["*"]),
            BinOp::Rem(_) => (false, &["/"]),
            BinOp::BitAnd(_) => (false, &["|"]),
            BinOp::BitOr(_) | BinOp::BitXor(_) => (false, &["&"]),
            BinOp::Shl(_) => (false, &[">>"]),
            BinOp::Shr(_) => (false, &["<<"]),
            BinOp::Eq(_) => (true, &["!="]),
            BinOp::Ne(_) => (true, &["=="]),
            BinOp::Lt(_) => (true, &["<=", ">="]),
            BinOp::Le(_) => (true, &["<", ">"]),
            BinOp::Gt(_) => (true, &[">=", "<="]),
            BinOp::Ge(_) => (true, &[">", "<"]),
            BinOp::And(_) | BinOp::Or(_) => return self.junction(expr, &symbol),
            BinOp::AddAssign(_) | BinOp::MulAssign(_) => return self.assignment(expr, &symbol, "-="),
            BinOp::SubAssign(_) => return self.assignment(expr, &symbol, "+="),
            BinOp::BitAndAssign(_) => return self.assignment(expr, &symbol, "|="),
            BinOp::BitOrAssign(_) | BinOp::BitXorAssign(_) => return self.assignment(expr, &symbol, "&="),
            BinOp::ShlAssign(_) => return self.assignment(expr, &symbol, ">>="),
            BinOp::ShrAssign(_) => return self.assignment(expr, &symbol, "<<="),
            _ => return,
        };
        let star = if is_comparison { "*" } else { "" };
        let mut branches = String::new();
        for other in others {
            if let Some(on) = self.mutant(expr.span(), &format!("{symbol} to {other}")) {
                branches += &format!("if {on} {{ {star}__l {other} {star}__r }} else ");
            }
        }
        if branches.is_empty() {
            return;
        }
        // Comparisons borrow their operands, other operators consume them.
        let (prefix, middle) = if is_comparison { ("(match (&(", "), &(") } else { ("(match ((", "), (") };
        let suffix = format!(")) {{ (__l, __r) => {branches}{{ {star}__l {symbol} {star}__r }} }})");
        self.surround(self.range(expr.span()), prefix, suffix);
        self.replace(expr.op.span(), middle);
    }

    /// `&&` becomes `||` by negation of both operands and the result, so that the operands need not be repeated.
    fn junction(&mut self, expr: &syn::ExprBinary, symbol: &str) {
        if contains_let(&expr.left) || contains_let(&expr.right) {
            return;
        }
        let other = if symbol == "&&" { "||" } else { "&&" };
        let Some(on) = self.mutant(expr.span(), &format!("{symbol} to {other}")) else { return };
        let prefix = format!("(match {on} {{ __m => __m ^ ((__m ^ (");
        self.surround(self.range(expr.span()), &prefix, "))) })".to_owned());
        self.replace(expr.op.span(), &format!(")) {symbol} (__m ^ ("));
    }

    fn assignment(&mut self, expr: &syn::ExprBinary, symbol: &str, other: &str) {
        let Some(on) = self.mutant(expr.span(), &format!("{symbol} to {other}")) else { return };
        let suffix =
            format!(")) {{ (__l, __r) => if {on} {{ *__l {other} __r }} else {{ *__l {symbol} __r }} }}");
        self.surround(self.range(expr.span()), "match (&mut (", suffix);
        self.replace(expr.op.span(), "), (");
    }

    /// Negates a condition that is neither a comparison nor a negation: these are changed themselves.
    fn condition(&mut self, condition: &Expr) {
        if contains_let(condition) || matches!(condition, Expr::Binary(_) | Expr::Unary(_) | Expr::Lit(_)) {
            return;
        }
        let Some(on) = self.mutant(condition.span(), "negated condition") else { return };
        self.surround(self.range(condition.span()), &format!("({on} ^ ("), "))".to_owned());
    }

    fn body(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let mut returns = String::new();
        for value in values(&signature.output) {
            let change =
                if value.is_empty() { "body removed".to_owned() } else { format!("returns {value}") };
            if let Some(on) = self.mutant(signature.ident.span(), &change) {
                // The changed code is after the brace, which may be on another line than the name.
                let end = block.brace_token.span.open().end().line + 1;
                self.mutants.last_mut().expect("a mutant").lines.end = end;
                returns += &format!(" if {on} {{ return {value}; }}");
            }
        }
        let after = self.offset(block.brace_token.span.open().end());
        self.edits.push(Edit { range: after..after, text: returns, rank: isize::MIN });
    }

    fn function(&mut self, attributes: &[Attribute], signature: &syn::Signature, block: &syn::Block) {
        if is_left_out(attributes) || signature.constness.is_some() {
            return;
        }
        self.functions.push(signature.ident.to_string());
        if !block.stmts.is_empty() {
            self.body(signature, block);
        }
        visit::visit_block(self, block);
        self.functions.pop();
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.attrs, &item.sig, block);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let of_trait = item.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
        if !is_left_out(&item.attrs) && of_trait.is_none_or(|name| name.ident != "Debug") {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_left_out(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if !is_left_out(attributes_of(statement)) {
            visit::visit_stmt(self, statement);
        }
    }

    fn visit_expr_binary(&mut self, expr: &'ast syn::ExprBinary) {
        self.binary(expr);
        visit::visit_expr_binary(self, expr);
    }

    fn visit_expr_unary(&mut self, expr: &'ast syn::ExprUnary) {
        let symbol = match expr.op {
            UnOp::Not(_) => "!",
            UnOp::Neg(_) if !matches!(*expr.expr, Expr::Lit(_)) => "-",
            _ => return visit::visit_expr_unary(self, expr),
        };
        if let Some(on) = self.mutant(expr.span(), &format!("{symbol} removed")) {
            let suffix = format!(") {{ __x => if {on} {{ __x }} else {{ {symbol}__x }} }})");
            self.surround(self.range(expr.span()), "", suffix);
            self.replace(expr.op.span(), "(match (");
        }
        visit::visit_expr_unary(self, expr);
    }

    fn visit_expr_if(&mut self, expr: &'ast syn::ExprIf) {
        self.condition(&expr.cond);
        visit::visit_expr_if(self, expr);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if is_left_out(&arm.attrs) {
            return;
        }
        if let Some((_, guard)) = &arm.guard {
            self.condition(guard);
        }
        visit::visit_arm(self, arm);
    }

    // Constants are not evaluated at run time.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_type(&mut self, _: &'ast Type) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_expr_repeat(&mut self, expr: &'ast syn::ExprRepeat) {
        self.visit_expr(&expr.expr);
    }
}

/// Whether code is for tests, or is not compiled where mutants are tested.
fn is_left_out(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) => list.path.is_ident("cfg") && !is_compiled(&list.tokens.to_string()),
        Meta::NameValue(_) => false,
    })
}

/// Whether a condition of `cfg` holds where mutants are tested: on Linux, with the features of the program and debug
/// assertions.
fn is_compiled(condition: &str) -> bool {
    let triple = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let target = get_builtin_target_by_triple(&triple).expect("a target of Linux");
    let condition = Expression::parse(condition).expect("rustc accepts it");
    condition.eval(|predicate| match predicate {
        Predicate::Target(predicate) => predicate.matches(target),
        Predicate::Feature(_) | Predicate::DebugAssertions => true,
        _ => false,
    })
}

/// The attributes of a statement that may depend on a condition.
fn attributes_of(statement: &Stmt) -> &[Attribute] {
    match statement {
        Stmt::Local(local) => &local.attrs,
        Stmt::Expr(Expr::Block(block), _) => &block.attrs,
        Stmt::Expr(Expr::Return(expr), _) => &expr.attrs,
        _ => &[],
    }
}

fn contains_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(expr) => contains_let(&expr.left) || contains_let(&expr.right),
        Expr::Paren(expr) => contains_let(&expr.expr),
        _ => false,
    }
}

/// Values that a function may return instead of its own.
fn values(output: &ReturnType) -> &'static [&'static str] {
    let ReturnType::Type(_, of_type) = output else { return &[""] };
    match &**of_type {
        Type::Tuple(tuple) if tuple.elems.is_empty() => &[""],
        Type::Never(_) => &[],
        Type::Reference(reference) if reference.mutability.is_none() => match &*reference.elem {
            Type::Slice(_) => &["&[]"],
            Type::Path(path) if path.path.is_ident("str") => &["\"\""],
            _ => &[],
        },
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return &[] };
            match last.ident.to_string().as_str() {
                "bool" => &["true", "false"],
                "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i32" | "i64" | "isize" => &["0", "1"],
                "Option" => &["None"],
                "Vec" => &["Vec::new()"],
                "String" => &["String::new()"],
                "ControlFlow" => &["std::ops::ControlFlow::Continue(())"],
                "Result" => match &last.arguments {
                    syn::PathArguments::AngleBracketed(arguments) => match arguments.args.first() {
                        Some(syn::GenericArgument::Type(Type::Tuple(tuple))) if tuple.elems.is_empty() => {
                            &["Ok(())"]
                        }
                        Some(syn::GenericArgument::Type(Type::Path(path))) if path.path.is_ident("bool") => {
                            &["Ok(true)", "Ok(false)"]
                        }
                        _ => &["Ok(Default::default())"],
                    },
                    _ => &["Ok(Default::default())"],
                },
                "Self" => &[],
                _ => &["Default::default()"],
            }
        }
        _ => &[],
    }
}
