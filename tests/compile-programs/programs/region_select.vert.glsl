#version 450
// Nested conditions on the data, four deep, that choose among scales and colours: a decision tree.
in vec4 inPosition;
in vec3 inKey;
uniform mat4 mvp;
uniform vec4 colors[6];
uniform vec3 split;
out vec4 color;
out vec2 texcoord0;

void main()
{
    vec4 chosen = colors[0];
    float depth = 0.0;
    if (inKey.x > split.x + 0.0007) {
        depth += 1.0;
        chosen = colors[1];
        if (inKey.y > split.y + 0.0007) {
            depth += 1.0;
            chosen = colors[2] * 0.5;
            if (inKey.z > split.z + 0.0007) {
                depth += 1.0;
                if (inKey.x + inKey.y > 2.0007) {
                    chosen = colors[3];
                } else {
                    chosen.xy = colors[4].zw;
                }
            }
        } else if (inKey.z < -1.0007) {
            chosen += colors[5];
        } else {
            depth = -1.0;
        }
    }
    color = chosen;
    texcoord0 = vec2(depth, depth * depth);
    gl_Position = mvp * inPosition;
}
