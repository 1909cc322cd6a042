//! speed
use std::time::Instant;
use unshade_isa::{
    mali_pp::{Walk, lima, listing},
    text::PlainText,
};
use unshade_stage::Code;
fn main() {
    let mut all = Vec::new();
    let mut n = 0usize;
    for f in std::fs::read_dir("/work/shared/corpus/mbs/lima-out").unwrap() {
        let p = f.unwrap().path();
        let s = p.to_string_lossy().into_owned();
        if s.ends_with(".frag.bin") {
            let b = std::fs::read(&p).unwrap();
            all.extend(b.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())));
        }
    }
    let mut words = Vec::new();
    while words.len() < 2_000_000 {
        words.extend_from_slice(&all);
    }
    n += Walk::new(&words).count();
    for _ in 0..5 {
        let t = Instant::now();
        let mut x = 0;
        for (_, i) in Walk::new(&words) {
            x += i.words();
        }
        let d = t.elapsed();
        let t = Instant::now();
        let mut s = PlainText::with_capacity(words.len() * 20);
        lima::list(&words, &mut s);
        let l = t.elapsed();
        let t = Instant::now();
        let mut s2 = PlainText::with_capacity(words.len() * 20);
        listing::list_code(&Code { words: (&words[..]).into(), ..Default::default() }, &[], &mut s2);
        let na = t.elapsed();
        let r = |d: std::time::Duration| n as f64 / d.as_secs_f64() / 1e6;
        println!(
            "{n} {x} decode {:.1} lima {:.1} native {:.1} M/s; {} {}",
            r(d),
            r(l),
            r(na),
            s.text().len(),
            s2.text().len()
        );
    }
}
