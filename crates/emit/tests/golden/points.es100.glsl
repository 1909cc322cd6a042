#version 100
// example.shbin #0, for PICA200

precision mediump float;

uniform sampler2D u_sprite;

void main() {
    gl_FragColor = texture2D(u_sprite, gl_PointCoord);
}
