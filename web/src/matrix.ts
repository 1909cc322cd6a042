// Matrices of the camera.

/** Matrices by columns. */
export type Matrix = number[];

export const identity = (): Matrix => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

export function times(a: Matrix, b: Matrix): Matrix {
  return Array.from({ length: 16 }, (_, at) => [0, 1, 2, 3].reduce((sum, step) => sum + a[step * 4 + (at % 4)]! * b[Math.floor(at / 4) * 4 + step]!, 0));
}

export function perspective(aspect: number): Matrix {
  // What fits into a square is in sight in every shape of picture.
  const [near, far, f] = [0.1, 20, Math.min(1, aspect) / Math.tan(0.45)];
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0];
}

export const away = (distance: number): Matrix => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -distance, 1];

export function turned(yaw: number, pitch: number): Matrix {
  const [a, b, c, d] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  return times([1, 0, 0, 0, 0, c, d, 0, 0, -d, c, 0, 0, 0, 0, 1], [a, 0, -b, 0, 0, 1, 0, 0, b, 0, a, 0, 0, 0, 0, 1]);
}
