//! Techniques 15 and 19: unique loops and the bivalue universal grave. They presuppose that there is one solution.

use super::Hint;
use super::grid::{Grid, HOUSES, PEERS, combinations, first, houses_of, members, see, size, union};

/// The houses that two cells share: block, row, column.
fn common_houses(p: usize, q: usize) -> impl DoubleEndedIterator<Item = usize> {
    houses_of(p).into_iter().zip(houses_of(q)).filter(|(a, b)| a == b).map(|(house, _)| house)
}

/// The cells that see all of some others.
fn seen_by_all(cells: &[usize]) -> impl Iterator<Item = usize> {
    (0..81).filter(|&cell| cells.iter().all(|&other| see(cell, other)))
}

/// The search for loops from one cell with the candidates `pair`.
struct Search<'a> {
    grid: &'a Grid,
    pair: u16,
    path: Vec<usize>,
    loops: Vec<Vec<usize>>,
}

impl Search<'_> {
    /// Goes on from a cell that was reached by a house of the kind `by`. `allowed` more cells with other candidates
    /// than the pair may follow if they have several other digits. Siblings share `extra`, the other digits so far.
    fn visit(&mut self, cell: usize, by: usize, allowed: usize, mut extra: u16) {
        self.path.push(cell);
        for kind in (0..3).filter(|&kind| kind != by) {
            for next in HOUSES[houses_of(cell)[kind]] {
                let candidates = self.grid.candidates[next];
                if next == self.path[0] && self.path.len() >= 4 {
                    if is_valid(&self.path) {
                        self.loops.push(self.path.clone());
                    }
                } else if !self.path.contains(&next) && candidates & self.pair == self.pair {
                    extra = (extra | candidates) & !self.pair;
                    let is_pair = candidates == self.pair;
                    if is_pair || size(extra) == 1 || allowed > 0 {
                        self.visit(next, kind, allowed.saturating_sub(!is_pair as usize), extra);
                    }
                }
            }
        }
        self.path.pop();
    }
}

/// Every other cell of a loop uses each house at most once, and so do those between, the same houses.
fn is_valid(path: &[usize]) -> bool {
    let [even, odd] = [0, 1].map(|parity| {
        let mut houses: Vec<_> = path.iter().skip(parity).step_by(2).flat_map(|&cell| houses_of(cell)).collect();
        houses.sort();
        houses
    });
    even == odd && even.windows(2).all(|pair| pair[0] != pair[1])
}

/// Technique 15.
pub fn unique_loop(grid: &Grid) -> Option<Hint> {
    // Hints with their types.
    let mut hints: Vec<(u8, Hint)> = Vec::new();
    for start in (0..81).filter(|&cell| size(grid.candidates[cell]) == 2) {
        let mut search = Search { grid, pair: grid.candidates[start], path: Vec::new(), loops: Vec::new() };
        search.visit(start, usize::MAX, 2, 0);
        for path in &search.loops {
            examine(grid, search.pair, path, &mut |kind, difficulty, removals| {
                hints.extend(Hint::remove(difficulty, removals).map(|hint| (kind, hint)));
            });
        }
    }
    hints.into_iter().min_by_key(|(kind, hint)| (hint.difficulty, *kind)).map(|(_, hint)| hint)
}

type Removals = Vec<(usize, u16)>;

/// The hints of a loop, with type, difficulty and removals.
fn examine(grid: &Grid, pair: u16, path: &[usize], add: &mut impl FnMut(u8, u16, Removals)) {
    let base = match path.len() {
        4 => 45,
        6 => 46,
        8 => 47,
        _ => 50,
    };
    let extras: Vec<usize> = path.iter().copied().filter(|&cell| size(grid.candidates[cell]) > 2).collect();
    let digits = union(extras.iter().map(|&cell| grid.candidates[cell])) & !pair;
    match extras[..] {
        [] => (),
        [cell] => add(1, base, vec![(cell, pair)]),
        [p, q] => {
            if size(digits) == 1 {
                add(2, base, grid.those(seen_by_all(&extras), digits));
            } else {
                with_sets(grid, pair, [p, q], digits, base, add);
            }
            let only_in = |digit: usize, house: usize| {
                HOUSES[house].iter().all(|&cell| cell == p || cell == q || !grid.has(cell, digit))
            };
            let is_locked = |digit: usize| common_houses(p, q).any(|house| only_in(digit, house));
            let low = first(pair);
            let high = first(pair & !(1 << low));
            if is_locked(low) {
                add(4, base, grid.those([p, q].into_iter(), 1 << high));
            } else if is_locked(high) {
                add(4, base, grid.those([p, q].into_iter(), 1 << low));
            }
        }
        [cell, ..] => {
            let digit = first(grid.candidates[cell] & !pair);
            add(2, base, grid.those(seen_by_all(&extras), 1 << digit));
        }
    }
}

/// Type 3: `p` and `q` with the extra digits form a set with other cells of a house.
fn with_sets(
    grid: &Grid,
    pair: u16,
    [p, q]: [usize; 2],
    extra: u16,
    base: u16,
    add: &mut impl FnMut(u8, u16, Removals),
) {
    for k in size(extra)..=7 {
        for house in common_houses(p, q) {
            let position = |cell| HOUSES[house].iter().position(|&other| other == cell).expect("it is in the house");
            let (p_at, q_at) = (1u16 << position(p), 1u16 << position(q));
            let candidates = |positions: u16| members(positions).map(|i| grid.candidates[HOUSES[house][i]]);
            if 2 * k <= grid.empties(house) {
                for positions in combinations(k).filter(|set| set & p_at != 0 && set & q_at == 0) {
                    let others = candidates(positions & !p_at);
                    let all = union(others.clone()) | extra;
                    let shared = union(others.clone()) | extra & grid.candidates[p] & grid.candidates[q];
                    if others.clone().all(|set| size(set) >= 2) && size(all) == k && size(shared) == k {
                        let rest = members(!(positions | p_at | q_at)).map(|i| HOUSES[house][i]);
                        add(3, base + k as u16 - 1, grid.those(rest, all));
                    }
                }
            }
            if 2 * k < grid.empties(house) {
                for others in combinations(k - 2).filter(|set| set & (extra | pair) == 0) {
                    let digits = others | pair;
                    let places = members(digits).map(|digit| grid.places(digit, house) & !q_at);
                    if places.clone().all(|set| set != 0) && size(union(places.clone())) == k {
                        let rest = members(union(places) & !p_at).map(|i| HOUSES[house][i]);
                        add(3, base + k as u16 - 2, grid.those(rest, !digits));
                    }
                }
            }
        }
    }
}

/// Cells with candidates that would have to go for all cells to have two, and all digits two places in a house.
struct Bug {
    cells: Vec<usize>,
    /// The digits that are left over in each cell, and in all.
    extra: [u16; 81],
    all: u16,
    /// The cells that see all of the cells.
    common: Vec<usize>,
}

fn find_bug(grid: &Grid) -> Option<Bug> {
    let mut bug = Bug { cells: Vec::new(), extra: [0; 81], all: 0, common: Vec::new() };
    let mut rest = grid.clone();
    for (house, digit) in (0..27).flat_map(|house| (0..9).map(move |digit| (house, digit))) {
        let places = grid.places(digit, house);
        if matches!(size(places), 0 | 2) {
            continue;
        }
        let cells = members(places).map(|i| HOUSES[house][i]);
        let large: Vec<usize> = cells.filter(|&cell| size(grid.candidates[cell]) >= 3).collect();
        match large[..] {
            [] => return None,
            [cell] => {
                if bug.cells.is_empty() {
                    bug.common = PEERS[cell].clone();
                }
                if !bug.cells.contains(&cell) {
                    bug.cells.push(cell);
                }
                bug.extra[cell] |= 1 << digit;
                bug.all |= 1 << digit;
                rest.remove(cell, digit);
                bug.common.retain(|&other| see(other, cell) && !bug.cells.contains(&other));
                if bug.cells.len() > 1 && size(bug.all) > 1 && bug.common.is_empty() {
                    return None;
                }
            }
            _ => (),
        }
    }
    let is_left = |cell: usize| grid.values[cell].is_none() && size(rest.candidates[cell]) != 2;
    let is_open = |(house, digit): (usize, usize)| !matches!(size(rest.places(digit, house)), 0 | 2);
    let mut all = (0..27).flat_map(|house| (0..9).map(move |digit| (house, digit)));
    if (0..81).any(is_left) || all.any(is_open) {
        return None;
    }
    Some(bug)
}

/// Technique 19.
pub fn bug(grid: &Grid) -> Option<Hint> {
    let bug = find_bug(grid)?;
    match bug.cells[..] {
        [] => None,
        [cell] => Hint::remove(56, grid.those([cell].into_iter(), !bug.all)),
        _ if size(bug.all) == 1 => {
            Hint::remove(57, grid.those(bug.common.iter().copied(), bug.all)).or_else(|| locked_bug(grid, &bug))
        }
        _ if bug.common.is_empty() => None,
        _ => locked_bug(grid, &bug).or_else(|| bug_with_set(grid, &bug)),
    }
}

/// Type 4.
fn locked_bug(grid: &Grid, bug: &Bug) -> Option<Hint> {
    let [p, q] = bug.cells[..] else { return None };
    let shared = grid.candidates[p] & grid.candidates[q] & !bug.all;
    if size(shared) != 1 || !see(p, q) {
        return None;
    }
    let of = |cell: usize| grid.those([cell].into_iter(), !(shared | bug.extra[cell]));
    let mut removals = [of(p), of(q)].concat();
    removals.sort();
    Hint::remove(57, removals)
}

/// Type 3.
fn bug_with_set(grid: &Grid, bug: &Bug) -> Option<Hint> {
    for kind in 0..3 {
        let house = houses_of(bug.cells[0])[kind];
        if bug.cells.iter().any(|&cell| houses_of(cell)[kind] != house) {
            continue;
        }
        let cells: Vec<usize> = bug.common.iter().copied().filter(|&cell| houses_of(cell)[kind] == house).collect();
        for k in (2..=6).filter(|&k| cells.len() >= k) {
            // There are no more than eight others.
            for set in combinations(k - 1).filter(|set| set >> cells.len() == 0) {
                let sets = members(set).map(|i| grid.candidates[cells[i]]);
                let digits = union(sets.clone());
                if sets.clone().all(|set| size(set) >= 2) && size(digits) == k && bug.all & !digits == 0 {
                    let rest = (0..cells.len()).filter(|i| set >> i & 1 == 0).map(|i| cells[i]);
                    let removals = grid.those(rest, digits);
                    if !removals.is_empty() {
                        return Hint::remove(57 + k as u16 - 1, removals);
                    }
                }
            }
        }
    }
    None
}
