//! The hash table of duplicates, against an ordered map.
#![cfg(feature = "dedup")]

use std::collections::BTreeMap;

use proptest::prelude::*;
use rapidoku_generate::dedup::Table;

proptest! {
    #[test]
    fn the_least_number_of_each_key_is_found(
        records in prop::collection::vec((0..40u64, 0..3u64, 0..1000u64), 0..300),
        expected in 0..100usize,
    ) {
        let mut table = Table::default();
        // The content of an earlier use is gone.
        table.reset(3);
        (0..50).for_each(|number| table.add(&[number, 7, number]));
        table.try_reset(expected).unwrap();
        let mut oracle = BTreeMap::new();
        for &(low, high, number) in &records {
            // Many keys share their low bits, so that they compete for slots.
            table.add(&[low << 8, high, number]);
            let least = oracle.entry((low << 8, high)).or_insert(number);
            *least = number.min(*least);
        }
        prop_assert_eq!(table.key_count(), oracle.len());
        for low in 0..40 {
            for high in 0..3 {
                let found = table.first(&[low << 8, high, 0]);
                prop_assert_eq!(found, oracle.get(&(low << 8, high)).copied());
            }
        }
        prop_assert_eq!(table.first(&[1, 7, 0]), None);
    }
}
