#version 450
// a program

layout(std140, binding = 0) uniform Scene {
    vec4 offset;
    vec4 tint;
    vec4 fog;
};

#ifdef VERTEX_SHADER
#define VARYING out
#else
#define VARYING in
#endif

layout(location = 1) VARYING vec3 vNormal;
layout(location = 2) flat VARYING vec4 vColor; // shade in the fragment program

#ifdef VERTEX_SHADER
layout(location = 0) in vec3 place;

void main() {
    gl_Position = vec4(place + offset.xyz, 1.0);
    vNormal = place;
    vColor = tint;
}
#endif

#ifdef FRAGMENT_SHADER
layout(location = 0) out vec4 color;

void main() {
    vec4 tintValue = vColor * fog;
    color = vec4((vNormal.xy + offset.xy + tintValue.xy), 0.0, 1.0);
}
#endif
