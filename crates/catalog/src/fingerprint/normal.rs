//! A listing, part by part, without what things are called.

use super::{Fingerprint, signature::Signing};
use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
    ops::Range,
};
use twox_hash::XxHash3_64;
use unshade::{
    Stage,
    text::{PartKind, Sink},
};

/// Takes a listing in and keeps what it looks like.
pub(super) struct Parts {
    /// What the normal hash is over.
    normal: Vec<u8>,
    signing: Signing,
    /// What the current line looks like: which operation, and which kinds of operands.
    line: Vec<u8>,
    /// Whether it has an operation.
    instruction: bool,
    /// What the last part was: printers give one number, or one register, in several.
    last: PartKind,
    /// Letters in front of the next number of a register.
    class: u64,
    /// What has been named, by a hash of it, numbered.
    names: HashMap<u64, u32, BuildHasherDefault<Same>>,
    /// Each instruction, where they are wanted one by one.
    instructions: Option<Vec<Instruction>>,
    /// What the current line says, where instructions are wanted.
    exact: Vec<u8>,
}

/// An instruction, as far as programs are compared by them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// The same for instructions of one operation with the same kinds of operands.
    pub looks: u64,
    /// The same for those that are equal, wherever jumps go.
    pub exact: u64,
}

impl Parts {
    pub(super) fn new(stage: &Stage<'_>) -> Self {
        // About what a listing without names takes.
        let mut normal = Vec::with_capacity(64 + stage.code.words.len() * 24);
        normal.extend_from_slice(stage.isa.name().as_bytes());
        normal.extend_from_slice(stage.kind.name().as_bytes());
        Self {
            normal,
            signing: Signing::new(),
            line: Vec::with_capacity(128),
            instruction: false,
            last: PartKind::Plain,
            class: 0,
            names: HashMap::default(),
            instructions: None,
            exact: Vec::new(),
        }
    }

    /// The same, for [`Parts::instructions`].
    pub(super) fn one_by_one(stage: &Stage<'_>) -> Self {
        Self { instructions: Some(Vec::new()), ..Self::new(stage) }
    }

    /// The instructions of the listing, in order.
    pub(super) fn instructions(self) -> Vec<Instruction> {
        self.instructions.unwrap_or_default()
    }

    pub(super) fn finish(self) -> Fingerprint {
        Fingerprint { normal: XxHash3_64::oneshot(&self.normal), signature: self.signing.finish() }
    }

    /// Text that counts as it stands.
    fn plain(&mut self, kind: PartKind, text: &str) {
        self.normal.push(kind as u8);
        self.normal.extend_from_slice(text.as_bytes());
        self.line.extend_from_slice(text.as_bytes());
    }

    /// A thing of a kind that is called `text`: it counts as the number of its first mention.
    fn named(&mut self, kind: PartKind, text: &[u8]) {
        let next = self.names.len() as u32;
        let number = *self.names.entry(step(kind as u64, text)).or_insert(next);
        self.normal.push(kind as u8);
        self.normal.extend(number.to_le_bytes());
        self.line.push(kind as u8);
    }

    /// A register: `R12.xyz`, `c[3]`. Its letters stand, each number in it is a name.
    fn register(&mut self, text: &str) {
        let mut rest = text.as_bytes();
        if self.last != PartKind::Register {
            self.class = 0;
        }
        while let Some(first) = rest.first() {
            let digits = first.is_ascii_digit();
            let len = match rest.strip_prefix(b"0x") {
                Some(hex) => 2 + hex.iter().take_while(|byte| byte.is_ascii_hexdigit()).count(),
                None => rest.iter().take_while(|byte| byte.is_ascii_digit() == digits).count(),
            };
            let (run, behind) = rest.split_at(len);
            rest = behind;
            if digits {
                // The third register of a kind is not the third of another kind.
                let next = self.names.len() as u32;
                let number = *self.names.entry(step(self.class, run)).or_insert(next);
                self.normal.extend(number.to_le_bytes());
            } else {
                self.normal.push(PartKind::Register as u8);
                self.normal.extend_from_slice(run);
                self.line.extend_from_slice(run);
                self.class = step(0x5a, run.split(|byte| *byte == b'.').next_back().unwrap_or(run));
            }
        }
    }
}

impl Sink for Parts {
    fn put(&mut self, kind: PartKind, text: &str) {
        if self.instructions.is_some()
            && !matches!(kind, PartKind::Plain | PartKind::Comment | PartKind::Label)
        {
            self.exact.extend_from_slice(text.as_bytes());
            self.exact.push(b' ');
        }
        match kind {
            PartKind::Plain | PartKind::Comment => {}
            PartKind::Mnemonic => {
                self.instruction = true;
                self.plain(kind, text);
            }
            PartKind::Directive | PartKind::Punctuation => self.plain(kind, text),
            PartKind::Register => self.register(text),
            // That two numbers are the same says little: one may be a constant, the other a place in a table.
            PartKind::Immediate if self.last == kind => {}
            PartKind::Immediate => {
                self.normal.push(kind as u8);
                self.line.push(kind as u8);
            }
            PartKind::Label | PartKind::Name | PartKind::String => {
                self.named(kind, text.as_bytes());
            }
        }
        self.last = kind;
    }

    fn column(&self) -> usize {
        0
    }

    fn words(&mut self, _: Range<u32>) {}

    fn end_line(&mut self) {
        self.normal.push(0xff);
        if self.instruction {
            let looks = XxHash3_64::oneshot(&self.line);
            self.signing.instruction(looks);
            if let Some(all) = &mut self.instructions {
                all.push(Instruction { looks, exact: XxHash3_64::oneshot(&self.exact) });
            }
        }
        self.exact.clear();
        self.instruction = false;
        self.line.clear();
    }

    fn pad_to(&mut self, _: usize) {}
}

/// Takes bytes into a running hash (FNV-1a in steps of eight).
fn step(mut hash: u64, bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    let ends = u64::from_le_bytes(last) ^ (bytes.len() as u64) << 56;
    for word in words.iter().map(|word| u64::from_le_bytes(*word)).chain([ends]) {
        hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    }
    hash
}

/// For keys that are hashes.
#[derive(Default)]
struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = step(self.0, bytes);
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = word;
    }
}
