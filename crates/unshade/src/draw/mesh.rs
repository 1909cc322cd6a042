//! Simple meshes.

use unshade_ir::exec::evaluate;
use unshade_ir::{FloatMode, Op, Type};

/// Triangles with what vertices have. Positions are within the unit sphere, or the whole of clip space for `screen`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mesh {
    /// Of each vertex x, y, z.
    pub positions: Vec<[f32; 3]>,
    /// Of each vertex the direction away from the surface, of length 1.
    pub normals: Vec<[f32; 3]>,
    /// Of each vertex u and v, 0 to 1.
    pub uvs: Vec<[f32; 2]>,
    /// Vertices of the triangles, three for each.
    pub indices: Vec<u16>,
}

/// Names of the meshes that there are.
pub const MESHES: [&str; 5] = ["sphere", "torus", "cube", "plane", "screen"];

/// The mesh of that name.
pub fn mesh(name: &str) -> Option<Mesh> {
    let turn = std::f32::consts::TAU;
    Some(match name {
        "sphere" => surface(48, 24, |u, v| {
            let (a, b) = (angle(u * turn), angle(v * turn / 2.0));
            let normal = [b.0 * a.1, b.1, b.0 * a.0];
            (normal.map(|part| part * 0.9), normal)
        }),
        "torus" => surface(64, 24, |u, v| {
            let (a, b) = (angle(u * turn), angle(v * turn));
            let around = 0.62 + 0.3 * b.1;
            ([around * a.1, 0.3 * b.0, around * a.0], [b.1 * a.1, b.0, b.1 * a.0])
        }),
        "cube" => cube(),
        "plane" => surface(16, 16, |u, v| ([u * 1.6 - 0.8, 0.0, v * 1.6 - 0.8], [0.0, 1.0, 0.0])),
        "screen" => surface(1, 1, |u, v| ([u * 2.0 - 1.0, v * 2.0 - 1.0, 0.0], [0.0, 0.0, 1.0])),
        _ => return None,
    })
}

/// Sine and cosine, the same on every platform.
fn angle(radians: f32) -> (f32, f32) {
    let of = |op: Op| evaluate(&op, Type::B32, &[radians.to_bits().into()]).unwrap_or_default() as u32;
    let [sine, cosine] = [Op::FSin(FloatMode::F32), Op::FCos(FloatMode::F32)].map(of);
    (f32::from_bits(sine), f32::from_bits(cosine))
}

/// A surface over a grid: `at` gives position and normal for u and v.
fn surface(columns: u16, rows: u16, at: impl Fn(f32, f32) -> ([f32; 3], [f32; 3])) -> Mesh {
    let mut mesh = Mesh::default();
    for row in 0..=rows {
        for column in 0..=columns {
            let (u, v) = (f32::from(column) / f32::from(columns), f32::from(row) / f32::from(rows));
            let (position, normal) = at(u, v);
            mesh.positions.push(position);
            mesh.normals.push(normal);
            mesh.uvs.push([u, v]);
            if row < rows && column < columns {
                let corner = row * (columns + 1) + column;
                let above = corner + columns + 1;
                mesh.indices.extend([corner, corner + 1, above, corner + 1, above + 1, above]);
            }
        }
    }
    mesh
}

/// Six faces, each with corners of its own.
fn cube() -> Mesh {
    let mut mesh = Mesh::default();
    for face in 0..6_usize {
        let (axis, sign) = (face / 2, if face % 2 == 0 { 1.0 } else { -1.0 });
        let first = mesh.positions.len() as u16;
        let mut normal = [0.0; 3];
        normal[axis] = sign;
        for [u, v] in [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]] {
            let mut position = [0.0; 3];
            position[axis] = sign * 0.6;
            position[(axis + 1) % 3] = (u * 2.0 - 1.0) * 0.6;
            position[(axis + 2) % 3] = (v * 2.0 - 1.0) * 0.6;
            mesh.positions.push(position);
            mesh.normals.push(normal);
            mesh.uvs.push([u, v]);
        }
        mesh.indices.extend([0, 1, 2, 1, 3, 2].map(|corner| first + corner));
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mesh_is_whole() {
        for name in MESHES {
            let mesh = mesh(name).unwrap();
            let count = mesh.positions.len();
            assert!(count == mesh.normals.len() && count == mesh.uvs.len(), "{name}");
            assert!(mesh.indices.len().is_multiple_of(3) && !mesh.indices.is_empty(), "{name}");
            assert!(mesh.indices.iter().all(|index| usize::from(*index) < count), "{name}");
            for normal in &mesh.normals {
                let length: f32 = normal.iter().map(|part| part * part).sum();
                assert!((length - 1.0).abs() < 1e-5, "{name}: {normal:?}");
            }
        }
        assert_eq!(mesh("teapot"), None);
    }
}
