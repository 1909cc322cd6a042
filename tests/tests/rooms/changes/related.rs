//! Related files of samples and corpus, two and two.

use std::path::{Path, PathBuf};
use unshade_tests::corpus;

/// Larger files are left out, so that the test stays short.
const LARGEST: u64 = 110 << 10;

/// A generator of numbers, the same in every run.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// Files of the samples and of the corpus's folders of containers and wrappers.
pub fn files(what: &str) -> Vec<PathBuf> {
    let mut files = corpus::files(&corpus::root().join("samples"));
    if let Some(shared) = corpus::shared(what) {
        for folder in ["shbin", "mbs", "gfd", "sharcfb", "sharc-versions", "bnsh", "bfsha", "wrappers"] {
            files.extend(corpus::files(&shared.join("corpus").join(folder)));
        }
    }
    const KINDS: [&str; 16] = [
        "shbin", "dvoj", "mbs", "gsh", "sharcfb", "sharcb", "sharc", "bnsh", "bfsha", "dksh", "szs", "sarc",
        "bfres", "zs", "bcsdr", "bin",
    ];
    files.retain(|path| {
        let kind = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        KINDS.contains(&kind) && path.metadata().is_ok_and(|metadata| metadata.len() <= LARGEST)
    });
    files
}

/// Pairs of files with one extension: neighbours in the order of their paths, which are of one folder mostly and often of
/// one source, every `step`th of them; and `random` pairs of any two of a kind.
pub fn pairs(files: &[PathBuf], step: usize, random: usize) -> Vec<(PathBuf, PathBuf)> {
    let kind = |path: &Path| path.extension().map(|kind| kind.to_owned());
    let mut sorted = files.to_vec();
    sorted.sort_by_key(|path| (kind(path), path.clone()));
    let neighbours = sorted.windows(2).filter(|pair| kind(&pair[0]) == kind(&pair[1]));
    let mut pairs: Vec<_> = neighbours.step_by(step).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
    let mut numbers = Numbers(3);
    let wanted = pairs.len() + random;
    for _ in 0..random * 20 {
        let (a, b) = (&sorted[numbers.below(sorted.len())], &sorted[numbers.below(sorted.len())]);
        if a != b && kind(a) == kind(b) && pairs.len() < wanted {
            pairs.push((a.clone(), b.clone()));
        }
    }
    pairs
}
