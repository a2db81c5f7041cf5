//! Lane masks: bit `l` is lane `l`.

use super::MOST_LANES;

/// The lanes of a mask, lowest first.
#[inline(always)]
pub fn lanes(mut mask: u32) -> impl Iterator<Item = usize> {
    debug_assert!(mask >> MOST_LANES == 0, "a vector has at most {MOST_LANES} lanes");
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            // The AND removes bounds checks of arrays with `MOST_LANES` elements.
            let lane = mask.trailing_zeros() as usize & (MOST_LANES - 1);
            mask &= mask - 1;
            lane
        })
    })
}
