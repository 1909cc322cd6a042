#version 300 es
// A lit and textured vertex program for the 3DS: `unshade compile lit.vert.glsl -o lit.shbin`.
in vec3 inPosition;
in vec3 inNormal;
in vec2 inTexcoord;

uniform mat4 projection;
uniform mat4 modelView;
uniform vec3 lightDirection[3];
uniform vec3 lightColor[3];
uniform vec3 ambient;

out vec4 color;
out vec2 texcoord0;

void main() {
    vec4 eye = modelView * vec4(inPosition, 1.0);
    vec3 normal = normalize(mat3(modelView) * inNormal);
    vec3 light = ambient;
    for (int i = 0; i < 3; i++) {
        light += lightColor[i] * max(dot(normal, lightDirection[i]), 0.0);
    }
    gl_Position = projection * eye;
    color = vec4(min(light, 1.0), 1.0);
    texcoord0 = inTexcoord;
}
