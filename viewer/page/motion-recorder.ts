/** Records what is simulated as an animated `.glb`, or a point cache: the worker collects the states, the file is written here. */
import type { BufferGeometry } from 'three';
import type { TakeEnding } from '../../src/record/bake-take.js';
import type { Frame, Recording, SceneInfo } from '../worker/scene-info.js';
import { type DrawnObstacle, takeOf } from './recorded-take.js';
import type { RecorderActions } from './recorder.js';
import { saveFile } from './save-file.js';

/** What the recorder needs from the rest of the page. */
export interface MotionHost extends RecorderActions {
  /** Lets the worker begin or end. */
  record(on: boolean): void;
  /** What a recording is saved as. */
  ending(): TakeEnding;
  obstacles(): readonly { readonly index: number; readonly geometry: BufferGeometry }[];
}

/** One recording at a time. */
export class MotionRecorder {
  readonly #host: MotionHost;
  #recording = false;

  constructor(host: MotionHost) {
    this.#host = host;
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
      // The writer is only fetched by pages that need it.
      const { bakeTakeFiles } = await import('../../src/record/bake-take.js');
      const take = takeOf(info, recording, this.#host.obstacles().map(shapeOf));
      const { name, bytes } = await together(await bakeTakeFiles(take, ending, plain), `${plain}-${ending}.zip`);
      const type = ending === 'glb' ? 'model/gltf-binary' : 'application/octet-stream';
      saveFile(new Blob([bytes], { type }), name);
      this.#host.saved(name);
    } catch (error) {
      this.#host.failed(
        `${plain}.${ending} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      );
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
