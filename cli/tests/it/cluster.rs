//! The scripts for clusters, with what a cluster gives them: environment variables, or a part of the input.

use std::fs;
use std::process::{Command, Stdio};

use crate::samples::SAMPLE;
use crate::support::{PUZZLE, beside_program, call, file, names, root, solve};

/// A script of `scripts/cluster`, with the program on its path.
fn script(name: &str) -> Command {
    let mut command = beside_program("bash");
    command.arg(root().join("scripts/cluster").join(name));
    command
}

#[test]
fn a_job_array_of_slurm_gives_the_rows_of_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = SAMPLE.lines().zip(1..).map(|(puzzle, id)| format!("{id},\"a\n{id}\",{puzzle}\r\n")).collect();
    let input = file(&folder, "in.csv", format!("id,note,puzzle\r\n{rows}"));
    let parts = folder.path().join("parts");
    for task in 1..=12 {
        let status = script("slurm.sh")
            .arg(&input)
            .arg(&parts)
            .env("SLURM_ARRAY_TASK_ID", task.to_string())
            .env("SLURM_ARRAY_TASK_COUNT", "12")
            .env("SLURM_CPUS_PER_TASK", "2")
            .status();
        assert!(status.unwrap().success());
    }
    // The shell sorts the names like this.
    let names = names(&parts);
    let joined: Vec<u8> = names.iter().flat_map(|name| fs::read(parts.join(name)).unwrap()).collect();
    let whole = call(&format!("solve --limit 2 --format csv -q {input}"), b"");
    assert!(names.len() == 12 && joined == whole.stdout);
}

#[test]
fn a_mapper_of_hadoop_reads_any_split() {
    let folder = tempfile::tempdir().unwrap();
    for text in ["", "\n", "no puzzle\n# comment\n", &format!("{PUZZLE}\n").repeat(3), SAMPLE] {
        let input = fs::File::open(file(&folder, "in", text)).unwrap();
        let run = script("hadoop.sh").stdin(input).stderr(Stdio::piped()).output().unwrap();
        let whole = call("solve -q --limit 2 --format jsonl --input-format lines", text);
        assert!(run.status.success() && run.stderr.is_empty() && run.stdout == whole.stdout);
    }
}

#[test]
fn gnu_parallel_gives_the_rows_of_one_run() {
    let version = Command::new("parallel").arg("--version").output();
    if !version.is_ok_and(|run| run.stdout.starts_with(b"GNU parallel")) {
        eprintln!("skipped: there is no GNU parallel");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let input = file(&folder, "in", SAMPLE);
    let run = script("parallel.sh").arg(&input).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(run.stdout == solve([&input], b"").stdout);
}
