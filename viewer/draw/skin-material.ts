/** What flesh and bone look like: matt, with light that seems to go a little way under the skin. */
import { Color, MeshPhysicalMaterial } from 'three';
import type { BodyInfo } from '../worker/scene-info.js';
import { type Paint, paintOf } from './paint.js';
import { addPaint, paintUniforms } from './paint-shader.js';

/** Colours of flesh and of bones that come to the surface, as they are under white light. */
export const FLESH = new Color('#e6ad96');
export const BONE = new Color('#efe3cb');
/** Flesh of further bodies, so that those in a heap can be told apart. */
const TONES = [FLESH, ...['#dcb788', '#cf9388', '#9fb08a', '#8ca7b7', '#b395ae'].map((tone) => new Color(tone))];

/** Tone of the flesh of the n-th body. */
export function toneOf(n: number): Color {
  return TONES[n % TONES.length];
}

/** Colours of the surface of one of a scene's bodies: flesh of its own tone, the same in every lane, and bone. */
export function surfaceColours(bodies: readonly BodyInfo[], index: number): Float32Array {
  const { boneOfVertex, lane, vertexCount } = bodies[index];
  const before = bodies.slice(0, index).filter((body) => body.lane === lane).length;
  const { base } = paintOf(bodies[index].character);
  const flesh = base === undefined ? toneOf(before) : new Color(base);
  const out = new Float32Array(vertexCount * 3);
  for (let i = 0; i < vertexCount; i++) ((boneOfVertex?.[i] ?? -1) < 0 ? flesh : BONE).toArray(out, i * 3);
  return out;
}

/** The material of a body's surface; colours come from the vertices, and from what is painted on its rest shape. */
export function createSkinMaterial(paint: Paint = { marks: [] }, size = 0): MeshPhysicalMaterial {
  const cloth = paint.cloth === true;
  const material = new MeshPhysicalMaterial({
    vertexColors: true,
    roughness: cloth ? 0.42 : 0.55,
    metalness: 0,
    sheen: cloth ? 1 : 0.28,
    sheenRoughness: cloth ? 0.3 : 0.55,
    sheenColor: new Color(cloth ? '#ff8f9c' : '#ffb9a0'),
    specularIntensity: cloth ? 0.9 : 0.55,
  });
  const uniforms = paintUniforms(paint, size);
  material.onBeforeCompile = (shader) => addPaint(shader, uniforms);
  return material;
}

/** Lets the bones inside be seen, or not. */
export function setSeeThrough(material: MeshPhysicalMaterial, seeThrough: boolean): void {
  material.transparent = seeThrough;
  material.opacity = seeThrough ? 0.32 : 1;
  material.depthWrite = !seeThrough;
  // Bones that reach the surface lie exactly in it: let the skin win, everywhere.
  material.polygonOffset = seeThrough;
  material.polygonOffsetFactor = material.polygonOffsetUnits = -1;
  material.needsUpdate = true;
}
