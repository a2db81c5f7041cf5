//! Distribution of random orders and parts.

use std::collections::HashMap;
use std::fs;

use super::split::Split;
use super::*;
use crate::file::{Input, Output, Run, Shuffle, Unfinished};

#[test]
fn all_orders_are_equally_likely() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.csv");
    let text: String = (0..4).map(|id| format!("{id},{}\n", ".".repeat(81))).collect();
    let mut found: HashMap<Vec<u8>, u32> = HashMap::new();
    for seed in 0..2400 {
        let output = Output::create(&path, &Unfinished::default()).unwrap().sync(false);
        let run = Run::default().threads(1).input(Input::Text(text.clone())).output(output);
        run.start(&Shuffle::new(seed), &mut |_| {}).unwrap();
        *found.entry(fs::read(&path).unwrap()).or_default() += 1;
    }
    assert_eq!(found.len(), 24);
    let deviations: f64 = found.values().map(|&n| (f64::from(n) - 100.0).powi(2) / 100.0).sum();
    assert!(deviations < 60.0, "chi-squared of {deviations} with 23 degrees of freedom");
}

#[test]
fn parts_follow_the_weights() {
    let weights = [1.0, 2.5, 0.5];
    let split = Split::new(&weights, 3);
    let mut found = [0; 3];
    for n in 0..40_000u128 {
        found[split.part_of_hash(n << 64 | n)] += 1;
    }
    // The deviations are at most 100.
    for (found, weight) in found.into_iter().zip(weights) {
        assert!((f64::from(found) - weight * 10_000.0).abs() < 400.0, "{found} of weight {weight}");
    }
    assert_eq!(Split::new(&[7.0], 3).part_of_key(u64::MAX), 0);
}

#[test]
fn keys_of_purposes_and_seeds_are_independent() {
    let keys = |seed, purpose| Keys::new(seed, purpose);
    let low = |keys: Keys| (0..10_000).map(move |n| keys.key(n) >> 63 == 0);
    for (a, b) in [
        (keys(0, Purpose::Sample), keys(0, Purpose::Split)),
        (keys(0, Purpose::Sample), keys(1, Purpose::Sample)),
        (keys(5, Purpose::Split), keys(5, Purpose::Shuffle)),
    ] {
        let both = low(a).zip(low(b)).filter(|(a, b)| *a && *b).count();
        assert!((2300..2700).contains(&both), "{both}");
    }
}

#[test]
fn a_missing_folder_is_an_error_and_not_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in.txt");
    fs::write(&input, format!("{}\n", ".".repeat(81)).repeat(60_000)).unwrap();
    let output = folder.path().join("out.txt");
    let job = Shuffle::new(0).memory(1 << 20).temp_dir(folder.path().join("missing"));
    for threads in [1, 4] {
        let created = Output::create(&output, &Unfinished::default()).unwrap();
        let run = Run::default().input(&input).threads(threads).output(created);
        let error = run.start(&job, &mut |_| {}).unwrap_err();
        assert!(
            error.to_string().contains("temporary file in ") && error.to_string().contains("missing"),
            "{error}"
        );
        assert!(!output.exists());
    }
}
