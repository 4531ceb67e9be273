/** What flesh and bone look like: matt, with light that seems to go a little way under the skin. */
import { Color, MeshPhysicalMaterial } from 'three';
import type { BodyInfo } from '../worker/scene-info.js';

/** Colours of flesh and of bones that come to the surface, as they are under white light. */
export const FLESH = new Color('#e6ad96');
export const BONE = new Color('#efe3cb');
/** Flesh of further bodies, so that those in a heap can be told apart. */
const TONES = [FLESH, ...['#dcb788', '#cf9388', '#9fb08a', '#8ca7b7', '#b395ae'].map((tone) => new Color(tone))];

/** Colours of the surface of one of a scene's bodies: flesh of its own tone, the same in every lane, and bone. */
export function surfaceColours(bodies: readonly BodyInfo[], index: number): Float32Array {
  const { boneOfVertex, lane, vertexCount } = bodies[index];
  const before = bodies.slice(0, index).filter((body) => body.lane === lane).length;
  const flesh = TONES[before % TONES.length];
  const out = new Float32Array(vertexCount * 3);
  for (let i = 0; i < vertexCount; i++) ((boneOfVertex?.[i] ?? -1) < 0 ? flesh : BONE).toArray(out, i * 3);
  return out;
}

/**
 * Light wraps around the edge of shadow and comes out warm there, as from skin: what a light at an angle beyond 90°
 * adds. A cheap stand-in for scattering, added to the first light only.
 */
const SCATTER = /* glsl */ `
#if NUM_DIR_LIGHTS > 0
  float lightCosine = dot(geometryNormal, directionalLights[0].direction);
  float wrapped = max(0.0, (lightCosine + 0.45) / 1.45) - max(0.0, lightCosine);
  reflectedLight.directDiffuse += wrapped * 0.2 * directionalLights[0].color * diffuseColor.rgb * vec3(1.0, 0.5, 0.38);
#endif
`;

/** The material of a body's surface; colours come from the vertices. */
export function createSkinMaterial(): MeshPhysicalMaterial {
  const material = new MeshPhysicalMaterial({
    vertexColors: true,
    roughness: 0.58,
    metalness: 0,
    sheen: 0.5,
    sheenRoughness: 0.55,
    sheenColor: new Color('#ffb9a0'),
    specularIntensity: 0.55,
  });
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
      '#include <lights_fragment_end>',
      `#include <lights_fragment_end>\n${SCATTER}`,
    );
  };
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
