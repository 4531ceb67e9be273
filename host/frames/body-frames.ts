/** Writes what a picture shows of one body, between the last two steps: its surface, its bones, and what is inside. */
import type { BoneInfo } from '../../src/character/character.js';
import type { ProjectiveState } from '../../src/solvers/projective/projective-state.js';
import type { WorldBody } from '../../src/world/world.js';
import { ActivationMeter } from './activation-meter.js';
import { blendQuats } from './blend.js';
import type { BodyInfo } from './body-info.js';
import { buildBoneShapes, buildPointedBones } from './bone-shapes.js';
import { type DrawnSurface, MeshSurface } from './drawn-surface.js';
import { type BodyLayout, POSE } from './frame-layout.js';
import { buildLimitLines } from './limit-lines.js';
import { ledBones, writeGhosts } from './motor-ghosts.js';
import { NO_SURFACE, partShapes } from './part-shapes.js';
import { SkinSurface, type WornSkin } from './skin-surface.js';
import { StrainMeter } from './strain.js';

/** How a body is shown; without anything its own surface is. */
export interface BodyLook {
  /** The skin it wears. */
  readonly worn?: WornSkin;
  /** Bones are drawn pointed from joint to joint instead of as the solids they are. */
  readonly skeleton?: readonly BoneInfo[];
  /** Mesh, strain and joints come along too. */
  readonly inside?: boolean;
  /** A rigid body is drawn by the poses of its parts, without a surface of its own. */
  readonly parts?: boolean;
}

/** Draws one body into pictures. */
export class BodyFrames {
  readonly info: BodyInfo;
  readonly #body: WorldBody;
  readonly #surface: DrawnSurface;
  #meter: StrainMeter | undefined;
  #works: ActivationMeter | undefined;
  readonly #positionsBefore: Float64Array;
  readonly #quatsBefore: Float64Array;
  readonly #translationsBefore: Float64Array;

  constructor(body: WorldBody, { worn, skeleton, inside = false, parts = false }: BodyLook = {}) {
    this.#body = body;
    const { model, state } = body;
    this.#positionsBefore = state.positions.slice();
    this.#quatsBefore = state.poses.quats.slice();
    this.#translationsBefore = state.poses.translations.slice();
    const inParts = parts && model.kind === 'rigid';
    if (inParts) this.#surface = NO_SURFACE;
    else this.#surface = worn ? new SkinSurface(worn, model, inside) : new MeshSurface(model);
    // where bones are imitated by flesh the model has none
    const pointed = skeleton && model.bones.count > 0;
    const { edges, cageCount, rest, ...info } = this.#surface.info;
    const limits = inside ? buildLimitLines(model, ('joints' in body.def && body.def.joints) || []) : [];
    this.info = {
      ...info,
      name: body.name,
      bones: inParts ? partShapes(model) : pointed ? buildPointedBones(skeleton, model) : buildBoneShapes(model),
      ...(inParts && { isInParts: true }),
      ...(model.kind === 'cloth' && { isSheet: true }),
      ...(inside && { inside: { edges, cageCount, rest, limits, ...partsInside(model) } }),
    };
  }

  /** How far the skin's morph targets are on; undefined where it has none. */
  get morphs(): DrawnSurface['morphs'] {
    return this.#surface.morphs;
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
    this.#surface.write(this.#positionsBefore, this.#body.state.positions, phase, out, layout);
    this.#writePoses(out, layout.poses, phase);
    if (this.info.isInParts) this.#writePartsBall(out, layout);
    else writeBall(out, layout.positions, layout.positions + 3 * this.info.vertexCount, layout.ball);
    if (!this.info.inside) return;
    this.#writeJoints(out, layout);
    writeGhosts(this.#body.model, this.#body.state, out, layout.ghosts);
  }

  /** Writes how much the flesh is deformed. */
  writeStrain(out: Float32Array, layout: BodyLayout): void {
    this.#meter ??= new StrainMeter(this.#body.model);
    this.#surface.spread(this.#meter.measure(this.#body.state.positions), out, layout.strain);
  }

  /** Writes how hard the muscles in the flesh work. */
  writeActivation(out: Float32Array, layout: BodyLayout): void {
    const { activations = [] } = this.#body.state as Partial<ProjectiveState>;
    this.#works ??= new ActivationMeter(this.#body.model);
    this.#surface.spread(this.#works.measure(activations), out, layout.strain);
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

  /** A ball around all parts: from the first one as far as the body is long. */
  #writePartsBall(out: Float32Array, layout: BodyLayout): void {
    for (let k = 0; k < 3; k++) out[layout.ball + k] = out[layout.poses + 4 + k];
    out[layout.ball + 3] = this.#body.model.size;
  }

  /** Anchors follow the poses just written: p = t + q a q*. */
  #writeJoints(out: Float32Array, layout: BodyLayout): void {
    const { joints } = this.#body.model;
    for (let pair = 0; pair < joints.count; pair++) {
      const pose = layout.poses + joints.boneA[pair] * POSE;
      const [qx, qy, qz, qw, tx, ty, tz] = out.subarray(pose, pose + POSE);
      const [x, y, z] = joints.anchorA.subarray(pair * 3, pair * 3 + 3);
      const [cx, cy, cz] = [2 * (qy * z - qz * y), 2 * (qz * x - qx * z), 2 * (qx * y - qy * x)];
      out[layout.joints + pair * 3] = tx + x + qw * cx + qy * cz - qz * cy;
      out[layout.joints + pair * 3 + 1] = ty + y + qw * cy + qz * cx - qx * cz;
      out[layout.joints + pair * 3 + 2] = tz + z + qw * cz + qx * cy - qy * cx;
    }
  }
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

function partsInside(model: WorldBody['model']) {
  const hasFibres = (model.muscles?.fibreTet.length ?? 0) > 0;
  return { jointCount: model.joints.count, led: ledBones(model), hasFibres };
}
