//! Checks which files import which: rooms import only from rooms below them, and no files import each other in a
//! circle.
//!
//! A file imports another if it names an item of it, in a `use` declaration or in a path. A name that a module
//! re-exports belongs to the file that defines it, and the re-export itself is no import. A module may use the
//! definitions of those that contain it: a folder's `mod.rs` may define what its files share. Code under `#[cfg(test)]`
//! is ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, File, Item, ItemMod, ItemUse, Macro, Token, UseTree, Visibility};

/// The rooms of the engine, and those that each may import from. The roots and `internal` only re-export, and
/// `serialize` covers all types.
const ENGINE: &str = "
    lib
    serialize grid outcome
    copies    grid simd
    solver    lanes scalar solutions restart cancel outcome grid text simd parallel
    solutions lanes scalar cancel outcome grid simd
    lanes     restart simd outcome grid parallel cancel
    scalar    restart cancel outcome grid
    restart   outcome grid cancel
    outcome   grid cancel
    verify    grid
    text      grid simd
    simd
    grid
    parallel
    cancel
";

/// The same for files.
const FILE: &str = "
    lib
    internal  grid_text solve dedup sets describe ratings run table record write read temporary threads refusal escape
    solve     table run record write error
    dedup     describe run table record read write threads error stats sync
    sets      ratings table run record read write error stats sync temporary
    describe  ratings run record write error stats sync
    ratings   run record error
    run       table record read write error escape stats threads sync
    table     record write error
    record    read error refusal escape
    write     error pipe sync threads temporary
    read      error refusal escape pipe temporary
    threads   error
    temporary error
    grid_text
    pipe
    stats
    sync
    error     refusal escape
    refusal   escape
    escape
";

/// The same for the program.
const PROGRAM: &str = "
    lib
    command      args bench closed compare describe exit files number operands print progress rows run signals stats_report stderr steps_page version weights
    run          args closed error_report number operands progress signals stats_report stderr weights
    args         signals version
    error_report
    stats_report number progress weights
    describe     number origin page
    steps_page   page print
    print        args page
    bench        number origin page progress signals stderr version
    compare      args progress run
    rows         args progress run
    progress     number origin stderr weights
    signals      exit stderr
    operands     closed files
    files        closed
    closed
    exit
    weights
    number
    origin
    page
    stderr
    version
";

/// The same for the Python package.
const PYTHON: &str = "
    lib       functions output
    functions input memory options output run
    options   input memory output run
    run       input memory
    input     capsule memory output
    output    capsule memory
    capsule   memory
    memory
";

/// The names of a module from the root of its crate, which itself has none.
type Module = Vec<String>;

/// An import: the importing file and the imported one.
pub type Import = (String, String);

/// The modules of a crate.
#[derive(Default)]
struct Crate {
    modules: BTreeMap<Module, Contents>,
}

#[derive(Default)]
struct Contents {
    file: String,
    /// Names of a `use` declaration, and what they stand for.
    names: BTreeMap<String, Vec<String>>,
    /// Modules of a `use` declaration that ends with `*`.
    globs: Vec<Vec<String>>,
    /// Names that the module defines.
    items: BTreeSet<String>,
    /// Paths in code and in private `use` declarations.
    paths: Vec<Vec<String>>,
}

impl Crate {
    fn add(&mut self, module: Module, file: &str, items: &[Item]) {
        let mut contents = Contents { file: file.to_owned(), ..Contents::default() };
        items.iter().for_each(|item| contents.visit_item(item));
        self.modules.insert(module.clone(), contents);
        for item in items {
            if let Item::Mod(ItemMod { attrs, ident, content: Some((_, items)), .. }) = item
                && !is_test(attrs)
            {
                self.add([&module[..], &[ident.to_string()]].concat(), file, items);
            }
        }
    }

    /// The module that defines what a path in `module` stands for.
    fn definition(&self, module: &[String], path: &[String], depth: usize) -> Option<Module> {
        let mut at = module.to_vec();
        let mut is_relative = true;
        for (k, name) in path.iter().enumerate() {
            match name.as_str() {
                "crate" => at.clear(),
                "self" => {}
                "super" => drop(at.pop()?),
                _ => {
                    let contents = self.modules.get(&at)?;
                    let child = [&at[..], std::slice::from_ref(name)].concat();
                    if self.modules.contains_key(&child) {
                        at = child;
                    } else if contents.items.contains(name) {
                        return Some(at);
                    } else if let Some(path_of_name) = contents.names.get(name).filter(|_| depth < 9) {
                        let whole = [path_of_name, &path[k + 1..]].concat();
                        return self.definition(&at, &whole, depth + 1);
                    } else {
                        let mut globs = contents.globs.iter().filter(|_| depth < 9);
                        let of_glob =
                            |glob: &Vec<String>| self.definition(&at, &[&glob[..], &path[k..]].concat(), depth + 1);
                        return globs.find_map(of_glob);
                    }
                }
            }
            is_relative = false;
        }
        (!is_relative).then_some(at)
    }

    fn imports(&self) -> BTreeSet<Import> {
        let mut imports = BTreeSet::new();
        for (module, contents) in &self.modules {
            for path in &contents.paths {
                if let Some(target) = self.definition(module, path, 0) {
                    let file = &self.modules[&target].file;
                    if *file != contents.file && !module.starts_with(&target) {
                        imports.insert((contents.file.clone(), file.clone()));
                    }
                }
            }
        }
        imports
    }
}

impl<'ast> Visit<'ast> for Contents {
    fn visit_item(&mut self, item: &'ast Item) {
        let (attrs, name) = match item {
            Item::Const(item) => (&item.attrs, Some(&item.ident)),
            Item::Enum(item) => (&item.attrs, Some(&item.ident)),
            Item::Fn(item) => (&item.attrs, Some(&item.sig.ident)),
            Item::Macro(item) => (&item.attrs, item.ident.as_ref()),
            Item::Static(item) => (&item.attrs, Some(&item.ident)),
            Item::Struct(item) => (&item.attrs, Some(&item.ident)),
            Item::Trait(item) => (&item.attrs, Some(&item.ident)),
            Item::Type(item) => (&item.attrs, Some(&item.ident)),
            Item::Union(item) => (&item.attrs, Some(&item.ident)),
            Item::Impl(item) => (&item.attrs, None),
            Item::Use(item) => (&item.attrs, None),
            // Inline modules are added on their own.
            _ => return,
        };
        if !is_test(attrs) {
            self.items.extend(name.map(ToString::to_string));
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let mut paths = Vec::new();
        flatten(&item.tree, &[], &mut paths);
        for (path, name) in paths {
            if matches!(item.vis, Visibility::Inherited) {
                self.paths.push(path.clone());
            }
            match name {
                Some(name) => drop(self.names.insert(name, path)),
                None => self.globs.push(path),
            }
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.paths.push(names);
        visit::visit_path(self, path);
    }

    /// The arguments of macros like `assert!` and `format!` are expressions. Others are ignored.
    fn visit_macro(&mut self, item: &'ast Macro) {
        let arguments = item.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
        for argument in arguments.into_iter().flatten() {
            let mut inner = Contents::default();
            inner.visit_expr(&argument);
            self.paths.append(&mut inner.paths);
        }
    }
}

/// Appends the paths of a tree, with the name that each gets. `*` has none.
fn flatten(tree: &UseTree, before: &[String], paths: &mut Vec<(Vec<String>, Option<String>)>) {
    let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
    match tree {
        UseTree::Path(tree) => flatten(&tree.tree, &with(&tree.ident), paths),
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, before, paths)),
        UseTree::Glob(_) => paths.push((before.to_vec(), None)),
        UseTree::Rename(tree) => paths.push((with(&tree.ident), Some(tree.rename.to_string()))),
        UseTree::Name(tree) if tree.ident == "self" => paths.push((before.to_vec(), before.last().cloned())),
        UseTree::Name(tree) => paths.push((with(&tree.ident), Some(tree.ident.to_string()))),
    }
}

/// Whether an item exists in tests only.
fn is_test(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| {
        let syn::Meta::List(list) = &attr.meta else { return false };
        let condition = list.tokens.to_string();
        list.path.is_ident("cfg") && ["test", "all (test", "all(test"].iter().any(|start| condition.starts_with(start))
    })
}

/// The imports within a crate. `files` has the path of each file in its source folder, and its text.
fn imports(files: &[(String, String)]) -> BTreeSet<Import> {
    let mut tree = Crate::default();
    for (path, text) in files {
        let parsed: File = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        let name = path.strip_suffix(".rs").unwrap();
        let name = name.strip_suffix("/mod").unwrap_or(name);
        let module = if name == "lib" { vec![] } else { name.split('/').map(String::from).collect() };
        tree.add(module, path, &parsed.items);
    }
    tree.imports()
}

/// The files in a source folder, without tests and programs.
fn read_files(root: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".rs") && !name.ends_with("tests.rs") && name != "main.rs" {
                files.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files
}

/// The room of a file: the longest line of the table that begins its path.
fn room<'a>(layers: &'a str, file: &str) -> Option<&'a str> {
    let name = file.strip_suffix(".rs").unwrap();
    let is_room = |room: &&str| name.strip_prefix(*room).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    layers.lines().filter_map(|line| line.split_whitespace().next()).filter(is_room).max_by_key(|room| room.len())
}

/// The imports that go up: `layers` has a line for each room, followed by the rooms that it may import from.
fn upward(imports: &BTreeSet<Import>, layers: &str) -> Vec<String> {
    let allowed: BTreeMap<&str, BTreeSet<&str>> = layers
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((words.next()?, words.collect()))
        })
        .collect();
    // What a folder may import from, the rooms in it may, too.
    let may = |upper: &str, lower: &str| {
        upper == lower
            || allowed[upper].contains(lower)
            || upper.split_once('/').is_some_and(|(folder, _)| allowed[folder].contains(lower))
    };
    let mut errors = Vec::new();
    for (from, to) in imports {
        match (room(layers, from), room(layers, to)) {
            (Some(upper), Some(lower)) if may(upper, lower) => {}
            (Some(upper), Some(lower)) => {
                errors.push(format!("{from} imports from {to}: {upper} may not import from {lower}"))
            }
            _ => errors.push(format!("{from} imports from {to}: one of them is in no room")),
        }
    }
    errors
}

/// Whether imports lead from a file to another.
fn leads(imports: &BTreeSet<Import>, from: &str, to: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        if file == to {
            return true;
        }
        if seen.insert(file) {
            let first = (file.to_owned(), String::new());
            open.extend(imports.range(first..).take_while(|(importing, _)| importing == file).map(|(_, next)| &**next));
        }
    }
    false
}

/// The imports that are part of a circle.
fn circular(imports: &BTreeSet<Import>) -> Vec<String> {
    let is_circular = |(from, to): &&Import| leads(imports, to, from);
    let circular = imports.iter().filter(is_circular);
    circular.map(|(from, to)| format!("{from} imports from {to}, in a circle")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    fn check(folder: &str, layers: &str) {
        let imports = imports(&read_files(&root().join(folder)));
        assert!(imports.len() > 50, "only {} imports in {folder}, which cannot be all", imports.len());
        let errors = [upward(&imports, layers), circular(&imports)].concat();
        assert!(errors.is_empty(), "{folder}:\n{}", errors.join("\n"));
    }

    #[test]
    fn the_library_has_no_import_up_and_no_circle() {
        check("crates/engine/src", ENGINE);
        check("crates/file/src", FILE);
        for folder in ["crates/generate/src", "crates/jobs/src", "crates/rating/src"] {
            let circles = circular(&imports(&read_files(&root().join(folder))));
            assert!(circles.is_empty(), "{folder}:\n{}", circles.join("\n"));
        }
    }

    #[test]
    fn the_program_has_no_import_up_and_no_circle() {
        check("cli/src", PROGRAM);
    }

    #[test]
    fn the_python_package_has_no_import_up_and_no_circle() {
        check("python/src", PYTHON);
    }

    fn planted(files: &[(&str, &str)]) -> BTreeSet<Import> {
        imports(&files.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect::<Vec<_>>())
    }

    #[test]
    fn an_import_up_is_found() {
        let layers = "upper lower\nlower";
        let upper = ("upper.rs", "use crate::lower::f; pub struct Top; pub fn g() { f() }");
        let ways = [
            "use crate::upper::Top;",
            "use super::upper::{self as above};",
            "use super::{upper::{g, Top}};",
            "use crate::*; fn h(top: crate::upper::Top) {}",
            "pub fn h() { super::upper::g() }",
            "pub fn h() { println!(\"{}\", crate::upper::g()) }",
            "mod inner { use super::super::upper::g; }",
            "use crate::Top;",
        ];
        let lib = ("lib.rs", "mod upper; mod lower; pub use upper::Top;");
        for way in ways {
            let text = format!("pub fn f() {{}} {way}");
            let errors = upward(&planted(&[lib, upper, ("lower.rs", &text)]), layers);
            let expected = "lower.rs imports from upper.rs: lower may not import from upper";
            assert_eq!(errors, [expected], "{way}");
        }
        let fine = "pub fn f() {} #[cfg(test)] mod tests { use crate::upper::g; } #[cfg(test)] use crate::upper::g;";
        assert!(upward(&planted(&[lib, upper, ("lower.rs", fine)]), layers).is_empty());
    }

    #[test]
    fn a_circle_is_found() {
        let files = [
            ("lib.rs", "mod room;"),
            ("room/mod.rs", "mod a; mod b; mod c; pub use a::A; pub const SHARED: u8 = 0; use c::C;"),
            ("room/a.rs", "use super::b::B; use super::SHARED; pub struct A;"),
            ("room/b.rs", "use super::c::C; pub struct B;"),
            ("room/c.rs", "use super::A; pub struct C;"),
        ];
        let errors = circular(&planted(&files)).join("\n");
        for (from, to) in [("a", "b"), ("b", "c"), ("c", "a")] {
            assert!(errors.contains(&format!("room/{from}.rs imports from room/{to}.rs, in a circle")), "{errors}");
        }
        assert_eq!(errors.lines().count(), 3);
        let open = [&files[..4], &[("room/c.rs", "pub struct C;")]].concat();
        assert!(circular(&planted(&open)).is_empty());
    }
}
