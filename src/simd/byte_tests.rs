//! Operations on vectors of bytes at every level that this machine has, against plain arrays.

use std::array::from_fn;

use super::tests::{Random, STEP};
use super::*;

/// A test that runs as a byte kernel on every level; the instruction set is `S` in its body.
macro_rules! on_every_byte_level {
    ($(fn $name:ident($s:ident) $body:block)*) => { $(
        #[test]
        fn $name() {
            struct Test;

            impl ByteKernel for Test {
                type Output = ();

                #[inline(always)]
                fn run<S: Blocks>(self, $s: S) $body
            }

            for level in SimdLevel::available() {
                level.run_bytes(Test);
            }
            // The level of machines that lack the later permutations.
            #[cfg(target_arch = "x86_64")]
            if let Some(token) = x86::Avx512::detect() {
                token.run_bytes(Test);
            }
        }
    )* };
}

/// Vectors of bytes: all bytes below `limit`, and random ones.
fn byte_vectors(limit: u32) -> Vec<[u8; 16]> {
    let mut random = Random::of_seed(9);
    let mut vectors: Vec<[u8; 16]> =
        (0..limit).step_by(16).map(|first| from_fn(|i| ((first + i as u32) % limit) as u8)).collect();
    vectors.extend((0..200).step_by(STEP).map(|_| from_fn(|_| (random.word() % limit) as u8)));
    vectors
}

on_every_byte_level! {
    fn operations_on_bytes(s) {
        let vectors = byte_vectors(256);
        for (a, b) in vectors.iter().zip(vectors.iter().rev()) {
            let [x, y] = [s.load_bytes(a), s.load_bytes(b)];
            assert_eq!(s.bytes_of(x), *a);
            assert_eq!(s.bytes_of(s.splat_byte(a[3])), [a[3]; 16]);
            assert_eq!(s.bytes_of(s.and_bytes(x, y)), from_fn(|i| a[i] & b[i]));
            assert_eq!(s.bytes_of(s.or_bytes(x, y)), from_fn(|i| a[i] | b[i]));
            assert_eq!(s.bytes_of(s.add_bytes(x, y)), from_fn(|i| (u16::from(a[i]) + u16::from(b[i])) as u8));
            assert_eq!(s.bytes_of(s.min_bytes(x, y)), from_fn(|i| if a[i] < b[i] { a[i] } else { b[i] }));
            assert_eq!(s.bytes_of(s.max_bytes(x, y)), from_fn(|i| if a[i] < b[i] { b[i] } else { a[i] }));
            assert_eq!(s.bytes_of(s.middle_bits(x)), a.map(|byte| byte / 4 % 16));
            let is_high: Vec<bool> = a.iter().map(|byte| *byte >= 128).collect();
            let high = s.high_bits(x);
            assert_eq!((0..16).map(|i| high >> i & 1 == 1).collect::<Vec<_>>(), is_high);
            // Equal in some bytes.
            let mixed: [u8; 16] = from_fn(|i| if i % 3 == 0 { a[i] } else { b[i] });
            let equal = s.equal_bytes(x, s.load_bytes(&mixed));
            assert_eq!(s.bytes_of(equal), from_fn(|i| if a[i] == mixed[i] { 255 } else { 0 }));
            let selected = s.select_bytes(equal, y, s.splat_byte(7));
            assert_eq!(s.bytes_of(selected), from_fn(|i| if a[i] == mixed[i] { b[i] } else { 7 }));
            assert_eq!(s.first_number(x), (0..8).map(|i| u64::from(a[i]) << (8 * i)).sum());
        }
    }

    fn lookups_and_digits_of_bytes(s) {
        for (table, at) in byte_vectors(256).iter().zip(byte_vectors(16)) {
            let found = s.lookup(s.load_bytes(table), s.load_bytes(&at));
            assert_eq!(s.bytes_of(found), from_fn(|i| table[usize::from(at[i])]));
            let weights: [i8; 16] = [1, 9, 81, 0, 2, 3, 5, 7, 1, 9, 81, 0, 0, 0, 0, 1];
            let sum = |group: usize| -> u32 {
                (0..4).map(|i| u32::from(at[4 * group + i]) * weights[4 * group + i] as u32).sum()
            };
            let sums = s.bytes_of(s.weighted_sums(s.load_bytes(&at), &weights));
            assert_eq!(sums.as_chunks().0, [0, 1, 2, 3].map(|group| sum(group).to_le_bytes()));
            let mut short = at;
            short[10..].fill(0);
            let text: String = at[..10].iter().map(|nibble| format!("{nibble:x}")).collect();
            let wanted = u64::from_str_radix(&format!("{text}000000"), 16).unwrap();
            assert_eq!(s.ten_nibbles(s.load_bytes(&short)), wanted);
        }
    }
}
