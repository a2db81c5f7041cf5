//! Distribution of random orders and parts.

use std::collections::HashMap;
use std::fs;

use super::split::Split;
use super::strata::RatedClass;
use super::*;
use crate::rating::{Difficulty, Verdict};
use crate::{Input, Output, Run, Shuffle};

#[test]
fn all_orders_are_equally_likely() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.csv");
    let text: String = (0..4).map(|id| format!("{},{id}\n", ".".repeat(81))).collect();
    let mut found: HashMap<Vec<u8>, u32> = HashMap::new();
    for seed in 0..2400 {
        let output = Output::create(&path).unwrap().sync(false);
        let run = Run { threads: 1, ..Run::default() }.input(Input::Text(text.clone())).output(output);
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

/// Classes of one record each, in the order of their ratings: `per_rating` for each.
fn rated(count: u64, per_rating: u64) -> Vec<RatedClass> {
    let er = |k: u64| Difficulty(10 + (k / per_rating) as u16);
    (0..count)
        .map(|k| RatedClass { key: SplitMix64(k).next_word(), stratum: (Verdict::Rated, er(k)) })
        .collect()
}

#[test]
fn every_range_of_ratings_has_the_shares_of_the_parts() {
    for weights in [&[9.0, 1.0][..], &[1.0, 9.0], &[1.0; 3], &[80.0, 10.0, 10.0], &[1.0, 1e-9, 2.0, 5.0, 8.0]]
    {
        let total: f64 = weights.iter().sum();
        for (seed, per_rating) in (0..20).zip([1, 1, 2, 5, 13, 40].into_iter().cycle()) {
            let classes = rated(400, per_rating);
            let parts = Split::new(weights, seed).parts_by_er(&classes);
            let strata: Vec<_> = parts.chunks(per_rating as usize).collect();
            for start in 0..strata.len() {
                let (mut size, mut found) = (0, vec![0; weights.len()]);
                for stratum in &strata[start..] {
                    size += stratum.len();
                    stratum.iter().for_each(|part| found[*part] += 1);
                    for (found, weight) in found.iter().zip(weights) {
                        let deviation = f64::from(*found) - size as f64 * weight / total;
                        assert!(
                            deviation.abs() < weights.len() as f64 - 1.0 + 1e-6,
                            "{weights:?}: {deviation}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn every_class_has_the_probability_of_its_part() {
    let weights = [0.5, 0.3, 0.2];
    // The last rating has one class, which is in every part for some seed.
    for (count, per_rating) in [(7, 1), (7, 2)] {
        let mut found = vec![[0; 3]; count];
        for seed in 0..4000 {
            let parts = Split::new(&weights, seed).parts_by_er(&rated(count as u64, per_rating));
            found.iter_mut().zip(parts).for_each(|(found, part)| found[part] += 1);
        }
        for (found, weight) in found.iter().flat_map(|found| found.iter().zip(weights)) {
            // The deviation is at most 32.
            assert!((f64::from(*found) - weight * 4000.0).abs() < 150.0, "{found} of weight {weight}");
        }
    }
}

#[test]
fn a_class_is_in_one_part_and_counts_with_its_lowest_rating() {
    let split = Split::new(&[1.0, 1.0], 7);
    let mut classes = rated(50, 1);
    let parts = split.parts_by_er(&classes);
    // Copies above a bound change nothing.
    let copies = classes.clone().into_iter().map(|mut class| {
        class.stratum = (Verdict::Above, Difficulty(99));
        class
    });
    classes = copies.chain(classes).collect();
    assert_eq!(split.parts_by_er(&classes), [&parts[..], &parts].concat());
    // The order of the records does not matter.
    classes.reverse();
    let reversed: Vec<_> = parts.iter().rev().copied().collect();
    assert_eq!(split.parts_by_er(&classes), [&reversed[..], &reversed].concat());
    assert_eq!(split.parts_by_er(&[]), [0; 0]);
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
