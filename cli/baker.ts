/** Bakes a running world to files: one picture of it per frame, in as many formats as are wanted. */
import type { Character } from '../src/character/character.js';
import { SkinUpdater } from '../src/character/skin-updater.js';
import { contactPoint, readJointForce, type World } from '../src/index.js';
import type { BakeFormat, BakeFrame, BakeInfo } from '../src/record/bake-format.js';
import { findBakeFormat } from '../src/record/formats.js';
import { SafeFile } from './safe-file.js';
import { writeOutput } from './write-file.js';

/** Digits in the numbers of a sequence's files. */
const DIGITS = 4;

interface Output {
  readonly path: string;
  readonly format: BakeFormat;
  readonly file: SafeFile | undefined;
}

/** Writes the frames of one run. */
export class Baker {
  readonly info: BakeInfo;
  readonly #world: World;
  readonly #skin: SkinUpdater | undefined;
  readonly #positions: Float64Array;
  readonly #outputs: readonly Output[];
  readonly #times: number[] = [];

  /** `character`: its skin is baked, in the order of the file it came from; without one, the outsides of all bodies. */
  constructor(world: World, paths: readonly string[], fps: number, firstFrame: number, character?: Character) {
    this.#world = world;
    this.#skin = character && new SkinUpdater(character);
    const surfaces = world.bodies.map(({ model }) => model.surface);
    const starts = surfaces.map((_, i) => surfaces.slice(0, i).reduce((sum, one) => sum + one.vertices.length, 0));
    const vertexCount = this.#skin
      ? this.#skin.positions.length / 3
      : surfaces.reduce((sum, { vertices }) => sum + vertices.length, 0);
    this.#positions = new Float64Array(3 * vertexCount);
    this.info = {
      name: world.name,
      fps,
      firstFrame,
      vertexCount,
      triangles:
        character?.skin.triangles ??
        surfaces.flatMap(({ triangles }, i) => Array.from(triangles, (v) => v + starts[i])),
      bones: world.bodies.flatMap(({ name, model }) => model.bones.names.map((bone) => ({ body: name, bone }))),
      joints: world.bodies.flatMap(({ name, model }) => model.joints.names.map((joint) => ({ body: name, joint }))),
    };
    const formats = paths.map((path) => ({ path, format: findBakeFormat(path) }));
    this.#outputs = formats.map(({ path, format }) => ({
      path,
      format,
      file: format.kind === 'stream' ? new SafeFile(path) : undefined,
    }));
  }

  /** Frames so far. */
  get count(): number {
    return this.#times.length;
  }

  /** Bakes the world as it is now. */
  add(): void {
    const frame = this.#read();
    const index = this.#times.push(frame.time) - 1;
    for (const { path, format, file } of this.#outputs) {
      if (format.kind === 'stream') file?.append(format.frame(this.info, frame, index));
      else writeOutput(numbered(path, this.info.firstFrame + index), format.file(this.info, frame));
    }
  }

  /** Gives every file its name, with the frames there are. */
  finish(): string[] {
    return this.#outputs.map(({ path, format, file }) => {
      if (format.kind === 'stream') file?.finish(format.header(this.info, this.#times), format.footer(this.info));
      if (format.kind === 'stream') return path;
      const { firstFrame } = this.info;
      return `${numbered(path, firstFrame)} ... ${numbered(path, firstFrame + this.count - 1)}`;
    });
  }

  /** Leaves no file behind but those of sequences that are complete in themselves. */
  abandon(): void {
    for (const { file } of this.#outputs) file?.abandon();
  }

  #read(): BakeFrame {
    const { bodies, contacts, time } = this.#world;
    if (this.#skin) {
      this.#skin.update(bodies[0].state.positions);
      this.#positions.set(this.#skin.positions);
    } else {
      let at = 0;
      for (const { model, state } of bodies) {
        for (const vertex of model.surface.vertices) {
          for (let k = 0; k < 3; k++) this.#positions[at++] = state.positions[vertex * 3 + k];
        }
      }
    }
    const pushing: number[] = [];
    for (let c = 0; c < contacts.count; c++) {
      const force = contacts.force.subarray(c * 3, c * 3 + 3);
      if (force.some((value) => value !== 0)) pushing.push(...contactPoint(this.#world, c), ...force);
    }
    return {
      time,
      positions: this.#positions,
      poses: bodies.flatMap(({ model, state: { poses } }) =>
        model.bones.names.flatMap((_, bone) => [
          ...poses.quats.subarray(bone * 4, bone * 4 + 4),
          ...poses.translations.subarray(bone * 3, bone * 3 + 3),
        ]),
      ),
      jointForces: bodies.flatMap((body) =>
        body.model.joints.names.flatMap((joint) => [...readJointForce(body, joint)]),
      ),
      contacts: pushing,
    };
  }
}

/** walk.obj, frame 7 -> walk.0007.obj */
export function numbered(path: string, frame: number): string {
  const dot = path.lastIndexOf('.');
  return `${path.slice(0, dot)}.${String(frame).padStart(DIGITS, '0')}${path.slice(dot)}`;
}
