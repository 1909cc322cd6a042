#version 450
// Outputs of any name, in a block, an array, and alone.
layout(location = 0) in vec3 position;
in vec3 normal;
in vec2 uv;

out Shading {
    vec3 worldPosition;
    vec3 worldNormal;
} shading;
out vec2 coordinates[2];
out float fogginess;
out vec4 glow;

uniform mat4 model;
uniform mat4 viewProjection;
uniform vec2 scroll;
uniform vec4 tint;

void main()
{
    vec4 world = model * vec4(position, 1.0);
    shading.worldPosition = world.xyz;
    shading.worldNormal = mat3(model) * normal;
    coordinates[0] = uv;
    coordinates[1] = uv * 2.0 + scroll;
    fogginess = world.z * 0.25;
    glow = tint * position.y;
    gl_Position = viewProjection * world;
}
