//! Contestants taking turns on a text.

use std::borrow::Cow;
use std::io::{Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::check::{self, Verdicts};
use super::crew::{Batch, Clock, Crew, cut, outcomes_hash};
use super::hash::Fnv;
use super::report::{Histogram, Latency, Rates, Ratio, Report, Shares};
use super::rival::{Rival, RivalReport};
use super::{ROUND_TIME, Refusal, Solve};
use crate::engine::{Engine, Outcomes, Search, Work};
use crate::error::Error;
use crate::grid::{Puzzle, Status};
use crate::pipeline;
use crate::record::{self, Records};
use crate::stats::Counts;

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
    pub search: Search,
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
        solve: impl Fn(&[Puzzle], Search, &mut Outcomes) -> Work + Sync + 'a,
    ) -> Contestant<'a> {
        Contestant {
            name: name.to_owned(),
            family: name.to_owned(),
            threads: 1,
            search: Search { limit: 2, max_guesses: u64::MAX },
            max_records: None,
            one_by_one: false,
            batch_bytes: pipeline::MAX_BATCH,
            solve: Box::new(solve),
        }
    }

    /// An engine; those of one name are a family.
    pub fn engine(engine: Engine, search: Search, threads: usize) -> Contestant<'a> {
        let mut name =
            engine.level().map_or(engine.name().to_owned(), |level| format!("{} {level}", engine.name()));
        if threads != 1 {
            name += &format!(" x{}", pipeline::threads(threads));
        }
        Contestant {
            family: engine.name().to_owned(),
            threads,
            search,
            one_by_one: engine.level().is_none(),
            ..Contestant::new(&name, move |puzzles, search, outcomes| engine.solve(puzzles, search, outcomes))
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
    /// A [`Refusal`] where there is nothing to solve, an outcome is wrong, rounds or contestants differ, a rival
    /// fails, or threads cannot be had.
    ///
    /// # Panics
    /// Without a contestant.
    pub fn on(&self, text: &[u8]) -> Result<Standings, Refusal> {
        let dataset_hash = Fnv::of(text).to_string();
        let text = record::skip_byte_order_mark(text);
        let records = count_records(text);
        if records == 0 {
            return Err(Refusal::Empty);
        }
        let picks: Vec<_> =
            self.contestants.iter().map(|who| Pick::new(who.max_records, text, records)).collect();
        let mut teams = Vec::new();
        for (who, pick) in self.contestants.iter().zip(&picks) {
            teams.push(Team::new(who, pick)?);
        }
        let arena = Arena::new(&self.rivals, text)?;
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
            check::check(&team.batches, team.who.search)?;
            verdicts.add(&team.who.name, team.pick.indices(records), &team.batches)?;
            if let Some(other) = teams[..k].iter().find(|other| other.is_kin(team) && other.hash != team.hash)
            {
                let (first, second) = (other.who.name.clone(), team.who.name.clone());
                return Err(Refusal::Family { first, second });
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

fn count_records(text: &[u8]) -> usize {
    let mut records = Records::default();
    let batches = cut(text, pipeline::MAX_BATCH);
    batches.iter().map(|batch| (records.read(batch.text), records.puzzles.len()).1).sum()
}

/// The records that a contestant gets.
struct Pick<'t> {
    text: Cow<'t, [u8]>,
    /// Where in the whole text they are, if they are not all.
    indices: Option<Vec<usize>>,
}

impl<'t> Pick<'t> {
    fn new(max: Option<usize>, text: &'t [u8], records: usize) -> Pick<'t> {
        let Some(max) = max.filter(|&max| max < records) else {
            return Pick { text: Cow::Borrowed(text), indices: None };
        };
        let indices = spread(max.max(1), records);
        let (mut picked, mut lines, mut before) = (Vec::new(), Records::default(), 0);
        let mut wanted = indices.iter().peekable();
        for batch in cut(text, pipeline::MAX_BATCH) {
            lines.read(batch.text);
            let end = before + lines.starts.len();
            while let Some(index) = wanted.next_if(|&&index| index < end) {
                picked.extend_from_slice(record::line_at(batch.text, lines.starts[index - before] as usize));
                picked.push(b'\n');
            }
            before = end;
        }
        Pick { text: Cow::Owned(picked), indices: Some(indices) }
    }

    fn indices(&self, records: usize) -> Box<dyn Iterator<Item = usize> + '_> {
        match &self.indices {
            Some(indices) => Box::new(indices.iter().copied()),
            None => Box::new(0..records),
        }
    }
}

/// Some `count` of the indices below `records`, ascending.
fn spread(count: usize, records: usize) -> Vec<usize> {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let at = |k: usize| ((k as f64 * GOLDEN).fract() * records as f64) as usize;
    let mut indices: Vec<_> = (0..count).map(|k| at(k).min(records - 1)).collect();
    indices.sort_unstable();
    indices.dedup();
    indices
}

/// A contestant at work.
struct Team<'c, 't> {
    who: &'c Contestant<'c>,
    pick: &'t Pick<'t>,
    crew: Crew,
    batches: Vec<Batch<'t>>,
    passes: u32,
    hash: Fnv,
    rates: Vec<f64>,
}

impl<'c, 't> Team<'c, 't> {
    fn new(who: &'c Contestant<'c>, pick: &'t Pick<'t>) -> Result<Team<'c, 't>, Refusal> {
        let threads = pipeline::threads(who.threads);
        let crew = Crew::new(threads)?;
        let mut batches = cut(&pick.text, who.batch_bytes.min(pick.text.len().div_ceil(threads)));
        // The first pass fills caches and buffers; where it was short, the second tells how long one takes.
        let mut pass = crew.pass(&mut batches, who.search, &who.solve);
        if pass < ROUND_TIME {
            pass = crew.pass(&mut batches, who.search, &who.solve);
        }
        let passes = (ROUND_TIME.as_secs_f64() / pass.as_secs_f64()).ceil().clamp(1.0, 1e6) as u32;
        let hash = outcomes_hash(&batches);
        Ok(Team { who, pick, crew, batches, passes, hash, rates: Vec::new() })
    }

    fn records(&self) -> usize {
        self.batches.iter().map(|batch| batch.records).sum()
    }

    /// Records that were not given up.
    fn answered(&self) -> usize {
        let answered =
            |batch: &Batch| batch.outcomes.status.iter().filter(|&&status| status != Status::Limit).count();
        self.batches.iter().map(answered).sum()
    }

    fn round(&mut self, timed: bool) -> Result<(), Refusal> {
        let Team { who, crew, batches, .. } = self;
        let time: Duration = (0..self.passes).map(|_| crew.pass(batches, who.search, &who.solve)).sum();
        if timed {
            self.rates.push(self.answered() as f64 * f64::from(self.passes) / time.as_secs_f64());
        }
        if outcomes_hash(&self.batches) == self.hash { Ok(()) } else { Err(Refusal::Unsteady) }
    }

    /// Forgets what the clocks have shown so far.
    fn forget(&mut self) {
        self.batches.iter_mut().for_each(|batch| batch.clock = Clock::default());
        self.crew.take_latencies();
    }

    fn is_kin(&self, other: &Team) -> bool {
        self.who.family == other.who.family
            && self.who.search == other.who.search
            && self.pick.indices == other.pick.indices
    }

    fn report(self, records_in_text: usize, dataset_hash: String) -> Result<Report, Refusal> {
        let batches = &self.batches;
        let records = self.records();
        let mut counts = Counts::default();
        batches.iter().for_each(|batch| counts += Counts::of(&batch.outcomes.status));
        let guesses = batches.iter().flat_map(|batch| &batch.outcomes.guesses).sum();
        let mut work = Work::default();
        batches.iter().for_each(|batch| work += batch.work);
        Ok(Report {
            records,
            records_in_text,
            counts,
            guesses,
            guesses_per_puzzle: guesses as f64 / records as f64,
            dataset_hash,
            outcomes_hash: self.hash.to_string(),
            passes: self.passes,
            parse_share: parse_share(batches),
            shares: shares(batches, self.who)?,
            occupancy: (work.lanes > 0).then(|| work.busy_lanes as f64 / work.lanes as f64),
            records_per_batch: records as f64 / batches.len() as f64,
            batch_latency: self.crew.take_latencies().latency(),
            puzzle_latency: self.who.one_by_one.then(|| one_by_one(batches, self.who)),
            puzzles_per_second: Rates::of(self.rates),
            ratio_to_first: None,
        })
    }
}

fn parse_share(batches: &[Batch]) -> f64 {
    let parse: Duration = batches.iter().map(|batch| batch.clock.parse).sum();
    let solve: Duration = batches.iter().map(|batch| batch.clock.solve).sum();
    parse.as_secs_f64() / (parse + solve).as_secs_f64()
}

/// One more pass, on this thread, which writes the rows to a temporary file as well.
fn shares(batches: &[Batch], who: &Contestant) -> Result<Shares, Error> {
    let error = |cause| Error::Write { name: "a temporary file".to_owned(), cause };
    let mut file = tempfile::tempfile().map_err(error)?;
    let (mut records, mut outcomes) = (Records::default(), Outcomes::default());
    let mut spent = [Duration::ZERO; 3];
    for batch in batches {
        let start = Instant::now();
        records.read(batch.text);
        let parsed = Instant::now();
        (who.solve)(&records.puzzles, who.search, &mut outcomes);
        let solved = Instant::now();
        // Always over the same pages: a big set is not to fill the disk.
        file.rewind().and_then(|()| file.write_all(outcomes.rows.as_flattened())).map_err(error)?;
        let times = [parsed - start, solved - parsed, solved.elapsed()];
        spent.iter_mut().zip(times).for_each(|(sum, time)| *sum += time);
    }
    let all: Duration = spent.iter().sum();
    let [parse, solve, write] = spent.map(|part| part.as_secs_f64() / all.as_secs_f64());
    Ok(Shares { parse, solve, write })
}

/// One more pass, on this thread, puzzle by puzzle.
fn one_by_one(batches: &[Batch], who: &Contestant) -> Latency {
    let (mut records, mut outcomes) = (Records::default(), Outcomes::default());
    let mut histogram = Histogram::default();
    for batch in batches {
        records.read(batch.text);
        for puzzle in records.puzzles.chunks(1) {
            let start = Instant::now();
            (who.solve)(puzzle, who.search, &mut outcomes);
            histogram.add(start.elapsed());
        }
    }
    histogram.latency()
}

/// The files that rivals get.
struct Arena(Option<(tempfile::NamedTempFile, tempfile::NamedTempFile)>);

impl Arena {
    fn new(rivals: &[Rival], text: &[u8]) -> Result<Arena, Error> {
        if rivals.is_empty() {
            return Ok(Arena(None));
        }
        let file = |text: &[u8]| {
            let mut file = tempfile::Builder::new().prefix("rapidoku-").suffix(".txt").tempfile()?;
            file.write_all(text)?;
            Ok(file)
        };
        let error = |cause| Error::Write { name: "a temporary file".to_owned(), cause };
        Ok(Arena(Some((file(text).map_err(error)?, file(b"").map_err(error)?))))
    }

    /// The times of the command on the text and on nothing.
    fn time(&self, rival: &Rival) -> Result<[Duration; 2], Refusal> {
        let (text, empty) = self.0.as_ref().expect("made where there are rivals");
        let time = |path: &Path| rival.time(path);
        Ok([time(text.path())?, time(empty.path())?])
    }
}

#[derive(Default)]
struct RivalTimes {
    rates: Vec<f64>,
    startup_ms: Vec<f64>,
}

impl RivalTimes {
    fn push(&mut self, [whole, startup]: [Duration; 2], records: usize) {
        self.rates.push(records as f64 / whole.as_secs_f64());
        self.startup_ms.push(startup.as_secs_f64() * 1e3);
    }

    fn report(self, rival: &Rival, first: &[f64]) -> RivalReport {
        RivalReport {
            name: rival.name.clone(),
            command: rival.command.clone(),
            startup_ms: Rates::of(self.startup_ms).median,
            ratio_to_first: Ratio::of(&self.rates, first),
            puzzles_per_second: Rates::of(self.rates),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_spread_over_all_records() {
        let indices = spread(100, 10_000);
        assert!(indices.len() > 95 && indices.is_sorted());
        assert!(indices.windows(2).all(|pair| (30..=250).contains(&(pair[1] - pair[0]))), "{indices:?}");
        // No line of every twenty is left out, as it would be with a plain step of 100.
        let residues: std::collections::HashSet<_> = indices.iter().map(|index| index % 20).collect();
        assert_eq!(residues.len(), 20);
    }

    #[test]
    fn a_pick_is_made_of_whole_records() {
        let text = b"# head\n11\n\n22 tail\n33\n44";
        let pick = Pick::new(Some(2), text, 4);
        assert_eq!(pick.indices.as_deref(), Some(&[0, 2][..]));
        assert_eq!(&*pick.text, b"11\n33\n");
        assert!(Pick::new(Some(4), text, 4).indices.is_none());
    }
}
