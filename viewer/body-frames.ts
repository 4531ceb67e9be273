/** Writes what a frame shows of one body: its surface, its bones and its joints, between the last two steps. */
import type { WorldBody } from '../src/index.js';
import { buildBoneShapes } from './bone-shapes.js';
import { type DrawnSurface, MeshSurface } from './drawn-surface.js';
import type { WornSkin } from './fine-skins.js';
import type { BodyLayout } from './frame-layout.js';
import type { BodyInfo } from './scene-info.js';
import { canCarry, SkinSurface } from './skin-surface.js';
import { StrainMeter } from './strain.js';

/** Draws one body into frames. */
export class BodyFrames {
  readonly info: BodyInfo;
  readonly #body: WorldBody;
  readonly #surface: DrawnSurface;
  #meter: StrainMeter | undefined;
  readonly #positionsBefore: Float64Array;
  readonly #quatsBefore: Float64Array;
  readonly #translationsBefore: Float64Array;

  constructor(body: WorldBody, lane: number, worn?: WornSkin) {
    this.#body = body;
    this.#surface =
      worn && canCarry(body.model, worn) ? new SkinSurface(body.model, worn) : new MeshSurface(body.model);
    this.#positionsBefore = body.state.positions.slice();
    this.#quatsBefore = body.state.poses.quats.slice();
    this.#translationsBefore = body.state.poses.translations.slice();
    this.info = {
      ...this.#surface.info,
      name: body.name,
      lane,
      bones: buildBoneShapes(body.model),
      jointCount: body.model.joints.count,
    };
  }

  /** Keeps the state before a step. */
  remember(): void {
    this.#positionsBefore.set(this.#body.state.positions);
    this.#quatsBefore.set(this.#body.state.poses.quats);
    this.#translationsBefore.set(this.#body.state.poses.translations);
  }

  /** Writes the body as it is `phase` of the way from the state before the last step to the one after it. */
  write(out: Float32Array, layout: BodyLayout, phase: number): void {
    const { state } = this.#body;
    this.#surface.write(this.#positionsBefore, state.positions, phase, out, layout);
    this.#writePoses(out, layout.poses, phase);
    this.#writeJoints(out, layout);
  }

  /** Writes how much the flesh is deformed. */
  writeStrain(out: Float32Array, layout: BodyLayout): void {
    this.#meter ??= new StrainMeter(this.#body.model);
    this.#surface.spread(this.#meter.measure(this.#body.state.positions), out, layout.strain);
  }

  #writePoses(out: Float32Array, at: number, phase: number): void {
    const { quats, translations } = this.#body.state.poses;
    for (let bone = 0; bone < this.#body.model.bones.count; bone++) {
      let dot = 0;
      for (let k = bone * 4; k < bone * 4 + 4; k++) dot += quats[k] * this.#quatsBefore[k];
      // A quaternion and its negative are the same turn: go the short way.
      const towards = dot < 0 ? -phase : phase;
      const o = at + bone * 7;
      let square = 0;
      for (let k = 0; k < 4; k++) {
        out[o + k] = (1 - phase) * this.#quatsBefore[bone * 4 + k] + towards * quats[bone * 4 + k];
        square += out[o + k] * out[o + k];
      }
      const scale = 1 / Math.sqrt(square);
      for (let k = 0; k < 4; k++) out[o + k] *= scale;
      for (let k = 0; k < 3; k++) {
        const from = this.#translationsBefore[bone * 3 + k];
        out[o + 4 + k] = from + phase * (translations[bone * 3 + k] - from);
      }
    }
  }

  /** Anchors follow the poses just written: p = t + q a q*. */
  #writeJoints(out: Float32Array, layout: BodyLayout): void {
    const { joints } = this.#body.model;
    for (let pair = 0; pair < joints.count; pair++) {
      const pose = layout.poses + joints.boneA[pair] * 7;
      const [qx, qy, qz, qw, tx, ty, tz] = out.subarray(pose, pose + 7);
      const [x, y, z] = joints.anchorA.subarray(pair * 3, pair * 3 + 3);
      const [cx, cy, cz] = [2 * (qy * z - qz * y), 2 * (qz * x - qx * z), 2 * (qx * y - qy * x)];
      out[layout.joints + pair * 3] = tx + x + qw * cx + qy * cz - qz * cy;
      out[layout.joints + pair * 3 + 1] = ty + y + qw * cy + qz * cx - qx * cz;
      out[layout.joints + pair * 3 + 2] = tz + z + qw * cz + qx * cy - qy * cx;
    }
  }
}
