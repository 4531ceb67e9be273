/** Bakes a running world to files: one picture of it per frame, in as many formats as are wanted. */
import { namesOfJoints, readContactForces, readJointForces } from '../host/frames/read-forces.js';
import type { Character } from '../src/character/character.js';
import { SkinUpdater } from '../src/character/skin-updater.js';
import type { World } from '../src/index.js';
import { partsOf } from '../src/record/bake-parts.js';
import type { BakeFormat, BakeFrame, BakeInfo, KeptFrame, WholeOptions } from '../src/record/formats/bake-format.js';
import { findBakeFormat } from '../src/record/formats/formats.js';
import { numbered } from '../src/record/formats/numbered.js';
import { writeBakeGlb } from '../src/record/glb/write-bake-glb.js';
import { SafeFile } from './files/safe-file.js';
import { writeOutput } from './files/write-file.js';
import { drawFilm, isFilm } from './film/film.js';

interface Output {
  readonly path: string;
  readonly format: BakeFormat;
  readonly file: SafeFile | undefined;
}

/** How formats that look at all frames write them. */
export interface BakeOptions extends WholeOptions {
  /** Of pictures and films [pixels]. */
  readonly size: readonly [number, number];
}

/** Writes the frames of one run. */
export class Baker {
  readonly info: BakeInfo;
  readonly #world: World;
  readonly #skin: SkinUpdater | undefined;
  readonly #positions: Float64Array;
  readonly #outputs: readonly Output[];
  readonly #times: number[] = [];
  readonly #options: BakeOptions;
  readonly #films: readonly string[];
  readonly #obstacles: readonly number[];
  /** Only where a format needs all frames at the end. */
  readonly #kept: KeptFrame[] | undefined;

  /** `character`: its skin is baked, in the order of the file it came from; without one, the outsides of all bodies. */
  constructor(
    world: World,
    paths: readonly string[],
    fps: number,
    firstFrame: number,
    character?: Character,
    options: BakeOptions = { size: [1280, 720] },
  ) {
    this.#world = world;
    this.#options = options;
    this.#films = paths.filter(isFilm);
    this.#obstacles = world.obstacles.defs.flatMap((_, i) => (world.obstacles.has(i) ? [i] : []));
    this.#skin = character && new SkinUpdater(character);
    const { parts, triangles } = partsOf(world.bodies, character);
    const vertexCount = parts.reduce((sum, part) => sum + part.vertexCount, 0);
    this.#positions = new Float64Array(3 * vertexCount);
    this.info = {
      name: world.name,
      fps,
      firstFrame,
      vertexCount,
      triangles,
      bones: world.bodies.flatMap(({ name, model }) => model.bones.names.map((bone) => ({ body: name, bone }))),
      joints: namesOfJoints(world),
      parts,
      centres: world.bodies.flatMap(({ model: { bones } }) => [...bones.centre.subarray(0, 3 * bones.count)]),
      obstacles: this.#obstacles.map((i) => world.obstacles.defs[i]),
      ...(character && { character }),
    };
    const formats = paths.filter((path) => !isFilm(path)).map((path) => ({ path, format: findBakeFormat(path) }));
    this.#outputs = formats.map(({ path, format }) => ({
      path,
      format,
      file: format.kind === 'stream' ? new SafeFile(path) : undefined,
    }));
    if (formats.some(({ format }) => format.kind === 'whole') || this.#films.length > 0) this.#kept = [];
  }

  /** Frames so far. */
  get count(): number {
    return this.#times.length;
  }

  /** Bakes the world as it is now. */
  add(): void {
    const frame = this.#read();
    const index = this.#times.push(frame.time) - 1;
    this.#kept?.push({
      time: frame.time,
      positions: Float32Array.from(frame.positions),
      poses: Float32Array.from(frame.poses),
      obstacles: Float32Array.from(frame.obstacles),
    });
    for (const { path, format, file } of this.#outputs) {
      if (format.kind === 'stream') file?.append(format.frame(this.info, frame, index));
      else if (format.kind === 'sequence')
        writeOutput(numbered(path, this.info.firstFrame + index), format.file(this.info, frame));
    }
  }

  /** Gives every file its name, with the frames there are; what to say about each. */
  async finish(): Promise<string[]> {
    const said: string[] = [];
    for (const { path, format, file } of this.#outputs) said.push(await this.#finish(path, format, file));
    if (this.#films.length > 0) said.push(...(await this.#draw()));
    return said;
  }

  /** Leaves no file behind but those of sequences that are complete in themselves. */
  abandon(): void {
    for (const { file } of this.#outputs) file?.abandon();
  }

  async #finish(path: string, format: BakeFormat, file: SafeFile | undefined): Promise<string> {
    if (format.kind === 'stream') {
      file?.finish(format.header(this.info, this.#times), format.footer(this.info));
      return path;
    }
    if (format.kind === 'whole') {
      const { bytes, note } = await format.file(this.info, this.#kept!, this.#options);
      writeOutput(path, bytes);
      return `${path} (${(bytes.length / 1e6).toFixed(2)} MB, ${note})`;
    }
    return this.#sequence(path);
  }

  async #draw(): Promise<string[]> {
    const kept = this.#kept!;
    const { bytes } = await writeBakeGlb(this.info, kept);
    await drawFilm({
      paths: this.#films,
      glb: bytes,
      times: kept.map(({ time }) => time - kept[0].time),
      fps: this.info.fps,
      size: this.#options.size,
      pictureName: (path, index) => numbered(path, this.info.firstFrame + index),
    });
    return this.#films.map((path) => (path.toLowerCase().endsWith('.png') ? this.#sequence(path) : path));
  }

  #sequence(path: string): string {
    const { firstFrame } = this.info;
    return `${numbered(path, firstFrame)} ... ${numbered(path, firstFrame + this.count - 1)}`;
  }

  #read(): BakeFrame {
    const { bodies, time } = this.#world;
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
    return {
      time,
      positions: this.#positions,
      poses: bodies.flatMap(({ model, state: { poses } }) =>
        model.bones.names.flatMap((_, bone) => [
          ...poses.quats.subarray(bone * 4, bone * 4 + 4),
          ...poses.translations.subarray(bone * 3, bone * 3 + 3),
        ]),
      ),
      jointForces: readJointForces(this.#world),
      contacts: readContactForces(this.#world),
      obstacles: this.#obstacles.flatMap((i) => [...this.#world.obstacles.poses.subarray(7 * i, 7 * i + 7)]),
    };
  }
}
