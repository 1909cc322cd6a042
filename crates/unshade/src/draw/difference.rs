//! How far two pictures of the same size are apart.

use serde::Serialize;

/// Two pictures, pixel by pixel; their alpha does not count.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// Pixels in each picture.
    pub pixels: u32,
    /// Pixels of which some channel differs by more than the tolerance.
    pub beyond: u32,
    /// The largest difference of a channel, in steps of 256.
    pub largest: u8,
    /// The mean difference of all channels, in steps of 256.
    pub mean: f64,
    /// A picture of it: grey by how much the largest channel differs, eightfold; red beyond the tolerance.
    #[serde(skip)]
    pub image: Vec<u8>,
}

/// The difference of two pictures of red, green, blue and alpha bytes. None where they have not the same size, or are none.
pub fn difference(ours: &[u8], theirs: &[u8], tolerance: u8) -> Option<Difference> {
    let (ours, rest) = ours.as_chunks::<4>();
    let (theirs, other_rest) = theirs.as_chunks::<4>();
    if ours.len() != theirs.len() || ours.is_empty() || !rest.is_empty() || !other_rest.is_empty() {
        return None;
    }
    let mut found = Difference {
        pixels: u32::try_from(ours.len()).ok()?,
        beyond: 0,
        largest: 0,
        mean: 0.0,
        image: Vec::with_capacity(ours.len() * 4),
    };
    let mut sum = 0_u64;
    for (ours, theirs) in ours.iter().zip(theirs) {
        let apart = [0, 1, 2].map(|n: usize| ours[n].abs_diff(theirs[n]));
        let most = apart.into_iter().max().unwrap_or(0);
        sum += apart.into_iter().map(u64::from).sum::<u64>();
        found.largest = found.largest.max(most);
        let shade = most.saturating_mul(8);
        if most > tolerance {
            found.beyond += 1;
            found.image.extend([255, shade / 2, shade / 3, 255]);
        } else {
            found.image.extend([shade, shade, shade, 255]);
        }
    }
    found.mean = sum as f64 / (ours.len() as f64 * 3.0);
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_counted() {
        let ours = [10, 20, 30, 0, 0, 0, 0, 255];
        let theirs = [12, 20, 29, 255, 0, 9, 0, 0];
        let found = difference(&ours, &theirs, 2).unwrap();
        assert_eq!((found.pixels, found.beyond, found.largest), (2, 1, 9));
        assert_eq!(found.mean, 12.0 / 6.0);
        assert_eq!(found.image, [16, 16, 16, 255, 255, 36, 24, 255]);
        assert_eq!(difference(&ours, &ours, 0).unwrap().largest, 0);
        assert_eq!(difference(&ours, &theirs[..4], 0), None);
        assert_eq!(difference(&[], &[], 0), None);
    }
}
