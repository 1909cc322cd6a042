#version 450
// A quad that faces the camera: corners are spread along the camera's right and up vectors.
in vec3 inCenter;
in vec2 inCorner;
in float inSize;

layout(std140, binding = 0) uniform Camera {
    mat4 viewProjection;
    vec4 right;
    vec4 up;
} camera;

out vec2 texcoord0;
out vec4 color;

void main()
{
    vec3 spread = camera.right.xyz * inCorner.x + camera.up.xyz * inCorner.y;
    vec3 world = inCenter + spread * abs(inSize);
    gl_Position = camera.viewProjection * vec4(world, 1.0);
    texcoord0 = inCorner * 0.5 + 0.5;
    color = vec4(1.0);
}
