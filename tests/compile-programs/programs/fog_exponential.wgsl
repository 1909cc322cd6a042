// Exponential fog with the settings in one uniform struct.
// range: density 0 0.25
struct Scene {
    model_view: mat4x4f,
    projection: mat4x4f,
    fog_color: vec3f,
    density: f32,
}

struct Varyings {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
}

@group(0) @binding(0) var<uniform> scene: Scene;

@vertex
fn vs_main(@location(0) in_position: vec4f, @location(1) in_color: vec4f) -> Varyings {
    let eye = scene.model_view * in_position;
    let fog = exp(-length(eye.xyz) * scene.density);
    return Varyings(
        scene.projection * eye,
        vec4f(mix(scene.fog_color, in_color.rgb, fog), in_color.a),
    );
}
