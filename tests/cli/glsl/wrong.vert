#version 330
in vec3 position;
in vec2 uv;
uniform mat4 mvp;
out vec2 away;

float bent(float x)
{
    float y = x * missing;
    return y + vec3(x);
}

void main()
{
    vec4 p = vec4(position, 1.0)
    p.x += bent(p.y);
    if (p.x > unknown) {
        p.z = uv.z;
    }
    away = @uv;
    gl_Position = mvp * p;
}
