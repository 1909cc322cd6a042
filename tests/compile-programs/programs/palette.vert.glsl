#version 450
// A constant palette indexed by an attribute, another one in uniforms.
// range: inIndices 0 7 integer
in vec4 inPosition;
in vec2 inIndices;
uniform mat4 mvp;
uniform vec4 userPalette[8];
out vec4 color;

const vec4 builtinPalette[8] = vec4[8](
    vec4(0.0, 0.0, 0.0, 1.0),
    vec4(0.5, 0.0, 0.0, 1.0),
    vec4(0.0, 0.5, 0.0, 1.0),
    vec4(0.5, 0.5, 0.0, 1.0),
    vec4(0.0, 0.0, 0.5, 1.0),
    vec4(0.5, 0.0, 0.5, 1.0),
    vec4(0.0, 0.5, 0.5, 1.0),
    vec4(0.75, 0.75, 0.75, 1.0));

void main()
{
    vec4 fixedColor = builtinPalette[int(inIndices.x)];
    vec4 userColor = userPalette[int(inIndices.y)];
    color = mix(fixedColor, userColor, 0.25);
    gl_Position = mvp * inPosition;
}
