/** Links: what the address asks for is shown, and what is shown can be shared. */

import type { Notice } from '../panel/notice.js';
import { copyText } from '../panel/toolbar.js';
import type { Settings, Source } from '../worker/protocol.js';
import type { SceneInfo } from '../worker/scene-info.js';
import { type CameraPlace, readAddress, writeAddress } from './address.js';
import { filesSource } from './drop.js';

/** Scenes of this name are a file that the server was given. */
const FILE_PREFIX = 'file:';

/** What links need from the rest of the page. */
export interface LinkHost {
  /** What is on; undefined at first. */
  shown(): { readonly info: SceneInfo; readonly source: Source; readonly settings: Settings } | undefined;
  /** Where the visitor looks from, if that was chosen. */
  view(): CameraPlace | undefined;
  isScene(name: string): boolean;
  load(source: Source, settings?: Partial<Settings>): void;
  readonly notice: Notice;
}

/** Reads and writes the address. */
export class Links {
  readonly #host: LinkHost;

  constructor(host: LinkHost) {
    this.#host = host;
  }

  /** Shows what the address asks for, or else the scene given. */
  open(otherwise?: string): void {
    const { scene, settings } = readAddress(location.hash);
    if (this.#host.isScene(scene)) this.#host.load({ kind: 'scene', name: scene }, settings);
    else if (scene.startsWith(FILE_PREFIX)) this.#openServed(scene.slice(FILE_PREFIX.length), settings);
    else if (otherwise !== undefined) this.#host.load({ kind: 'scene', name: otherwise });
  }

  /** Keeps the address fit to be copied. */
  update(): void {
    const shown = this.#host.shown();
    if (shown?.source.kind !== 'scene') return;
    const address = writeAddress(shown.info.name, shown.settings, shown.info.usualSettings);
    if (location.hash !== address) history.replaceState(null, '', address);
  }

  /** Copies a link to what is seen. */
  async share(): Promise<void> {
    const { notice, shown, view } = this.#host;
    const now = shown();
    if (now?.source.kind !== 'scene') {
      notice.remark('A link can hold a scene of the gallery, not a file of yours.');
      return;
    }
    history.replaceState(null, '', writeAddress(now.info.name, now.settings, now.info.usualSettings, view()));
    if (await copyText(location.href)) notice.remark('The link to this scene, its settings and this view is copied.');
    else notice.offer('Copy this link:', location.href);
  }

  /** A file that `tendon view FILE` serves beside the page. */
  async #openServed(name: string, settings: Partial<Settings>): Promise<void> {
    const { notice, load } = this.#host;
    notice.busy(`Fetching ${name} …`);
    try {
      const response = await fetch(`./file/${encodeURIComponent(name)}`);
      if (!response.ok) throw new Error(`the server answers ${response.status}`);
      load(filesSource([{ name, bytes: new Uint8Array(await response.arrayBuffer()) }]), settings);
    } catch (error) {
      notice.failed(`${name} cannot be fetched: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
