/** Writes what a picture shows of one body, between the last two steps: its surface, its bones, and a ball around it. */
import type { Character } from '../src/character/character.js';
import type { WorldBody } from '../src/world/world.js';
import { buildBoneShapes, buildPointedBones } from './bone-shapes.js';
import { type BodyLayout, POSE } from './frame-layout.js';
import type { BodyInfo } from './protocol.js';
import { buildRenderMesh, writeSurface } from './render-mesh.js';
import { SkinSurface } from './skin-surface.js';

/** Draws one body into pictures. */
export class BodyFrames {
  readonly info: BodyInfo;
  readonly #body: WorldBody;
  readonly #write: SkinSurface['write'];
  readonly #positionsBefore: Float64Array;
  readonly #quatsBefore: Float64Array;
  readonly #translationsBefore: Float64Array;

  /** `character` gives the skin to show; without it the surface of the body itself is shown. */
  constructor(body: WorldBody, character?: Character) {
    this.#body = body;
    const { model, state } = body;
    this.#positionsBefore = state.positions.slice();
    this.#quatsBefore = state.poses.quats.slice();
    this.#translationsBefore = state.poses.translations.slice();
    if (character) {
      const skin = new SkinSurface(character.skin, character.embedding, model);
      const { vertexCount, triangles, groups, uvs } = skin;
      // where bones are imitated by flesh the model has none
      const bones = model.bones.count > 0 ? buildPointedBones(character.skeleton, model) : [];
      this.info = { name: body.name, vertexCount, triangles, groups, uvs, bones };
      this.#write = skin.write.bind(skin);
      return;
    }
    const mesh = buildRenderMesh(model);
    const { vertexCount, triangles, boneOfVertex } = mesh;
    const groups = [{ start: 0, count: triangles.length }];
    const bones = buildBoneShapes(model);
    this.info = { name: body.name, vertexCount, triangles, groups, uvs: [], boneOfVertex, bones };
    this.#write = (before, after, phase, out, positionsAt, normalsAt) => {
      writeSurface(mesh, before, after, phase, out, positionsAt, normalsAt);
    };
  }

  /** Keeps the state before a step. */
  remember(): void {
    const { positions, poses } = this.#body.state;
    this.#positionsBefore.set(positions);
    this.#quatsBefore.set(poses.quats);
    this.#translationsBefore.set(poses.translations);
  }

  /** Writes the body as it is `phase` of the way from the state before the last step to the one after it. */
  write(out: Float32Array, layout: BodyLayout, phase: number): void {
    const { positions } = this.#body.state;
    this.#write(this.#positionsBefore, positions, phase, out, layout.positions, layout.normals);
    this.#writePoses(out, layout.poses, phase);
    writeBall(out, layout.positions, layout.positions + 3 * this.info.vertexCount, layout.ball);
  }

  #writePoses(out: Float32Array, at: number, phase: number): void {
    const { quats, translations } = this.#body.state.poses;
    for (let bone = 0; bone < this.info.bones.length; bone++) {
      const o = at + bone * POSE;
      blendQuats(this.#quatsBefore, quats, bone * 4, phase, out, o);
      for (let k = 0; k < 3; k++) {
        const from = this.#translationsBefore[bone * 3 + k];
        out[o + 4 + k] = from + phase * (translations[bone * 3 + k] - from);
      }
    }
  }
}

/** The unit quaternion `phase` of the way from a[i..i+4) to b[i..i+4), the short way around, at out[o..o+4). */
export function blendQuats(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  i: number,
  phase: number,
  out: Float32Array,
  o: number,
): void {
  let dot = 0;
  for (let k = i; k < i + 4; k++) dot += a[k] * b[k];
  const towards = dot < 0 ? -phase : phase;
  let square = 0;
  for (let k = 0; k < 4; k++) {
    out[o + k] = (1 - phase) * a[i + k] + towards * b[i + k];
    square += out[o + k] * out[o + k];
  }
  const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
  for (let k = 0; k < 4; k++) out[o + k] *= scale;
}

/** Middle and radius of a ball around the points from `start` to `end`, from the box around them. */
function writeBall(out: Float32Array, start: number, end: number, at: number): void {
  let square = 0;
  for (let k = 0; k < 3; k++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = start + k; i < end; i += 3) {
      const value = out[i];
      if (value < low) low = value;
      if (value > high) high = value;
    }
    out[at + k] = (low + high) / 2;
    square += (high - low) * (high - low);
  }
  out[at + 3] = Math.sqrt(square) / 2;
}
