//! Measures the parts of a run that only one thread can do at a time, for the model of many cores in `docs/cluster.md`:
//!
//! ```sh
//! cargo bench --bench serial -- puzzles.txt folder
//! ```
//!
//! Prints nanoseconds of CPU time per record of a file of lines that is in the page cache: dividing it into batches,
//! which is done under a lock, and writing its rows in order to a file in the folder.

use std::error::Error;
use std::fs;
use std::time::{Duration, Instant};

use rapidoku::file::internal::{Batch, BatchReader, MAX_BATCH, ReadOptions};
use rapidoku::file::{Input, InputOptions, Mapping, Output};

const ROUNDS: usize = 7;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let folder = tempfile::tempdir_in(args.get(1).map_or(std::env::temp_dir(), Into::into))?;
    // Cargo runs benchmarks in the folder of their package.
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../datasets/sample_10k.txt");
    let input = args.first().map_or(sample, String::as_str);
    let text = fs::read(input)?;
    let records = memchr::memchr_iter(b'\n', &text).count() as f64;
    let print = |name: &str, part: &dyn Fn() -> Result<Duration, Box<dyn Error>>| {
        let mut times = (0..ROUNDS).map(|_| part()).collect::<Result<Vec<_>, _>>()?;
        times.sort();
        let per_record = |time: Duration| 1e9 * time.as_secs_f64() / records;
        let (lowest, median) = (per_record(times[0]), per_record(times[ROUNDS / 2]));
        println!("{name}: lowest {lowest:.2} ns, median {median:.2} ns");
        Ok::<_, Box<dyn Error>>(())
    };

    // SAFETY: Nobody modifies the file.
    #[allow(unsafe_code)]
    let mapped = unsafe { Mapping::always() };
    for (name, mapping) in [("divide a mapped file", mapped), ("divide a file that is read", Mapping::NEVER)] {
        print(name, &|| {
            let options = ReadOptions { mapping: mapping.clone(), size: MAX_BATCH, input: InputOptions::default() };
            let mut reader = BatchReader::new(vec![Input::from(input)], options);
            let (clock, mut batch) = (Clock::start(), Batch::default());
            while reader.next(&mut batch)? {}
            Ok(clock.elapsed())
        })?;
    }
    print("write a file", &|| {
        let mut file = Output::create(folder.path().join("rows"))?.sync(false);
        let clock = Clock::start();
        for block in text.chunks(MAX_BATCH) {
            file.write(block)?;
        }
        let elapsed = clock.elapsed();
        file.finish()?;
        Ok(elapsed)
    })
}

/// A clock of the CPU time of this thread on Linux, elsewhere of time.
struct Clock(Option<Duration>, Instant);

impl Clock {
    fn start() -> Clock {
        Clock(Clock::cpu_time(), Instant::now())
    }

    fn elapsed(&self) -> Duration {
        let cpu = Clock::cpu_time().zip(self.0).map(|(now, start)| now - start);
        cpu.unwrap_or_else(|| self.1.elapsed())
    }

    fn cpu_time() -> Option<Duration> {
        // The count is up to date after a switch to another thread only.
        std::thread::yield_now();
        let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
    }
}
