//! Every form of the table has a vector. Forms that compute are run with each kind of source against a definition in
//! plain arithmetic, written apart from the interpreter (PTX's words, where PTX has the operation); what modifiers do is
//! in `operations.rs`. A form without a vector fails the last test here.

mod apart;
mod families;
mod levels;
mod measured;
mod memory;
mod run;

use std::collections::BTreeMap;
use unshade_isa_maxwell::Form;

#[test]
fn forms_that_compute() {
    for family in families::FAMILIES {
        family.check();
    }
}

/// Every form is in one list, and the lists together are the table.
#[test]
fn every_form_has_a_vector() {
    let mut found: BTreeMap<Form, Vec<&str>> = BTreeMap::new();
    let families = families::FAMILIES.iter();
    let computed = families.flat_map(|family| family.forms.iter().map(|(form, ..)| (*form, "families")));
    let lists: [(&[Form], &str); 3] =
        [(apart::FORMS, "apart"), (memory::FORMS, "memory"), (ELSEWHERE, "elsewhere")];
    let listed = lists.iter().flat_map(|(forms, name)| forms.iter().map(|form| (*form, *name)));
    for (form, list) in computed.chain(listed) {
        found.entry(form).or_default().push(list);
    }
    for form in Form::ALL {
        let lists = found.get(form).map_or(&[][..], Vec::as_slice);
        assert!(!lists.is_empty(), "{form:?} ({}) has no vector", form.name());
        assert!(!lists.contains(&"elsewhere") || lists.len() == 1, "{form:?}: {lists:?}");
    }
    assert_eq!(found.len(), Form::ALL.len());
    // A form that computes does not belong there.
    assert_eq!(ELSEWHERE.len(), 90);
}

/// Forms that compute nothing by themselves: control flow, attributes, pictures, the system. Recorded runs of whole
/// programs show what they do (`crates/unshade/tests/library/run_vectors.rs`); the system's forms are refused by name.
const ELSEWHERE: &[Form] = {
    use Form::*;
    &[
        // Flow.
        Bra,
        Brk,
        Brx,
        Cal,
        Cont,
        Exit,
        Jcal,
        Jmp,
        Jmx,
        Kil,
        Longjmp,
        Pbk,
        Pcnt,
        Pexit,
        Plongjmp,
        Pret,
        Ret,
        Ssy,
        Sync,
        Nop,
        Depbar,
        Membar,
        Cctl,
        Cctll,
        Cctlt,
        CctltReg,
        // Attributes.
        Al2p,
        Ald,
        Ast,
        Ipa,
        Isberd,
        OutC,
        OutI,
        OutR,
        Pixld,
        // Barriers.
        B2r,
        Bar,
        R2b,
        // Textures.
        Tex,
        TexB,
        Texs,
        TexsF16,
        Tld,
        TldB,
        Tld4,
        Tld4B,
        Tld4s,
        Tld4sF16,
        Tlds,
        TldsF16,
        Tmml,
        TmmlB,
        Txa,
        Txd,
        TxdB,
        Txq,
        TxqB,
        // Images.
        Suatom,
        SuatomB,
        SuatomB2,
        SuatomCas,
        SuatomCasB,
        SuatomCasP,
        SuatomCasPI,
        SuatomP,
        SuatomPI,
        Suld,
        SuldB,
        SuldD,
        SuldDB,
        Sured,
        SuredB,
        SuredPI,
        SuredPR,
        Sust,
        SustB,
        SustD,
        SustDB,
        // The system.
        Bpt,
        Getcrsptr,
        Getlmembase,
        Ide,
        Lepc,
        Ram,
        Rtt,
        Sam,
        Setcrsptr,
        Setlmembase,
        Stp,
        Votevtg,
    ]
};
