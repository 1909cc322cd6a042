//! Shaders that go from one kind of file into another and back, and programs of one compiler in files of another.

use crate::programs::{file, files, findings, holds, id, ids, same_program};
use unshade_containers::gx2::{Detached, Parts, edit::Program};
use unshade_containers::{Container, DetachedStage, NewProgram};

/// The parts of a shader that do not depend on the file.
fn essence(stage: &DetachedStage) -> (String, Vec<u8>, Vec<u8>) {
    let Some(shader) = stage.get::<Detached>() else { panic!("no shader") };
    let code = |which| shader.program(which).to_vec();
    (format!("{:?}", stage.stage().interface), code(Program::Main), code(Program::Copy))
}

#[test]
fn a_gsh_shader_goes_into_an_archive_and_back() {
    let mut done = 0;
    let all = files();
    let of = |format: &str| -> Vec<&(String, Container)> {
        all.iter().filter(|(_, file)| file.format().name() == format).collect()
    };
    for (gsh_path, gsh) in of("gfd") {
        for (archive_path, archive) in of("sharcfb") {
            for from in ids(gsh) {
                let loose = gsh.take(&from).unwrap();
                let kind = loose.kind();
                let Some(to) =
                    archive.stages().find(|stage| stage.kind == kind && !stage.id.0.contains("copy"))
                else {
                    continue;
                };
                let to = to.id;
                let what = format!("{gsh_path}#{from} into {archive_path}#{to}");
                let mut edited = archive.clone();
                if let Err(error) = edited.put(&to, &loose) {
                    assert!(gsh_path.contains("rustgfd"), "{what}: {error}");
                    continue;
                }
                holds(&edited, archive, &[gsh], &what);
                same_program(&edited, &to, &loose, &what);
                // Out of the archive as it was written, and into the first file again.
                let written = Container::read(&edited.write().unwrap()).unwrap();
                let back = written.take(&to).unwrap();
                assert!(matches!(back.get::<Detached>().unwrap().parts, Parts::Binary { .. }));
                assert_eq!(essence(&back), essence(&loose), "{what}");
                let mut again = gsh.clone();
                again.put(&from, &back).unwrap_or_else(|error| panic!("{what}, and back: {error}"));
                // A header that was laid out in another way than the known writers do comes back as they do it.
                let usual = match gsh {
                    Container::Gfd(file) => file
                        .blocks
                        .iter()
                        .filter(|block| block.shader().is_some())
                        .all(|block| block.contents().is_some()),
                    _ => false,
                };
                let stated = findings(gsh).contains_key("gfd.code-size");
                if usual && !stated {
                    assert!(
                        again.write().unwrap() == gsh.write().unwrap(),
                        "{what}, and back: the file differs"
                    );
                    done += 1;
                } else {
                    holds(&again, gsh, &[gsh], &what);
                }
            }
        }
    }
    println!("{done} shaders went there and back");
    assert!(done >= 2);
}

#[test]
fn archives_of_both_byte_orders_exchange_shaders_and_programs() {
    for name in ["homebrew", "variants", "geometry"] {
        let (Some(little), Some(big)) =
            (file(&format!("{name}_le.sharcfb")), file(&format!("{name}_be.sharcfb")))
        else {
            return;
        };
        for (from, to) in [(&little, &big), (&big, &little)] {
            let bytes = to.write().unwrap();
            for id in ids(to) {
                // Both were made of the same shaders.
                let mut edited = to.clone();
                edited.put(&id, &from.take(&id).unwrap()).unwrap();
                let differs = edited.difference(&bytes).unwrap();
                assert!(differs.is_none(), "{name}#{id}: {}", differs.unwrap());
            }
            for item in ids(to).iter().filter_map(|id| id.0.split('/').next()) {
                let mut edited = to.clone();
                let mut copy = from.copy_of(item).unwrap();
                let clash = edited.add(&copy).unwrap_err().to_string();
                assert!(clash.contains("a name that no program of the archive has"), "{clash}");
                copy.name = Some("copy".to_owned());
                let names = edited.add(&copy).unwrap();
                holds(&edited, to, &[from], item);
                assert!(names[0].0.starts_with("copy/0/"));
                // The program that it is a copy of can go: then this one is equal to it.
                let removed = edited.remove("copy").unwrap();
                assert_eq!(removed.stages, names);
                assert!(edited.write().unwrap() == bytes, "{name}#{item}");
            }
        }
    }
}

#[test]
fn an_archive_gives_a_shader_to_a_gsh() {
    let (Some(archive), Some(gsh)) = (file("surface.sharcfb"), file("blur.gsh")) else { return };
    let bytes = gsh.write().unwrap();
    for from in ids(&archive).into_iter().filter(|id| !id.0.contains("copy")) {
        let loose = archive.take(&from).unwrap();
        let new = NewProgram { stages: vec![loose.clone()], ..NewProgram::default() };
        let mut edited = gsh.clone();
        let names = edited.add(&new).unwrap();
        holds(&edited, &gsh, &[&archive], &from.0);
        same_program(&edited, &names[0], &loose, &from.0);
        edited.remove(&names[0].0).unwrap();
        assert!(edited.write().unwrap() == bytes, "{from}");
    }
}

#[test]
fn a_file_that_aligns_goes_on_aligning() {
    let Some(gsh) = file("wut_pos_col_shader.gsh") else { return };
    let loose = gsh.take(&id("pixel0")).unwrap();
    let mut edited = gsh.clone();
    let new = NewProgram { stages: vec![loose], ..NewProgram::default() };
    let names = edited.add(&new).unwrap();
    assert_eq!(names, [id("pixel1")]);
    holds(&edited, &gsh, &[], "one more pixel shader");
    let stage = edited.stage(&id("pixel1")).unwrap();
    assert_eq!(stage.code.file_offset % 0x100, 0);
    edited.remove("pixel1").unwrap();
    assert!(edited.write().unwrap() == gsh.write().unwrap());
}

#[test]
fn a_program_of_one_compiler_goes_into_a_file_of_another() {
    let all = files();
    let mesa = all.iter().filter(|(path, _)| path.contains("lima-out"));
    let real: Vec<&(String, Container)> =
        all.iter().filter(|(path, _)| path.contains("mbs/real") || path.ends_with("linked.mbs")).collect();
    let mut done = 0;
    for (from, source) in mesa.step_by(5) {
        for (path, target) in &real {
            for name in ids(source) {
                let loose = source.take(&name).unwrap();
                let what = format!("{from}#{name} into {path}");
                let mut edited = target.clone();
                let Some(old) = target.take(&name).ok() else {
                    // The kind that is missing is added, and goes again.
                    let new = NewProgram { stages: vec![loose.clone()], ..NewProgram::default() };
                    assert_eq!(edited.add(&new).unwrap(), std::slice::from_ref(&name));
                    holds(&edited, target, &[source], &what);
                    same_program(&edited, &name, &loose, &what);
                    assert_eq!(edited.remove(&name.0).unwrap().stages, std::slice::from_ref(&name));
                    assert!(edited.write().unwrap() == target.write().unwrap(), "{what}");
                    done += 1;
                    continue;
                };
                edited.put(&name, &loose).unwrap();
                holds(&edited, target, &[source], &what);
                same_program(&edited, &name, &loose, &what);
                edited.put(&name, &old).unwrap();
                assert!(edited.write().unwrap() == target.write().unwrap(), "{what}");
                let twice = NewProgram { stages: vec![loose], ..NewProgram::default() };
                let error = edited.add(&twice).unwrap_err().to_string();
                assert!(error.contains("a file without such a program"), "{error}");
                done += 1;
            }
        }
    }
    println!("{done} programs");
}
