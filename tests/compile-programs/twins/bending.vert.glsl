#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 weights;
uniform mat4 mvp;
uniform vec4 axis[4];
uniform vec4 amount;
out vec4 color;

float bends = 0.0;

float bend(inout vec3 p, vec4 axis, float amount)
{
    vec3 direction = normalize(axis.xyz + vec3(0.0, 0.0, 3.0));
    float along = dot(p, direction) * amount;
    float wave = sin(along) * 0.25 + cos(along * 0.5) * 0.5;
    vec3 side = cross(direction, p);
    vec3 moved = p + side * wave * amount;
    if (along > axis.w) {
        moved = moved - direction * (along - axis.w) * 0.5;
        bends = bends + 1.0;
    }
    p = mix(p, moved, clamp(amount, 0.0, 1.0));
    return wave + length(side) * 0.125;
}

void main()
{
    vec3 p = position.xyz;
    vec3 q = position.zxy * 0.5;
    float sum = bend(p, axis[0], amount.x);
    sum = sum + bend(p, axis[1], amount.y);
    if (weights.x > 0.0) {
        sum = sum * 0.5 + bend(q, axis[2], weights.y);
        if (weights.z > 0.5) {
            sum = sum - bend(p, axis[3], weights.x * 0.25);
        }
    } else {
        sum = sum + bend(q, axis[2], amount.w) * 2.0;
    }
    sum = sum + bend(q, axis[3], weights.w);
    gl_Position = mvp * vec4(p, 1.0);
    color = vec4(q, sum + bends * 0.125);
}
