//! Machine, IR and source tree side by side, for the programs that uam made. The corpus lies next to the checkout;
//! without it this test says so and passes. `UNSHADE_VERIFY_CASES` sets the number of cases.

#[test]
fn programs_of_uam_are_lifted_to_what_they_do() {
    let folder = unshade_corpus::shared("corpus/maxwell/uam-out");
    if !folder.is_dir() {
        println!("skipped: no corpus at {}", folder.display());
        return;
    }
    let cases = std::env::var("UNSHADE_VERIFY_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(64);
    let only = std::env::var("UNSHADE_VERIFY_ONLY").unwrap_or_default();
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "dksh"));
    paths.sort();
    let mut failed = Vec::new();
    for path in paths {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if !name.contains(&only) {
            continue;
        }
        let opened = unshade::open(&std::fs::read(&path).unwrap()).unwrap();
        let (_, stage) = opened.stages(None).next().unwrap();
        let verdict = unshade::verify(&stage, cases, 1);
        for (mode, section) in [("strict", &verdict.strict), ("readable", &verdict.readable)] {
            let said = section.failure.as_ref().map_or("equal".to_owned(), ToString::to_string);
            println!(
                "{name} {mode}: {} cases, {} outside, {} unfinished: {said}",
                section.compared,
                section.outside.total(),
                section.unfinished
            );
            if section.failure.is_some() {
                failed.push(format!("{name} {mode}"));
            }
        }
        if verdict.standing() == unshade::verify::Standing::Weak {
            failed.push(format!("{name} is weak: {:?}", verdict.readable.outside.reasons()));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
