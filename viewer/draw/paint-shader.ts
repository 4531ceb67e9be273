/**
 * The part of the skin's shader that is ours: marks painted on the rest shape, skin that varies from place to place, light that
 * seems to go a little way under it, and less light in creases.
 */
import { Color, type IUniform, Vector3, Vector4, type WebGLProgramParametersWithUniforms } from 'three';
import { MOST_MARKS, type Paint } from './paint.js';

type Uniforms = Readonly<Record<string, IUniform>>;

/** Length of the smallest spots of skin, in sizes of the body. */
const GRAIN = 0.008;

/** A paint as the shader reads it. `size`: of the body [m]; 0 leaves its skin even. */
export function paintUniforms({ marks, bands, cloth = false }: Paint, size: number): Uniforms {
  const fill = <One>(make: (mark: Paint['marks'][number] | undefined) => One): One[] =>
    Array.from({ length: MOST_MARKS }, (_, i) => make(marks[i]));
  const axis = new Vector3(Number(bands?.axis === 'x'), Number(bands?.axis === 'y'), Number(bands?.axis === 'z'));
  return {
    markCount: { value: Math.min(marks.length, MOST_MARKS) },
    markFrom: { value: fill((mark) => new Vector4(...(mark?.a ?? [0, 0, 0]), mark?.radius ?? 1)) },
    markTo: { value: fill((mark) => new Vector4(...(mark?.b ?? [0, 0, 0]), mark?.soft ?? 0.08)) },
    markColour: { value: fill((mark) => new Vector4(...new Color(mark?.colour).toArray(), mark?.strength ?? 1)) },
    markEdge: { value: fill((mark) => new Vector3(mark?.ragged ?? 0, mark?.gloss ?? -1, mark?.depth ?? 1)) },
    bandAxis: { value: new Vector4(axis.x, axis.y, axis.z, bands?.length ?? 0) },
    bandColour: { value: new Color(bands?.colour) },
    grain: { value: size > 0 ? 1 / (GRAIN * size) : 0 },
    woven: { value: Number(cloth) },
  };
}

/** Puts the paint into three's shader of a material. */
export function addPaint(shader: WebGLProgramParametersWithUniforms, uniforms: Uniforms): void {
  Object.assign(shader.uniforms, uniforms);
  const after = (code: string, place: string, more: string): string =>
    code.replace(`#include <${place}>`, `#include <${place}>\n${more}`);
  shader.vertexShader = after(
    `attribute vec3 rest;\nattribute float sky;\nvarying vec3 vRest;\nvarying float vSky;\n${shader.vertexShader}`,
    'begin_vertex',
    'vRest = rest;\nvSky = sky;',
  );
  let fragment = after(shader.fragmentShader, 'common', DECLARE);
  fragment = after(fragment, 'color_fragment', 'float gloss = paintSkin(diffuseColor.rgb);');
  fragment = after(fragment, 'roughnessmap_fragment', 'if (gloss >= 0.0) roughnessFactor = 1.0 - gloss;');
  fragment = after(fragment, 'normal_fragment_maps', 'normal = roughen(normal, gloss);');
  shader.fragmentShader = after(fragment, 'lights_fragment_end', LIGHT);
}

const DECLARE = /* glsl */ `
varying vec3 vRest;
varying float vSky;
uniform int markCount;
uniform vec4 markFrom[${MOST_MARKS}];
uniform vec4 markTo[${MOST_MARKS}];
uniform vec4 markColour[${MOST_MARKS}];
uniform vec3 markEdge[${MOST_MARKS}];
uniform vec4 bandAxis;
uniform vec3 bandColour;
uniform float grain;
uniform float woven;

vec3 scatter(vec3 p) {
  p = fract(p * vec3(0.1031, 0.1030, 0.0973));
  p += dot(p, p.yxz + 33.33);
  return fract((p.xxy + p.yxx) * p.zyx);
}

// Three smooth random numbers at a place, -0.5 to 0.5.
vec3 spots(vec3 p) {
  vec3 i = floor(p);
  vec3 f = fract(p);
  f = f * f * (3.0 - 2.0 * f);
  vec3 low = mix(mix(scatter(i), scatter(i + vec3(1, 0, 0)), f.x), mix(scatter(i + vec3(0, 1, 0)), scatter(i + vec3(1, 1, 0)), f.x), f.y);
  vec3 high = mix(mix(scatter(i + vec3(0, 0, 1)), scatter(i + vec3(1, 0, 1)), f.x), mix(scatter(i + vec3(0, 1, 1)), scatter(i + vec3(1)), f.x), f.y);
  return mix(low, high, f.z) - 0.5;
}

// Lays the marks on; how glossy the last one is, -1 for skin.
float paintSkin(inout vec3 colour) {
  float gloss = -1.0;
  if (grain == 0.0) return gloss;
  vec3 spot = spots(vRest * grain * 0.22);
  if (bandAxis.w > 0.0) {
    float along = dot(bandAxis.xyz, vRest) / bandAxis.w + 0.18 * spot.x;
    colour = mix(colour, bandColour, smoothstep(0.30, 0.36, abs(fract(along) - 0.5)));
  }
  colour *= 1.0 + vec3(0.08, 0.12, 0.11) * spot.y * (1.0 - woven);
  colour = mix(colour, colour * vec3(1.06, 0.86, 0.82), max(0.0, 1.6 * spot.z) * (1.0 - woven));
  float fringe = spots(vRest * grain * 0.9).x;
  for (int i = 0; i < markCount; i++) {
    vec3 way = markTo[i].xyz - markFrom[i].xyz;
    float share = clamp(dot(vRest - markFrom[i].xyz, way) / max(1e-9, dot(way, way)), 0.0, 1.0);
    vec3 off = vRest - markFrom[i].xyz - share * way;
    off.z *= markEdge[i].z;
    float away = length(off) / markFrom[i].w + markEdge[i].x * fringe;
    float blur = max(markTo[i].w, fwidth(away));
    float cover = (1.0 - smoothstep(1.0 - blur, 1.0, away)) * markColour[i].w;
    colour = mix(colour, markColour[i].rgb, cover);
    if (cover > 0.5) gloss = markEdge[i].y;
  }
  return gloss;
}

// Pores and wrinkles, or threads, as far as the eye can tell them apart.
vec3 roughen(vec3 normal, float gloss) {
  if (grain == 0.0 || gloss > 0.8) return normal;
  vec3 p = vRest * grain;
  float seen = 1.0 - smoothstep(0.25, 0.7, max(fwidth(p.x), max(fwidth(p.y), fwidth(p.z))));
  vec3 bump = woven > 0.5 ? 0.25 * sin(vRest.zxx * 900.0) : 0.16 * spots(p);
  return normalize(normal + seen * bump);
}
`;

/** What wraps around the edge of shadow comes out warm, as from skin; creases see less of the sky. */
const LIGHT = /* glsl */ `
#if NUM_DIR_LIGHTS > 0
  float lightCosine = dot(geometryNormal, directionalLights[0].direction);
  float wrapped = max(0.0, (lightCosine + 0.45) / 1.45) - max(0.0, lightCosine);
  reflectedLight.directDiffuse += wrapped * 0.22 * directionalLights[0].color * diffuseColor.rgb * vec3(1.0, 0.5, 0.38);
#endif
  reflectedLight.indirectDiffuse *= mix(vec3(1.0, 0.82, 0.76), vec3(1.0), vSky) * vSky;
  reflectedLight.indirectSpecular *= vSky;
  reflectedLight.directDiffuse *= mix(0.7, 1.0, vSky);
`;
