//! Files are written whole or not at all: whatever happens on the way, the old file is as it was.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
    time::Instant,
};

/// Bytes of the padding of a file whose writing takes a while.
const PADDING: usize = 24 << 20;

fn unshade() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unshade"));
    command.env("NO_COLOR", "1").stdin(Stdio::null());
    command
}

/// A sample with a block of padding of that many bytes in front of its last block.
fn padded(padding: usize) -> Vec<u8> {
    let sample = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/blur.gsh"));
    let mut bytes = fs::read(sample).unwrap();
    let end = bytes.split_off(bytes.len() - 0x20);
    let mut block = b"BLK{".to_vec();
    let size = u32::try_from(padding).unwrap();
    for word in [0x20_u32, 1, 0, 2, size, 0, 0] {
        block.extend(word.to_be_bytes());
    }
    bytes.extend(block);
    bytes.resize(bytes.len() + padding, 0);
    bytes.extend(end);
    bytes
}

/// A device that was replaced by a file would be lost to everybody: what is no file is written to.
#[cfg(unix)]
#[test]
fn what_is_no_file_stays_what_it_is() {
    use std::os::unix::fs::FileTypeExt;
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = thread::spawn({
        let pipe = pipe.clone();
        move || fs::read(pipe).unwrap()
    });
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/lighting.shbin");
    let done = unshade().args(["disasm", sample, "-o"]).arg(&pipe).output().unwrap();
    assert!(done.status.success(), "{}", text(&done));
    let listed = unshade().args(["disasm", sample]).output().unwrap();
    assert!(reader.join().unwrap() == listed.stdout);
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
}

/// Not of the temporary file that nobody has heard of.
#[test]
fn a_missing_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/lighting.shbin");
    let done = unshade().args(["disasm", sample, "-o"]).arg(missing.join("out.s")).output().unwrap();
    assert_eq!(done.status.code(), Some(1));
    let said = text(&done);
    assert!(said.contains(&format!("there is no folder {}", missing.display())), "{said}");
    assert!(!said.contains(".unshade-"), "{said}");
    assert!(!missing.exists());
}

const SETTING: &str = "blocks[0].data.structure.SQ_PGM_RESOURCES_VS=NUM_GPRS 9";

fn edit(file: &Path) -> Command {
    let mut command = unshade();
    command.arg("edit").arg(file).args(["--set", SETTING, "--in-place"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_kill_in_the_middle_leaves_the_old_file_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("big.gsh");
    let old = padded(PADDING);
    fs::write(&file, &old).unwrap();
    let start = Instant::now();
    let done = edit(&file).output().unwrap();
    assert!(done.status.success(), "{}", text(&done));
    let whole = start.elapsed();
    let new = fs::read(&file).unwrap();
    assert!(new.len() == old.len() && new != old);
    assert!(fs::read(folder.path().join("big.gsh.bak")).unwrap() == old);
    let (mut kept, mut written) = (0, 0);
    for step in 0..24_u32 {
        for left in fs::read_dir(folder.path()).unwrap() {
            fs::remove_file(left.unwrap().path()).unwrap();
        }
        fs::write(&file, &old).unwrap();
        let mut child = edit(&file).spawn().unwrap();
        thread::sleep(whole * step / 20);
        child.kill().unwrap();
        child.wait().unwrap();
        let found = fs::read(&file).unwrap();
        match (found == old, found == new) {
            (true, _) => kept += 1,
            (_, true) => written += 1,
            _ => panic!("after {step}/20 of the time the file is neither the old nor the new one"),
        }
    }
    assert!(kept > 0, "no kill came early enough");
    eprintln!("{kept} times the old file, {written} times the new one");
}

/// Mounts a file system of that many bytes, where this is allowed.
struct Small(PathBuf);

impl Small {
    fn mount(at: &Path, bytes: usize) -> Option<Self> {
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={bytes}"), "tmpfs"])
            .arg(at)
            .stderr(Stdio::null())
            .status();
        mount.ok()?.success().then(|| Self(at.to_owned()))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_leaves_the_old_file_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("small");
    fs::create_dir(&at).unwrap();
    let Some(_small) = Small::mount(&at, 1 << 20) else {
        eprintln!("skipped: no file system can be mounted here");
        return;
    };
    let (file, old) = (at.join("a.gsh"), padded(600 << 10));
    fs::write(&file, &old).unwrap();
    let full = edit(&file).output().unwrap();
    assert_eq!(full.status.code(), Some(1));
    assert!(text(&full).contains("No space left on device"), "{}", text(&full));
    assert!(fs::read(&file).unwrap() == old);
    assert_eq!(fs::read_dir(&at).unwrap().count(), 1, "nothing is left beside the old file");
    // Another name on the full disk, from a file that is not changed either.
    let other = at.join("b.gsh");
    let full = unshade().arg("edit").arg(&file).args(["--set", SETTING, "-o"]).arg(&other).output().unwrap();
    assert_eq!(full.status.code(), Some(1));
    assert!(text(&full).contains("b.gsh: No space left on device"), "{}", text(&full));
    assert!(!other.exists() && fs::read(&file).unwrap() == old);
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("a.gsh"), folder.path().join("link.gsh"));
    fs::write(&file, padded(0)).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("a.gsh", &link).unwrap();
    let done = edit(&link).output().unwrap();
    assert!(done.status.success(), "{}", text(&done));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::read(&file).unwrap() != padded(0));
}

#[test]
fn a_folder_that_takes_no_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.gsh");
    fs::write(&file, padded(0)).unwrap();
    let missing = folder.path().join("none").join("b.gsh");
    let failed =
        unshade().arg("edit").arg(&file).args(["--set", SETTING, "-o"]).arg(&missing).output().unwrap();
    assert_eq!(failed.status.code(), Some(1));
    assert!(text(&failed).starts_with("error: cannot write"), "{}", text(&failed));
}
