// Sprites from a sheet of 8 by 8 cells: the cell number becomes a texture offset.
// range: in_cell 0 63 integer
struct Output {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
    @location(1) texcoord0: vec2f,
}

@group(0) @binding(0) var<uniform> screen: vec4f;

const CELLS: f32 = 8.0;

@vertex
fn main(
    @location(0) in_corner: vec2f,
    @location(1) in_position: vec2f,
    @location(2) in_cell: f32,
    @location(3) in_color: vec4f,
) -> Output {
    let row = floor((in_cell + 0.5) / CELLS);
    let column = in_cell - row * CELLS;
    var out: Output;
    out.position = vec4f((in_position + in_corner) * screen.xy + screen.zw, 0.5, 1.0);
    out.texcoord0 = (vec2f(column, row) + in_corner) / CELLS;
    out.color = in_color;
    return out;
}
