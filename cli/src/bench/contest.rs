//! Contestants taking turns on a text.

use super::check::{self, Verdicts};
use super::hash::Fnv;
use super::pick::{Pick, count_records};
use super::report::{Ratio, Report};
use super::rival::{Arena, Rival, RivalReport, RivalTimes};
use super::team::Team;
use super::{BenchError, Solve, Text};
use crate::solver::SolverKind;
use rapidoku::file::Unfinished;
use rapidoku::file::internal::{skip_byte_order_mark, thread_count};
use rapidoku::{Level, Limits, Outcomes, PuzzleSlice, Work};

/// Who takes part, and for how long.
pub struct Contest<'a> {
    /// Solvers of this process. Ratios are to the first one.
    pub contestants: Vec<Contestant<'a>>,
    /// Commands, which take their turns after them.
    pub rivals: Vec<Rival>,
    /// Rounds before the timed ones.
    pub warmup: usize,
    /// Timed rounds; at least one is made.
    pub rounds: usize,
    /// Where the files that rivals read are noted, for whoever ends the process before they are removed.
    pub unfinished: Unfinished,
}

/// A solver, and how it is to be used.
pub struct Contestant<'a> {
    /// As it is called in messages.
    pub name: String,
    /// Contestants of the same family, search and records have to come to the same outcomes, guesses included.
    pub family: String,
    /// Threads that share the batches, 0 for as many as the machine has.
    pub threads: usize,
    /// What it is told to look for; the checker holds the outcomes against it.
    pub limits: Limits,
    /// The SIMD level at which its records are parsed.
    pub level: Level,
    /// For a slow one: no more than so many records, spread evenly over the text by the golden ratio, which keeps
    /// step with no period that a file may have.
    pub max_records: Option<usize>,
    /// Time each puzzle by itself as well; makes no sense for a solver that works on many at a time.
    pub one_by_one: bool,
    /// As in [`Plan`](super::Plan).
    pub batch_bytes: usize,
    /// The solver.
    pub solve: Box<Solve<'a>>,
}

impl<'a> Contestant<'a> {
    /// A solver of a family of its own: one thread, search to a proof of uniqueness, all records.
    pub fn new(
        name: &str,
        solve: impl Fn(PuzzleSlice, Limits, &mut Outcomes) -> Work + Sync + 'a,
    ) -> Contestant<'a> {
        Contestant {
            name: name.to_owned(),
            family: name.to_owned(),
            threads: 1,
            limits: Limits::UNIQUE,
            level: Level::default(),
            max_records: None,
            one_by_one: false,
            batch_bytes: super::BATCH,
            solve: Box::new(solve),
        }
    }

    /// An engine; those of one name are a family.
    pub fn engine(engine: SolverKind, limits: Limits, threads: usize) -> Contestant<'a> {
        let mut name =
            engine.level().map_or(engine.name().to_owned(), |level| format!("{} {level}", engine.name()));
        if threads != 1 {
            name += &format!(" x{}", thread_count(threads));
        }
        Contestant {
            family: engine.name().to_owned(),
            threads,
            limits,
            level: engine.level().unwrap_or_default(),
            one_by_one: engine.level().is_none(),
            ..Contestant::new(&name, move |given, limits, outcomes| engine.solve(given, limits, outcomes))
        }
    }
}

/// How a contest ended.
#[derive(Clone, Debug)]
pub struct Standings {
    /// One for each contestant, in their order.
    pub reports: Vec<Report>,
    /// One for each rival.
    pub rivals: Vec<RivalReport>,
}

impl Contest<'_> {
    /// Measures all on the records of `text`.
    ///
    /// Memory: some hundred bytes per record and contestant.
    ///
    /// # Errors
    /// A [`BenchError`] where there is nothing to solve, an outcome is wrong, rounds or contestants differ, a rival
    /// fails, or threads cannot be had.
    ///
    /// # Panics
    /// Without a contestant.
    pub fn on<'t>(&self, text: impl Into<Text<'t>>) -> Result<Standings, BenchError> {
        let text = &text.into();
        let dataset_hash = Fnv::of(&text.lines).to_string();
        let records = count_records(text);
        if records == 0 {
            return Err(BenchError::Empty);
        }
        let picks: Vec<_> =
            self.contestants.iter().map(|who| Pick::new(who.max_records, text, records)).collect();
        let mut teams = Vec::new();
        for (who, pick) in self.contestants.iter().zip(&picks) {
            teams.push(Team::new(who, pick)?);
        }
        let arena = Arena::new(&self.rivals, skip_byte_order_mark(&text.lines), &self.unfinished)?;
        let mut rival_times: Vec<RivalTimes> = self.rivals.iter().map(|_| RivalTimes::default()).collect();

        for round in 0..self.warmup + self.rounds.max(1) {
            let timed = round >= self.warmup;
            if round == self.warmup {
                teams.iter_mut().for_each(Team::forget);
            }
            for team in &mut teams {
                team.round(timed)?;
            }
            for (rival, times) in self.rivals.iter().zip(&mut rival_times) {
                let time = arena.time(rival)?;
                if timed {
                    times.push(time, records);
                }
            }
        }

        let mut verdicts = Verdicts::new(records);
        for (k, team) in teams.iter().enumerate() {
            check::check(&team.batches, team.who.limits)?;
            verdicts.add(&team.who.name, team.pick.indices(records), &team.batches)?;
            if let Some(other) = teams[..k].iter().find(|other| other.is_kin(team) && other.hash != team.hash)
            {
                let (first, second) = (other.who.name.clone(), team.who.name.clone());
                return Err(BenchError::Family { first, second });
            }
        }
        let first = teams[0].rates.clone();
        let mut reports = Vec::new();
        for (k, team) in teams.into_iter().enumerate() {
            let mut report = team.report(records, dataset_hash.clone())?;
            report.ratio_to_first = (k > 0).then(|| Ratio::of(&report.puzzles_per_second.rounds, &first));
            reports.push(report);
        }
        let rivals = self.rivals.iter().zip(rival_times).map(|(rival, times)| times.report(rival, &first));
        Ok(Standings { reports, rivals: rivals.collect() })
    }
}
