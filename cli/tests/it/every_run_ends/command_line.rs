//! Command lines at random, from the definition of the command line. A command or an option that the program gains is
//! tested without a change here; only a new kind of value needs an entry in [`value`].

use clap::{Arg, Command};
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::commands;

/// Lists of options by a command or another option.
type Table = &'static [(&'static str, &'static [&'static str])];

/// Options that a command always gets, because it needs them or would run for long.
const ALWAYS: Table = &[
    ("bench", &["rounds"]),
    ("count", &["limit"]),
    ("enumerate", &["limit"]),
    ("generate", &["n", "seed"]),
    ("split", &["by"]),
];

/// Options that another option brings with it, for the same reasons.
const TOGETHER: Table = &[
    ("blank", &["format"]),
    ("engine", &["max_guesses"]),
    ("most_guesses", &["rounds"]),
    ("passthrough", &["format"]),
    ("pattern", &["max_tries"]),
];

/// Options of which one is chosen at most: no puzzle, or one in a million, may be what two of them describe.
const ALONE: &[&str] =
    &["grids", "symmetry", "pattern", "unbiased", "most_guesses", "clues", "er", "guesses", "hardest"];

/// The arguments of a command. `inputs` are the names of files, which may also be left out.
pub fn random(random: &mut ChaCha8Rng, command: &Command, inputs: &[&str]) -> Vec<String> {
    let name = command.get_name();
    let of_table = |table: Table, key: &str| {
        let ids = table.iter().filter(|(id, _)| *id == key).flat_map(|(_, ids)| *ids);
        ids.filter_map(|id| command.get_arguments().find(|arg| arg.get_id() == id)).collect::<Vec<_>>()
    };
    let mut chosen: Vec<&Arg> = command.get_arguments().filter(|arg| arg.is_required_set()).collect();
    chosen.extend(of_table(ALWAYS, name));
    // Most runs would end at once if these options were chosen as often as others.
    let is_rare = |arg: &Arg| arg.get_help_heading() == Some("Input format") || arg.get_id() == "shard";
    let has_rare = random.random_bool(0.2);
    let is_optional = |arg: &&Arg| !is_set_elsewhere(arg) && !is_inputs(arg) && (has_rare || !is_rare(arg));
    let count = random.random_range(0..5);
    for arg in command.get_arguments().filter(is_optional).sample(random, count) {
        for arg in [vec![arg], of_table(TOGETHER, arg.get_id().as_str())].concat() {
            if !chosen.iter().any(|other| conflict(command, arg, other)) {
                chosen.push(arg);
            }
        }
    }
    let (operands, options): (Vec<_>, Vec<_>) = chosen.into_iter().partition(|arg| arg.is_positional());
    let mut line = vec![name.to_owned()];
    // Operands come first: an option may have several values.
    line.extend(operands.iter().map(|arg| value(random, name, arg, inputs)));
    if command.get_arguments().any(is_inputs) && random.random_bool(0.9) {
        line.extend(inputs.iter().map(ToString::to_string));
    }
    for arg in options {
        let option = format!("--{}", arg.get_long().expect("options have long names"));
        let takes_value = arg.get_action().takes_values();
        let value = takes_value.then(|| value(random, name, arg, inputs));
        match value {
            Some(value) if arg.is_require_equals_set() => line.push(format!("{option}={value}")),
            value => line.extend([Some(option), value].into_iter().flatten()),
        }
    }
    line
}

/// Whether an argument stands for all inputs.
pub fn is_inputs(arg: &Arg) -> bool {
    arg.is_positional() && arg.get_num_args().is_some_and(|count| count.max_values() > 1)
}

/// The number of threads is in the environment, and batches suit the inputs. Unbiased puzzles take too long.
fn is_set_elsewhere(arg: &Arg) -> bool {
    matches!(arg.get_id().as_str(), "help" | "threads" | "batch_bytes" | "unbiased")
}

/// Whether two arguments are the same or exclude each other.
fn conflict(command: &Command, one: &Arg, other: &Arg) -> bool {
    let excludes = |one: &Arg, other: &Arg| command.get_arg_conflicts_with(one).contains(&other);
    let is_alone = |arg: &Arg| ALONE.contains(&arg.get_id().as_str());
    one == other || excludes(one, other) || excludes(other, one) || (is_alone(one) && is_alone(other))
}

/// A value of an argument, mostly one that is accepted.
///
/// # Panics
/// If the kind of the value is unknown here.
fn value(random: &mut ChaCha8Rng, command: &str, arg: &Arg, inputs: &[&str]) -> String {
    let id = arg.get_id().as_str();
    let kind = arg.get_value_names().map_or("", |names| names[0].as_str());
    if random.random_bool(0.03) {
        return "nowhere/x".to_owned();
    }
    let possible = arg.get_possible_values();
    let names: Vec<_> = possible.iter().map(|value| value.get_name()).collect();
    let values: &[&str] = match (id, kind) {
        // Every technique occurs in the end, but not soon.
        ("hardest", _) => {
            &["naked-single", "hidden single,locked-candidates", "naked-pair..hidden-pair", "..nishio", "x"]
        }
        ("rounds", _) => &["1", "1", "0"],
        ("most_guesses", _) | (_, "B" | "INPUT") => inputs,
        (_, "STATUS,.." | "NAME,.." | "LEVEL,..") => {
            let count = random.random_range(1..3);
            return names.sample(random, count).copied().collect::<Vec<_>>().join(",");
        }
        // Columns need it.
        ("format", _) if names.contains(&"csv") && random.random_bool(0.5) => &["csv"],
        _ if !names.is_empty() => &names,
        ("output", "FILE") => &[
            "out/rows",
            "out/rows.gz",
            "out/rows.csv",
            "out/rows.csv.zst",
            "out/rows.jsonl",
            "out/rows.npy",
            "out/rows.txt",
            "out/rows.grid",
            "out/rows.sdk",
            "out/rows.xml",
        ],
        // Times are removed from it.
        ("stats", _) => &["out/stats", "out/stats", "out/stats", "-"],
        (_, "FILE") => &["out/file", "out/other", "out/file.gz", "-"],
        (_, "TEMPLATE") => &["out/{}.txt", "out/{}.csv.gz", "out/{}.npy", "out/{}", "out/rows"],
        (_, "SYMMETRY") => &["tr321456789c123456789d987654321", "r1"],
        (_, "N" | "K" | "R") => &["0", "1", "1", "2", "2", "3", "7", "10", "20", "100"],
        (_, "NUMBER") => &["0", "1", "-1", "x"],
        (_, "SEED") => &["0", "1", "18446744073709551615"],
        ("er", _) => &["1.0..2.0", "7.1..", "easy"],
        ("max_er", _) => &["1.5", "7.5"],
        ("clues", _) => &["24", "22..", "..26"],
        ("guesses", _) => &["0", "1..", "..30"],
        (_, "NAME=PERCENT,..") => &["train=80,test=20", "train=80,test=20", "train=80,test=20", "x=100", "more=0"],
        (_, "COLUMN") => &["puzzle", "solution", "id", "1", "2", "99"],
        (_, "COLUMN,...") => {
            &["puzzle", "status,record", "solution,guesses", "id,puzzle", "clues,input.solution", "minimal", "x"]
        }
        ("title", _) => &["A & B"],
        (_, "CHARACTER") => &[",", ";", "tab", "|"],
        (_, "I/N") => &["1/1", "1/2", "2/3"],
        (_, "SIZE") => &["1M", "1G"],
        (_, "LIST") => &["list", "list", "nothing", "-"],
        (_, "LEVEL") => &["auto", "portable"],
        (_, "MASK|FILE") => &["pattern"],
        (_, "[NAME=]COMMAND") => &["cat", "mine=grep -c . {input}"],
        (_, "SECONDS") => &["1", "60", "0"],
        _ => panic!("{command}: no value for the argument {id}, which is a {kind}"),
    };
    values.choose(random).expect("there are values").to_string()
}

#[test]
fn every_argument_has_values_and_every_entry_an_argument() {
    let commands = commands();
    let arguments = || commands.iter().flat_map(|command| command.get_arguments().map(move |arg| (command, arg)));
    let is_chosen = |arg: &Arg| arg.get_action().takes_values() && !is_set_elsewhere(arg);
    for (command, arg) in arguments().filter(|(_, arg)| is_chosen(arg)) {
        value(&mut ChaCha8Rng::seed_from_u64(0), command.get_name(), arg, &["1"]);
    }
    let in_tables = [ALWAYS, TOGETHER].concat().into_iter().flat_map(|(_, ids)| ids);
    for id in in_tables.chain(ALONE) {
        assert!(arguments().any(|(_, arg)| arg.get_id() == id), "no command has the argument {id}");
    }
}
