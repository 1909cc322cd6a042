// A camera that looks at a mesh: the numbers of the uniforms, matrices by what the library says they do.

import { type Matrix, away, identity, perspective, times, turned } from "./matrix";
import type { Role, Uniform } from "./types";

/** Where it is looked at from. */
export interface Camera {
  yaw: number;
  pitch: number;
}

/** The numbers of each uniform by its name, as they are now. */
export type Values = Map<string, Float32Array>;

export const initial = (uniforms: Uniform[]): Values => new Map(uniforms.map(({ name, values }) => [name, Float32Array.from(values)]));

/** The name without that of its block, and an array's without its first element. */
export const ownName = (name: string): string => name.replace(/\[0\]$/, "").split(".").at(-1)!;

/** Sets the matrices to what they do for a picture of this shape. */
export function look(uniforms: Uniform[], values: Values, aspect: number, { yaw, pitch }: Camera): void {
  const world = turned(yaw, pitch);
  const view = away(3);
  const lens = perspective(aspect);
  const matrices: Record<Role, Matrix> = {
    "world-view-projection": times(lens, times(view, world)),
    "view-projection": times(lens, view),
    projection: lens,
    "world-view": times(view, world),
    world,
    identity: identity(),
  };
  for (const { name, role } of uniforms) {
    if (!role) continue;
    const all = values.get(name)!;
    for (let at = 0; at + 16 <= all.length; at += 16) all.set(matrices[role], at);
  }
}
