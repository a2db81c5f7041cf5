//! Sets of nodes as rows of bits.

/// A set of nodes.
pub type Row<const W: usize> = [u64; W];

#[inline]
pub fn or<const W: usize>(a: &mut Row<W>, b: &Row<W>) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a |= b);
}

#[inline]
pub fn and<const W: usize>(a: &mut Row<W>, b: &Row<W>) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a &= b);
}

/// The members of both sets.
#[inline]
pub fn both<const W: usize>(mut a: Row<W>, b: &Row<W>) -> Row<W> {
    and(&mut a, b);
    a
}

/// Removes the members of another set.
#[inline]
pub fn remove<const W: usize>(a: &mut Row<W>, b: &Row<W>) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a &= !b);
}

#[inline]
pub fn has<const W: usize>(row: &Row<W>, node: usize) -> bool {
    row[node / 64] >> (node % 64) & 1 == 1
}

/// Adds a node if `is_member`, without a branch.
#[inline]
pub fn insert<const W: usize>(row: &mut Row<W>, node: usize, is_member: bool) {
    row[node / 64] |= (is_member as u64) << (node % 64);
}

/// Adds or removes a node.
#[inline]
pub fn set<const W: usize>(row: &mut Row<W>, node: usize, is_member: bool) {
    row[node / 64] &= !(1 << (node % 64));
    insert(row, node, is_member);
}

#[inline]
pub fn meets<const W: usize>(a: &Row<W>, b: &Row<W>) -> bool {
    a.iter().zip(b).fold(0, |any, (a, b)| any | a & b) != 0
}

#[inline]
pub fn count<const W: usize>(row: Row<W>) -> usize {
    row.iter().map(|word| word.count_ones() as usize).sum()
}

#[inline]
pub fn members<const W: usize>(row: Row<W>, mut visit: impl FnMut(usize)) {
    for (i, mut word) in row.into_iter().enumerate() {
        while word != 0 {
            visit(64 * i + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}
