// Simple meshes, and textures to look at them with.

export interface Mesh {
  positions: number[];
  normals: number[];
  uvs: number[];
  indices: number[];
}

/** A surface over a grid: `at` gives position and normal for u and v in 0..1. */
function surface(columns: number, rows: number, at: (u: number, v: number) => [number[], number[]]): Mesh {
  const mesh: Mesh = { positions: [], normals: [], uvs: [], indices: [] };
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column <= columns; column++) {
      const [u, v] = [column / columns, row / rows];
      const [position, normal] = at(u, v);
      mesh.positions.push(...position);
      mesh.normals.push(...normal);
      mesh.uvs.push(u, v);
      if (row === rows || column === columns) continue;
      const corner = row * (columns + 1) + column;
      mesh.indices.push(corner, corner + 1, corner + columns + 1, corner + 1, corner + columns + 2, corner + columns + 1);
    }
  }
  return mesh;
}

const turn = Math.PI * 2;

export const MESHES: Record<string, () => Mesh> = {
  sphere: () =>
    surface(48, 24, (u, v) => {
      const [a, b] = [u * turn, v * Math.PI];
      const point = [Math.sin(b) * Math.cos(a), Math.cos(b), Math.sin(b) * Math.sin(a)];
      return [point.map((part) => part * 0.9), point];
    }),
  torus: () =>
    surface(64, 24, (u, v) => {
      const [a, b] = [u * turn, v * turn];
      const around = 0.62 + 0.3 * Math.cos(b);
      return [
        [around * Math.cos(a), 0.3 * Math.sin(b), around * Math.sin(a)],
        [Math.cos(b) * Math.cos(a), Math.sin(b), Math.cos(b) * Math.sin(a)],
      ];
    }),
  cube: () => {
    const mesh: Mesh = { positions: [], normals: [], uvs: [], indices: [] };
    for (const [axis, sign] of [[0, 1], [0, -1], [1, 1], [1, -1], [2, 1], [2, -1]] as const) {
      const first = mesh.positions.length / 3;
      for (const [u, v] of [[0, 0], [1, 0], [0, 1], [1, 1]] as const) {
        const point = [0, 0, 0];
        point[axis] = sign * 0.6;
        point[(axis + 1) % 3] = (u * 2 - 1) * 0.6;
        point[(axis + 2) % 3] = (v * 2 - 1) * 0.6;
        const normal = [0, 0, 0];
        normal[axis] = sign;
        mesh.positions.push(...point);
        mesh.normals.push(...normal);
        mesh.uvs.push(u, v);
      }
      mesh.indices.push(first, first + 1, first + 2, first + 1, first + 3, first + 2);
    }
    return mesh;
  },
  plane: () => surface(16, 16, (u, v) => [[u * 1.6 - 0.8, 0, v * 1.6 - 0.8], [0, 1, 0]]),
  screen: () => surface(1, 1, (u, v) => [[u * 2 - 1, v * 2 - 1, 0], [0, 0, 1]]),
};

/** A grid of colours with a gradient, so that every place of the texture can be told. */
export function checker(size: number, face = 0): Uint8Array {
  const pixels = new Uint8Array(size * size * 4);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const light = ((x >> 4) + (y >> 4)) % 2 ? 1 : 0.55;
      const at = (y * size + x) * 4;
      const colour = [(x / size) * 200 + 55, (y / size) * 200 + 55, 90 + face * 27];
      colour.forEach((part, channel) => (pixels[at + channel] = part * light));
      pixels[at + 3] = 255;
    }
  }
  return pixels;
}

/** Matrices by columns. */
export type Matrix = number[];

export const identity = (): Matrix => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

export function times(a: Matrix, b: Matrix): Matrix {
  return Array.from({ length: 16 }, (_, at) => [0, 1, 2, 3].reduce((sum, step) => sum + a[step * 4 + (at % 4)]! * b[Math.floor(at / 4) * 4 + step]!, 0));
}

export function perspective(aspect: number): Matrix {
  const [near, far, f] = [0.1, 20, 1 / Math.tan(0.45)];
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0];
}

export const away = (distance: number): Matrix => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -distance, 1];

export function turned(yaw: number, pitch: number): Matrix {
  const [a, b, c, d] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  return times([1, 0, 0, 0, 0, c, d, 0, 0, -d, c, 0, 0, 0, 0, 1], [a, 0, -b, 0, 0, 1, 0, 0, b, 0, a, 0, 0, 0, 0, 1]);
}
