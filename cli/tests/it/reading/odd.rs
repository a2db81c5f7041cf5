//! Small files with something odd in them, and what must be said of each record or of the file.

use super::BOARDS;
use crate::support::ask;

/// A status for each record, `u` unique and `i` invalid, or a part of the message.
const FILES: [(&str, &str); 29] = [
    (ROUNDED, "puzzles whose clues are within 15 digits: 2"),
    ("1,N/A\n2,P0\n3,P1\n", "iuu"),
    ("id,0\n1,P0\n2,P1\n", "uu"),
    ("note\tpuzzle\na\tP0\n\t\nb\tP1\n", "uiu"),
    ("note\tpuzzle\na\tP0\n]\t\nb\tP1\n", "uiu"),
    ("P0\nP1 P2\nP3\n", "uiu"),
    ("P0 P1\nP2 P3\n", "--column"),
    ("P0\nS1,S1\nS2 5 3\n", "uuu"),
    ("['P0', 'P1', 'P2']\n", "line 1; give each a line with tr ',' '\\n'"),
    ("['P0'\n 'P1'\n 'P2']\n", "uuu"),
    ("easy puzzles\nP0,P1,P2\n", "line 2; give each a line"),
    ("      puzzle  clues\n0  P0  25\n1  P1  24\n\n[2 rows x 2 columns]\n", "uu"),
    (PSQL, "uu"),
    ("puzzle\nP0\n 0\n\"'P1 t\"\n", "uii"),
    ("puzzle\nP0\na \n\"\nP1 3\"\nb\n", "uiii"),
    ("puzzles = [\n  'P0',\n  \"P1\",\n]\n", "uu"),
    ("module.exports = [\n  \"P0\",\n  \"P1\"\n];\n", "uu"),
    ("id,puzzle\n1,P0\n],P1\n],\n[2 rows],\n", "uuii"),
    ("puzzle\n\"P0 P1\"\nP2\nP3\n", "iuu"),
    ("P0=S0\nP1=S1\n", "bad character '=' in column 82"),
    ("id,solution\n1,P0\n2,P1\n", "no column of puzzles: column solution"),
    ("question,input,output\nSolve it,P0,S0\nSolve it,P1,S1\n", "uu"),
    ("Puzzle 1: P0\nSolved 1: S0\nPuzzle 2: P1\nSolved 2: S1\n", "uiui"),
    ("puzzle,canonical,method\nP0,P1,solution\nS2,P3,solution\n", "uu"),
    ("grid0,minimized\nP0,P1\nP2,P3\n", "uu"),
    ("id,columns\n1,\"R0\"\n2,\"R1\"\n", "columns or boxes"),
    ("puzzle,solution\n1.2e+80,S0\n3.4e+79,S1\n", "most digits are lost"),
    ("<null>,P0\n2,P1\n", "uu"),
    ("board,start\nB0,P0\nB1,P1\n", "puzzles may be in columns board and start"),
];

/// Two numbers with 15 digits and zeros.
const ROUNDED: &str = "puzzle
400500060090071000000000000000000000000000000000000000000000000000000000000000000
087000401063102000000000000000000000000000000000000000000000000000000000000000000
";

/// The output of a database.
const PSQL: &str = " id | puzzle
----+-----------------------------------------------------------------------------------
  1 | P0
  2 | P1
(2 rows)

";

/// Replaces `P0` by a puzzle, `S0` by its solution, `R0` by nine rows and `B0` by the puzzle with the first row solved.
fn filled(text: &str) -> String {
    BOARDS.iter().take(4).enumerate().fold(text.to_owned(), |text, (k, board)| {
        let rows: Vec<&str> = (0..9).map(|row| &board.puzzle[9 * row..9 * row + 9]).collect();
        text.replace(&format!("P{k}"), &board.puzzle)
            .replace(&format!("S{k}"), &board.solution)
            .replace(&format!("R{k}"), &rows.join(","))
            .replace(&format!("B{k}"), &format!("{}{}", &board.solution[..9], &board.puzzle[9..]))
    })
}

#[test]
fn odd_files_are_read_or_refused_with_the_reason() {
    for (text, expected) in FILES {
        let text = filled(text);
        let run = ask("check", [""; 0], text.as_bytes());
        let statuses: String = run.stdout().lines().map(|status| &status[..1]).collect();
        assert!(statuses == expected || run.stderr.contains(expected), "{text}{statuses}\n{}", run.stderr);
    }
}

#[test]
fn a_column_that_is_named_decides_on_the_delimiter() {
    let run = ask("check", ["--column", "board"], filled("board,note\nP0 # 8,n\n,n\nP1 # 9,n\n").as_bytes());
    assert_eq!(run.stdout(), "invalid\ninvalid\ninvalid\n", "{}", run.stderr);
}
