// example.shbin #0, for PICA200

struct Uniforms {
    float4 u_tint;
    float u_bias;
    int _end_pad_0;
    int _end_pad_1;
    int _end_pad_2;
};

struct FragmentOutput {
    float4 fragColor : SV_Target0;
};

cbuffer uniforms : register(b0) { Uniforms uniforms; }
Texture2D<float4> u_diffuse : register(t0, space1);
SamplerState nagaSamplerHeap[2048]: register(s0, space0);
SamplerComparisonState nagaComparisonSamplerHeap[2048]: register(s0, space1);
StructuredBuffer<uint> nagaGroup1SamplerIndexArray : register(t1, space255);
static const SamplerState u_diffuse_sampler = nagaSamplerHeap[nagaGroup1SamplerIndexArray[1]];
TextureCube<float4> u_sky : register(t2, space1);
static const SamplerState u_sky_sampler = nagaSamplerHeap[nagaGroup1SamplerIndexArray[3]];

struct FragmentInput_main {
    float2 v_uv_1 : LOC0;
    float3 v_normal_1 : LOC1;
    float4 v_shadow_1 : LOC2;
    float v_fog_1 : LOC3;
};

FragmentOutput ConstructFragmentOutput(float4 arg0) {
    FragmentOutput ret = (FragmentOutput)0;
    ret.fragColor = arg0;
    return ret;
}

FragmentOutput main(FragmentInput_main fragmentinput_main)
{
    float2 v_uv = fragmentinput_main.v_uv_1;
    float v_fog = fragmentinput_main.v_fog_1;
    float3 v_normal = fragmentinput_main.v_normal_1;
    float4 v_shadow = fragmentinput_main.v_shadow_1;

    float4 u_tint = uniforms.u_tint;
    float u_bias = uniforms.u_bias;
    float4 texel = u_diffuse.Sample(u_diffuse_sampler, v_uv);
    float4 base = texel * u_tint;
    if (base.w < 0.5) {
        discard;
    }
    float4 texel_1 = u_sky.Sample(u_sky_sampler, normalize(v_normal));
    if (0.0 < v_fog) {
        float4 texel_2 = u_diffuse.SampleBias(u_diffuse_sampler, v_uv, u_bias);
        base = base + texel_2;
    }
    float4 texel_3 = u_diffuse.Sample(u_diffuse_sampler, (v_shadow.xy / (v_shadow.w).xx));
    float4 fragColor = lerp(base, texel_1, (v_fog).xxxx) * texel_3;
    const FragmentOutput fragmentoutput = ConstructFragmentOutput(fragColor);
    return fragmentoutput;
}
