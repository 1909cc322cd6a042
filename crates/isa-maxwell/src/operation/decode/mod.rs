//! From a word to what it does. Bit positions are those that NVIDIA's disassembler (SM53) reacts to, found by
//! flipping every bit of every form; values that it calls invalid are none here.

mod attribute;
mod bits;
mod convert;
mod fields;
mod float;
mod flow;
mod half;
mod image;
mod integer;
mod memory;
mod predicate;
mod texture;
mod video;

use super::{Instruction, Memory, Operation, Token};
use crate::form::Form;
use crate::word::{Predicate, Word};
use attribute::Stream;
use half::Kind as Half;

impl Instruction {
    /// What a word does; `None` where no form has its bits, or where a field has a value without a meaning.
    ///
    /// Two encodings without a [`Form`] are taken for what they were meant to be: the raw image atomics with a
    /// number for a handle as Mesa's nouveau (and uam) write them, which NVIDIA's disassembler rejects.
    pub fn decode(word: u64) -> Option<Self> {
        let Some(form) = Form::of(word) else {
            return Some(Self { guard: Word(word).guard(), operation: image::nonstandard(Word(word))? });
        };
        let word = Word(word);
        let guard = if form.has_guard() { word.guard() } else { Predicate::TRUE };
        Some(Self { guard, operation: operation(form, word)? })
    }
}

/// What reads registers and constants and writes registers and predicates; and then the others.
fn operation(form: Form, w: Word) -> Option<Operation> {
    use Form::*;
    match form {
        FaddC | FaddI | FaddR => float::add(w),
        Fadd32i => float::add_immediate(w),
        FmulC | FmulI | FmulR => float::multiply(w),
        Fmul32i => float::multiply_immediate(w),
        FfmaC | FfmaI | FfmaR | FfmaRc => float::multiply_add(w),
        Ffma32i => float::multiply_add_immediate(w),
        FmnmxC | FmnmxI | FmnmxR => float::min_max(w),
        FcmpC | FcmpI | FcmpR | FcmpRc => float::select(w),
        FsetC | FsetI | FsetR => float::set(w),
        FsetpC | FsetpI | FsetpR => float::set_predicate(w),
        FchkC | FchkI | FchkR => float::check(w),
        Fswzadd => float::swizzle_add(w),
        Mufu => float::function(w),
        RroC | RroI | RroR => float::range_reduce(w),
        DaddC | DaddI | DaddR => float::double_add(w),
        DmulC | DmulI | DmulR => float::double_multiply(w),
        DfmaC | DfmaI | DfmaR | DfmaRc => float::double_multiply_add(w),
        DmnmxC | DmnmxI | DmnmxR => float::double_min_max(w),
        DsetC | DsetI | DsetR => float::double_set(w),
        DsetpC | DsetpI | DsetpR => float::double_set_predicate(w),
        Hadd2C => half::add(w, Half::Constant),
        Hadd2I => half::add(w, Half::Immediate),
        Hadd2R => half::add(w, Half::Register),
        Hadd232i => half::add(w, Half::Word),
        Hmul2C => half::multiply(w, Half::Constant),
        Hmul2I => half::multiply(w, Half::Immediate),
        Hmul2R => half::multiply(w, Half::Register),
        Hmul232i => half::multiply(w, Half::Word),
        Hfma2C => half::multiply_add(w, Half::Constant),
        Hfma2I => half::multiply_add(w, Half::Immediate),
        Hfma2R => half::multiply_add(w, Half::Register),
        Hfma2Rc => half::multiply_add(w, Half::ConstantThird),
        Hfma232i => half::multiply_add(w, Half::Word),
        Hset2C => half::set(w, Half::Constant),
        Hset2I => half::set(w, Half::Immediate),
        Hset2R => half::set(w, Half::Register),
        Hsetp2C => half::set_predicate(w, Half::Constant),
        Hsetp2I => half::set_predicate(w, Half::Immediate),
        Hsetp2R => half::set_predicate(w, Half::Register),
        IaddC | IaddI | IaddR => integer::add(w),
        Iadd32i => integer::add_immediate(w),
        Iadd3C | Iadd3I | Iadd3R => integer::add3(w),
        ImulC | ImulI | ImulR => integer::multiply(w),
        Imul32i => integer::multiply_immediate(w),
        ImadC | ImadI | ImadR | ImadRc => integer::multiply_add(w),
        Imad32i => integer::multiply_add_immediate(w),
        ImadspC | ImadspI | ImadspR | ImadspRc if w.bits(51, 2) == 3 => Some(Operation::System(form)),
        ImadspC | ImadspI | ImadspR | ImadspRc => integer::multiply_add_parts(w),
        XmadC | XmadI | XmadR | XmadRc => integer::multiply_add16(w),
        IscaddC | IscaddI | IscaddR => integer::shift_add(w),
        Iscadd32i => integer::shift_add_immediate(w),
        LeaC | LeaI | LeaR => integer::address(w),
        LeaHiC => integer::address_high(w, true),
        LeaHiR => integer::address_high(w, false),
        ImnmxC | ImnmxI | ImnmxR => integer::min_max(w),
        IcmpC | IcmpI | IcmpR | IcmpRc => integer::select(w),
        IsetC | IsetI | IsetR => integer::set(w),
        IsetpC | IsetpI | IsetpR => integer::set_predicate(w),
        MovC | MovI | MovR => integer::mov(w, false),
        Mov32i => integer::mov(w, true),
        SelC | SelI | SelR => integer::choose(w),
        LopC | LopI | LopR => bits::two(w),
        Lop32i => bits::two_immediate(w),
        Lop3R => bits::three(w),
        Lop3C => bits::three_other(w, true),
        Lop3I => bits::three_other(w, false),
        ShlC | ShlI | ShlR => bits::left(w),
        ShrC | ShrI | ShrR => bits::right(w),
        ShfLI | ShfLR => bits::funnel(w, true),
        ShfRI | ShfRR => bits::funnel(w, false),
        BfeC | BfeI | BfeR => bits::extract(w),
        BfiC | BfiI | BfiR | BfiRc => bits::insert(w),
        FloC | FloI | FloR => bits::leading_one(w),
        PopcC | PopcI | PopcR => bits::population(w),
        PrmtC | PrmtI | PrmtR | PrmtRc => bits::permute(w),
        Vadd => video::add(w),
        Vabsdiff => video::absolute_difference(w),
        Vabsdiff4 => video::absolute_difference4(w),
        Vmnmx => video::min_max(w),
        Vshl => video::shift(w, true),
        Vshr => video::shift(w, false),
        Vset => video::set(w),
        Vsetp => video::set_predicate(w),
        Vmad => video::multiply_add(w),
        F2fC | F2fI | F2fR => convert::float_to_float(w),
        F2iC | F2iI | F2iR => convert::float_to_int(w),
        I2fC | I2fI | I2fR => convert::int_to_float(w),
        I2iC | I2iI | I2iR => convert::int_to_int(w),
        Pset => predicate::set(w),
        Psetp => predicate::set_predicate(w),
        Cset => predicate::condition_set(w),
        Csetp => predicate::condition_set_predicate(w),
        P2rC | P2rI | P2rR => predicate::to_register(w),
        R2pC | R2pI | R2pR => predicate::from_register(w),
        _ => other(form, w),
    }
}

/// Memory, attributes, textures, images, other lanes, flow and the system.
fn other(form: Form, w: Word) -> Option<Operation> {
    use Form::*;
    match form {
        Ld => memory::load_generic(w),
        St => memory::store_generic(w),
        Ldg => memory::load_global(w),
        LdgP => memory::load_global_checked(w),
        Stg => memory::store_global(w),
        Ldl => memory::load_near(w, Memory::Local),
        Lds => memory::load_near(w, Memory::Shared),
        Stl => memory::store_near(w, Memory::Local),
        Sts => memory::store_near(w, Memory::Shared),
        Ldc => memory::load_constant(w),
        Atom => memory::atomic(w),
        AtomPred => memory::atomic_checked(w),
        AtomCas => memory::swap(w),
        AtomCasPred => memory::swap_checked(w),
        Atoms => memory::atomic_shared(w),
        AtomsCas => memory::swap_shared(w),
        Red => memory::reduce(w),
        Bar => memory::barrier(w),
        B2r => memory::barrier_result(w),
        R2b => Some(Operation::RegisterToBarrier),
        Cctl | Cctll | Cctlt | CctltReg => Some(Operation::CacheControl),
        Membar => Some(Operation::MemoryBarrier),
        Depbar => Some(Operation::DependencyBarrier),
        Ald => attribute::load(w),
        Ast => attribute::store(w),
        Al2p => attribute::address(w),
        Ipa => attribute::interpolate(w),
        Isberd => attribute::vertex(w),
        OutR => attribute::out(w, Stream::Register),
        OutC => attribute::out(w, Stream::Constant),
        OutI => attribute::out(w, Stream::Immediate),
        Pixld => attribute::pixel(w),
        Tex => texture::sample(w, false),
        TexB => texture::sample(w, true),
        Texs => texture::short_sample(w, false),
        TexsF16 => texture::short_sample(w, true),
        Tld => texture::fetch(w, false),
        TldB => texture::fetch(w, true),
        Tlds => texture::short_fetch(w, false),
        TldsF16 => texture::short_fetch(w, true),
        Tld4 => texture::gather(w, false),
        Tld4B => texture::gather(w, true),
        Tld4s => texture::short_gather(w, false),
        Tld4sF16 => texture::short_gather(w, true),
        Txd => texture::gradient(w, false),
        TxdB => texture::gradient(w, true),
        Tmml => texture::level(w, false),
        TmmlB => texture::level(w, true),
        Txa => texture::address(w),
        Txq => texture::query(w, false),
        TxqB => texture::query(w, true),
        Suld => image::load(w, false, false),
        SuldB => image::load(w, true, false),
        SuldD => image::load(w, false, true),
        SuldDB => image::load(w, true, true),
        Sust => image::store(w, false, false),
        SustB => image::store(w, true, false),
        SustD => image::store(w, false, true),
        SustDB => image::store(w, true, true),
        Suatom => image::atomic(w, false, Some(51), 7),
        SuatomB => image::atomic(w, true, Some(36), 7),
        SuatomB2 => image::atomic(w, true, Some(36), 7 - w.predicate(51)),
        SuatomP => image::atomic(w, true, None, 7),
        SuatomPI => image::atomic(w, false, None, 7),
        SuatomCas => image::swap(w, false, Some(51), 7 - w.predicate(30)),
        SuatomCasB => image::swap(w, true, Some(36), 7 - w.predicate(30)),
        SuatomCasP => image::swap(w, true, None, 7),
        SuatomCasPI => image::swap(w, false, None, 7),
        Sured => image::reduce(w, false, true),
        SuredB => image::reduce(w, true, true),
        SuredPI => image::reduce(w, false, false),
        SuredPR => image::reduce(w, true, false),
        Vote => predicate::vote(w),
        Shfl => predicate::shuffle(w),
        S2r => predicate::special(w, false),
        Cs2r => predicate::special(w, true),
        Bra => flow::branch(w, flow::Form::Relative),
        Brx => flow::branch(w, flow::Form::RegisterRelative),
        Jmp => flow::branch(w, flow::Form::Absolute),
        Jmx => flow::branch(w, flow::Form::RegisterAbsolute),
        Cal => flow::call(w, flow::Form::Relative),
        Jcal => flow::call(w, flow::Form::Absolute),
        Ssy => flow::push(w, Token::Sync),
        Pbk => flow::push(w, Token::Break),
        Pcnt => flow::push(w, Token::Continue),
        Pexit => flow::push(w, Token::Exit),
        Pret => flow::push(w, Token::Return),
        Plongjmp => flow::push(w, Token::LongJump),
        Sync => flow::pop(w, Token::Sync),
        Brk => flow::pop(w, Token::Break),
        Cont => flow::pop(w, Token::Continue),
        Exit => flow::pop(w, Token::Exit),
        Ret => flow::pop(w, Token::Return),
        Longjmp => flow::pop(w, Token::LongJump),
        Kil => flow::kill(w),
        // A vote of the stages before the pixels: it changes neither registers nor memory (no emulator does anything).
        Nop | Votevtg => Some(Operation::Nop),
        _ => Some(Operation::System(form)),
    }
}
