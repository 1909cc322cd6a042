#version 450
// Features switched by bool uniforms, one nested in another: what a small engine's uber-shader does.
in vec4 inPosition;
in vec3 inNormal;
in vec2 inTexcoord;
in vec4 inColor;

uniform mat4 mvp;
uniform bool useLighting;
uniform bool useVertexColor;
uniform bool flipTexture;
uniform bool twoSided;
uniform vec3 lightDirection;
uniform vec4 materialColor;

out vec4 color;
out vec2 texcoord0;

void main()
{
    vec4 base = materialColor;
    if (useVertexColor) {
        base *= inColor;
    }
    if (useLighting) {
        float lit = dot(inNormal, lightDirection);
        if (twoSided) {
            lit = abs(lit);
        } else {
            lit = max(lit, 0.0);
        }
        base.rgb *= lit;
    } else {
        base.rgb += 0.25;
    }
    color = base;
    texcoord0 = flipTexture ? vec2(inTexcoord.x, 1.0 - inTexcoord.y) : inTexcoord;
    gl_Position = mvp * inPosition;
}
