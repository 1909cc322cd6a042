//! Hostile files of one format: each is refused clearly or understood soundly, quickly, and without taking more memory than its
//! size allows.

use crate::cost::Worst;
use std::hint::black_box;
use unshade_containers::{Container, Format};

/// Everything that can be asked of it; the bytes that its programs come to.
fn ask(container: &Container) -> u64 {
    let findings = container.check();
    assert!(findings.len() <= 1001);
    black_box(container.coverage());
    let mut stages = container.stages();
    let bytes = stages.by_ref().map(|stage| {
        let around = stage.interface.maxwell.as_ref().map_or(0, |maxwell| maxwell.constants.len());
        stage.code.words.len() as u64 * 4 + around as u64
    });
    let bytes = bytes.sum();
    if let Some(error) = stages.left_out() {
        let codes = ["container.shared-code", "container.unpacked-code", "cemu.dictionary"];
        assert!(codes.contains(&error.diagnostic_code()), "{error:?}");
    }
    bytes
}

/// Reads, writes and asks all of them within the bounds. Some are refused, not all.
pub fn cost_their_size(format: Format, files: &[(String, Vec<u8>)]) {
    assert!(files.len() >= 50, "{}", files.len());
    let (mut refused, mut worst) = (0, Worst::default());
    for (name, bytes) in files {
        match worst.read(name, bytes) {
            Ok(container) => {
                assert_eq!(container.format(), format, "{name}");
                assert!(worst.quick(name, || container.write()).unwrap() == *bytes, "{name}");
                let come_to = worst.ask(name, bytes.len(), || ask(&container));
                // What is packed comes to more.
                let packed = matches!(format, Format::Ryujinx | Format::Cemu | Format::Vkch);
                let times = if packed { 64 } else { 16 };
                assert!(come_to <= times * bytes.len() as u64 + (4 << 20), "{name}: {come_to}");
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
        }
    }
    println!("{}: {refused} are refused; {}", format.name(), worst.report());
    assert!(refused < files.len());
}
