#version 300 es
// What is computed in front of a loop and a condition is needed behind them.
precision highp float;
in vec4 inPosition;
in vec3 inNormal;
uniform vec4 planes[20];
uniform int steps;
uniform vec4 drift;
uniform bool folded;
out vec4 color;

void main()
{
    float h0 = dot(planes[0], inPosition);
    float h1 = dot(planes[1], inPosition);
    float h2 = dot(planes[2], inPosition);
    float h3 = dot(planes[3], inPosition);
    float h4 = dot(planes[4], inPosition);
    float h5 = dot(planes[5], inPosition);
    float h6 = dot(planes[6], inPosition);
    float h7 = dot(planes[7], inPosition);
    float h8 = dot(planes[8], inPosition);
    float h9 = dot(planes[9], inPosition);
    float h10 = dot(planes[10], inPosition);
    float h11 = dot(planes[11], inPosition);
    float h12 = dot(planes[12], inPosition);
    float h13 = dot(planes[13], inPosition);
    float h14 = dot(planes[14], inPosition);
    float h15 = dot(planes[15], inPosition);
    float h16 = dot(planes[16], inPosition);
    float h17 = dot(planes[17], inPosition);
    float h18 = dot(planes[18], inPosition);
    float h19 = dot(planes[19], inPosition);
    vec3 n0 = inNormal * planes[0].w + planes[0].xyz;
    vec3 n1 = inNormal * planes[1].w + planes[1].xyz;
    vec3 n2 = inNormal * planes[2].w + planes[2].xyz;
    vec3 n3 = inNormal * planes[3].w + planes[3].xyz;
    vec3 n4 = inNormal * planes[4].w + planes[4].xyz;
    vec3 n5 = inNormal * planes[5].w + planes[5].xyz;
    vec3 n6 = inNormal * planes[6].w + planes[6].xyz;
    vec3 n7 = inNormal * planes[7].w + planes[7].xyz;
    vec3 n8 = inNormal * planes[8].w + planes[8].xyz;
    vec3 n9 = inNormal * planes[9].w + planes[9].xyz;
    vec3 n10 = inNormal * planes[10].w + planes[10].xyz;
    vec3 n11 = inNormal * planes[11].w + planes[11].xyz;
    vec3 n12 = inNormal * planes[12].w + planes[12].xyz;
    vec3 n13 = inNormal * planes[13].w + planes[13].xyz;
    vec3 n14 = inNormal * planes[14].w + planes[14].xyz;
    vec3 n15 = inNormal * planes[15].w + planes[15].xyz;
    vec3 n16 = inNormal * planes[16].w + planes[16].xyz;
    vec3 n17 = inNormal * planes[17].w + planes[17].xyz;
    vec4 p = inPosition;
    vec3 q = inNormal;
    for (int i = 0; i < steps; i++) {
        p += drift * q.x;
        q = q * 0.5 + p.yzx * 0.25;
    }
    float least = h0;
    least = min(least, h1);
    least = min(least, h2);
    least = min(least, h3);
    least = min(least, h4);
    least = min(least, h5);
    least = min(least, h6);
    least = min(least, h7);
    least = min(least, h8);
    least = min(least, h9);
    least = min(least, h10);
    least = min(least, h11);
    least = min(least, h12);
    least = min(least, h13);
    least = min(least, h14);
    least = min(least, h15);
    least = min(least, h16);
    least = min(least, h17);
    least = min(least, h18);
    least = min(least, h19);
    vec3 turned = q;
    if (folded) {
        turned += n0 * n17;
        turned += n1 * n16;
        turned += n2 * n15;
        turned += n3 * n14;
        turned += n4 * n13;
        turned += n5 * n12;
        turned += n6 * n11;
        turned += n7 * n10;
        turned += n8 * n9;
    } else {
        turned -= q * least;
    }
    turned = turned * 0.5 + n0;
    turned = turned * 0.5 + n1;
    turned = turned * 0.5 + n2;
    turned = turned * 0.5 + n3;
    turned = turned * 0.5 + n4;
    turned = turned * 0.5 + n5;
    turned = turned * 0.5 + n6;
    turned = turned * 0.5 + n7;
    turned = turned * 0.5 + n8;
    turned = turned * 0.5 + n9;
    turned = turned * 0.5 + n10;
    turned = turned * 0.5 + n11;
    turned = turned * 0.5 + n12;
    turned = turned * 0.5 + n13;
    turned = turned * 0.5 + n14;
    turned = turned * 0.5 + n15;
    turned = turned * 0.5 + n16;
    turned = turned * 0.5 + n17;
    gl_Position = p;
    color = vec4(turned, least);
}
