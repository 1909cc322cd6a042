#version 450
// A sky box: the view's rotation only, depth pushed to the far plane by writing w to z.
in vec3 inPosition;
uniform mat4 view_;
uniform mat4 projection;
uniform vec3 horizonColor;
uniform vec3 zenithColor;
out vec4 color;
out vec3 view;

void main()
{
    mat3 turning = mat3(view_);
    vec4 clip = projection * vec4(turning * inPosition, 1.0);
    gl_Position = clip.xyww;
    float height = clamp(inPosition.y * 0.25, 0.0, 1.0);
    color = vec4(mix(horizonColor, zenithColor, height * height), 1.0);
    view = inPosition;
}
