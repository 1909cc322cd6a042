//! Constants: numbers that instructions read together have to lie in one register.

use smallvec::SmallVec;

/// Registers of constants, four numbers each; fewer where none are left to fill them.
#[derive(Debug, Default)]
pub struct Pool {
    /// The registers.
    pub rows: Vec<SmallVec<[u32; 4]>>,
}

impl Pool {
    /// Puts all sets of numbers into registers. Large ones first, so that small ones find room beside them.
    pub fn new(sets: &[SmallVec<[u32; 4]>]) -> Self {
        let mut order: Vec<&SmallVec<[u32; 4]>> = sets.iter().collect();
        order.sort_by_key(|set| std::cmp::Reverse(set.len()));
        let mut pool = Self::default();
        for set in order {
            if pool.find(set).is_some() {
                continue;
            }
            let missing =
                |row: &SmallVec<[u32; 4]>| set.iter().filter(|number| !row.contains(number)).count();
            let fitting = pool.rows.iter().enumerate().filter(|(_, row)| row.len() + missing(row) <= 4);
            let best = fitting.min_by_key(|(_, row)| missing(row)).map(|(index, _)| index);
            match best.and_then(|index| pool.rows.get_mut(index)) {
                Some(row) => {
                    for number in set {
                        if !row.contains(number) {
                            row.push(*number);
                        }
                    }
                }
                None => pool.rows.push(set.clone()),
            }
        }
        pool
    }

    /// The register that has all of these numbers, and the component of each.
    pub fn find(&self, set: &[u32]) -> Option<(usize, SmallVec<[u8; 4]>)> {
        self.rows.iter().enumerate().find_map(|(index, row)| {
            let places = set.iter().map(|number| {
                row.iter().position(|known| known == number).and_then(|at| u8::try_from(at).ok())
            });
            Some((index, places.collect::<Option<_>>()?))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallvec::smallvec;

    #[test]
    fn numbers_share_registers() {
        let sets: Vec<SmallVec<[u32; 4]>> =
            vec![smallvec![1], smallvec![2, 3], smallvec![3, 2], smallvec![4, 5, 6]];
        let pool = Pool::new(&sets);
        assert_eq!(pool.rows.len(), 2);
        for set in &sets {
            let (row, places) = pool.find(set).unwrap();
            let found: Vec<u32> = places.iter().map(|at| pool.rows[row][usize::from(*at)]).collect();
            assert_eq!(&found, set.as_slice());
        }
    }
}
