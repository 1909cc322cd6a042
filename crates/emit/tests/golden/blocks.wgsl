// example.shbin #0, for PICA200

struct Uniforms {
    loose: vec4<f32>,
}

struct Scale {
    scale: vec3<f32>,
    gain: f32,
    padding: array<vec4<f32>, 1>,
    padding_2: f32,
    padding_3: f32,
    shift: vec2<f32>,
    padding_4: f32,
    count: i32,
    flag: u32,
    padding_5: f32,
    padding_6: array<vec4<f32>, 1>,
    padding_7: f32,
    padding_8: f32,
    padding_9: f32,
    tint: f32,
    weights: array<vec4<f32>, 5>,
}

struct Bones {
    bones: array<vec3<f32>, 12>,
    view: mat4x4<f32>,
    rows: mat3x4<f32>,
}

struct Material_2 {
    padding_10: array<vec4<f32>, 1>,
    Material: array<vec4<f32>, 16>,
}

struct lights_element {
    kind: i32,
    place: vec3<f32>,
    width: f32,
    padding_12: array<vec4<f32>, 1>,
}

struct Lights {
    padding_11: array<vec4<f32>, 2>,
    lights: array<lights_element, 3>,
    ambient: vec4<f32>,
}

struct VertexOutput {
    @builtin(position) position: vec4<f32>,
}

@group(0) @binding(0)
var<uniform> uniforms: Uniforms;
@group(0) @binding(1)
var<uniform> Scale_buffer: Scale;
@group(0) @binding(2)
var<uniform> Bones_buffer: Bones;
@group(0) @binding(5)
var<uniform> Material_2_buffer: Material_2;
@group(0) @binding(6)
var<uniform> Lights_buffer: Lights;

@vertex
fn main(@location(0) a_position: vec4<f32>) -> VertexOutput {
    let tint = Scale_buffer.tint;
    let scale = Scale_buffer.scale;
    let gain = Scale_buffer.gain;
    let shift = Scale_buffer.shift;
    let count = Scale_buffer.count;
    let flag = Scale_buffer.flag != 0u;
    let view = Bones_buffer.view;
    let rows = Bones_buffer.rows;
    let loose = uniforms.loose;
    let ambient = Lights_buffer.ambient;
    let position = (((((select(vec4<f32>(shift, f32(count), Scale_buffer.weights[i32(a_position.x)].x), (vec4<f32>(scale, gain) * vec4(tint)), flag) + vec4<f32>(Bones_buffer.bones[((i32(a_position.x) * 4i) + 1i)], 1f)) + (view[2] + vec4<f32>((a_position * rows), 0f))) + Material_2_buffer.Material[i32(a_position.x)]) + loose) + vec4<f32>((Lights_buffer.lights[i32(a_position.x)].place * vec3(f32(Lights_buffer.lights[i32(a_position.x)].kind))), Lights_buffer.lights[2].width)) + ambient;
    return VertexOutput(position);
}
