#version 450
in vec4 p; uniform sampler2D t; void main(){ gl_Position = texture(t, p.xy); }