/** Records what is simulated as an animated `.glb`, a point cache, a table or pictures: the worker collects the states, the file is written here. */
import type { BufferGeometry } from 'three';
import type { TakeWithForces } from '../../src/record/take.js';
import type { SavedEnding } from '../worker/protocol.js';
import type { Frame, Recording, SceneInfo } from '../worker/scene-info.js';
import { type DrawnObstacle, takeOf } from './recorded-take.js';
import type { RecorderActions } from './recorder.js';
import { saveFile } from './save-file.js';

/** What the recorder needs from the rest of the page. */
export interface MotionHost extends RecorderActions {
  /** Lets the worker begin or end. */
  record(on: boolean): void;
  /** What a recording is saved as. */
  ending(): SavedEnding;
  /** Pictures take a while; `share` of them is drawn. */
  drawing(share: number): void;
  obstacles(): readonly { readonly index: number; readonly geometry: BufferGeometry }[];
}

/** One recording at a time. */
export class MotionRecorder {
  readonly #host: MotionHost;
  #recording = false;
  #isDrawing = false;

  constructor(host: MotionHost) {
    this.#host = host;
  }

  /** Whether pictures are being drawn, and said to be. */
  get isDrawing(): boolean {
    return this.#isDrawing;
  }

  /** Starts, or stops and saves. */
  toggle(): void {
    this.#set(!this.#recording);
    this.#host.record(this.#recording);
  }

  /** Ends by itself once no more states fit. */
  follow({ recorded }: Frame): void {
    if (this.#recording && recorded && recorded.count >= recorded.room) this.toggle();
  }

  /** The scene is another one: what was recorded of the last is gone. */
  drop(): void {
    if (this.#recording) this.#set(false);
  }

  async save(recording: Recording, info: SceneInfo): Promise<void> {
    // never the name of the file that was dropped
    const ending = this.#host.ending();
    const plain = `${info.name.replace(/\.[^.]*$/, '')}-motion`;
    try {
      const take = takeOf(info, recording, this.#host.obstacles().map(shapeOf));
      const { name, bytes } = await together(await this.#write(take, ending, plain), `${plain}-${ending}.zip`);
      const type = ending === 'glb' ? 'model/gltf-binary' : 'application/octet-stream';
      saveFile(new Blob([bytes], { type }), name);
      this.#host.saved(name);
    } catch (error) {
      this.#host.failed(
        `${plain}.${ending} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  async #write(take: TakeWithForces, ending: SavedEnding, name: string) {
    // The writers are only fetched by pages that need them.
    const { bakeTake, bakeTakeFiles } = await import('../../src/record/bake-take.js');
    if (ending !== 'png') return bakeTakeFiles(take, ending, name);
    const { drawFrames } = await import('./draw-frames.js');
    this.#isDrawing = true;
    try {
      return await drawFrames(await bakeTake(take, 'glb'), take.times, name, (share) => this.#host.drawing(share));
    } finally {
      this.#isDrawing = false;
    }
  }

  #set(recording: boolean): void {
    this.#recording = recording;
    this.#host.changed(recording);
  }
}

/** The file itself where it is one, else all of them in an archive of that name. */
async function together(files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>, archive: string) {
  const [[name, bytes]] = files;
  if (files.size === 1) return { name, bytes };
  const { zipSync } = await import('three/addons/libs/fflate.module.js');
  return { name: archive, bytes: zipSync(Object.fromEntries(files)) as Uint8Array<ArrayBuffer> };
}

function shapeOf({ index, geometry }: { readonly index: number; readonly geometry: BufferGeometry }): DrawnObstacle {
  const corners = geometry.getIndex();
  return {
    index,
    positions: Float32Array.from(geometry.getAttribute('position').array),
    triangles: corners ? Uint32Array.from(corners.array) : undefined,
  };
}
