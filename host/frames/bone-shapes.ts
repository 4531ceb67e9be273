/**
 * Bones as solids for the overlay, about their centres of mass: the surface of the tets that lie wholly inside a bone, or,
 * for a character, the pointed shape animation programs draw from a bone's place to its tip.
 */
import type { Model } from '../../src/body/model.js';
import type { BoneInfo } from '../../src/character/character.js';
import { extractSurface } from '../../src/mesh/surface/surface.js';
import type { BoneShape } from './body-info.js';

/** One solid per bone; empty where its vertices enclose no tet. */
export function buildBoneShapes(model: Model): BoneShape[] {
  const { bones, tets } = model;
  const tetsOfBone: number[][] = bones.names.map(() => []);
  for (let tet = 0; tet < tets.length; tet += 4) {
    const bone = bones.ofVertex[tets[tet]];
    if (bone < 0) continue;
    const corners = tets.subarray(tet, tet + 4);
    if (corners.every((vertex) => bones.ofVertex[vertex] === bone)) tetsOfBone[bone].push(...corners);
  }
  return bones.names.map((name, bone) => {
    const surface = extractSurface({ positions: model.positions, tets: Int32Array.from(tetsOfBone[bone]) });
    const positions = new Float32Array(surface.vertices.length * 3);
    surface.vertices.forEach((vertex, i) => {
      for (let k = 0; k < 3; k++) positions[i * 3 + k] = model.positions[vertex * 3 + k] - bones.centre[bone * 3 + k];
    });
    const kinematic = bones.kinematic[bone] === 1;
    return { name, positions, triangles: Uint32Array.from(surface.triangles), kinematic };
  });
}

/** Thickest part of a pointed bone: how far along it is, and how thick, both as a share of its length. */
const COLLAR_AT = 0.2;
const COLLAR_WIDTH = 0.1;

/** One pointed solid per bone of a skeleton; `model` is its body's. */
export function buildPointedBones(skeleton: readonly BoneInfo[], model: Pick<Model, 'bones'>): BoneShape[] {
  return skeleton.map(({ name, place, tip }, bone) => {
    const along = tip.map((value, k) => value - place[k]);
    const length = Math.hypot(along[0], along[1], along[2]) || 1e-3;
    const axis = along.map((value) => value / length);
    // any direction across will do: the one farthest from the axis
    const least = axis.reduce((best, value, k) => (Math.abs(value) < Math.abs(axis[best]) ? k : best), 0);
    const aside = cross(
      axis,
      [0, 1, 2].map((k) => (k === least ? 1 : 0)),
    );
    const norm = Math.hypot(aside[0], aside[1], aside[2]);
    const u = aside.map((value) => value / norm);
    const v = cross(axis, u);
    const corner = (s: number, a: number, b: number): number[] =>
      place.map((value, k) => {
        return value + length * (s * axis[k] + a * u[k] + b * v[k]) - model.bones.centre[3 * bone + k];
      });
    const w = COLLAR_WIDTH;
    const corners = [
      corner(0, 0, 0),
      corner(COLLAR_AT, w, 0),
      corner(COLLAR_AT, 0, w),
      corner(COLLAR_AT, -w, 0),
      corner(COLLAR_AT, 0, -w),
      corner(1, 0, 0),
    ];
    const kinematic = model.bones.kinematic[bone] === 1;
    return { name, positions: Float32Array.from(corners.flat()), triangles: Uint32Array.from(POINTED), kinematic };
  });
}

/** Triangles of the pointed solid: four around the place, four around the tip, seen counter-clockwise from outside. */
const POINTED = [0, 2, 1, 0, 3, 2, 0, 4, 3, 0, 1, 4, 5, 1, 2, 5, 2, 3, 5, 3, 4, 5, 4, 1];

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
