/** Names of worlds that run beside each other, written under them. */
import { type Camera, Vector3 } from 'three';
import { milliseconds, quantity } from '../panel/numbers.js';
import type { Frame, SceneInfo } from '../worker/scene-info.js';

const NAMES = { exact: 'Exact', published: 'As published', stiff: 'Stiff elements', shape: 'Soft shapes' };
/** Numbers change a few times a second [ms]. */
const REDRAW_EVERY = 250;
/** The buttons and the label itself [pixels]. */
const ROOM_BELOW = innerWidth > 960 ? 190 : 330;

/** Keeps a label under each lane; none where there is only one. */
export class LaneLabels {
  readonly #box: HTMLElement;
  readonly #point = new Vector3();
  #labels: { readonly label: HTMLElement; readonly figures: HTMLElement; readonly place: Vector3 }[] = [];
  #writtenAt = 0;

  constructor(box: HTMLElement) {
    this.#box = box;
  }

  prepare({ lanes, stage }: SceneInfo): void {
    this.#box.replaceChildren();
    const shown = lanes.length > 1 ? lanes : [];
    this.#labels = shown.map(({ bones, offset }) => {
      const label = document.createElement('p');
      const name = document.createElement('b');
      name.textContent = NAMES[bones];
      const figures = document.createElement('span');
      label.append(name, figures);
      this.#box.append(label);
      const place = new Vector3(offset[0] + (stage.low[0] + stage.high[0]) / 2, stage.low[1], stage.high[2]);
      return { label, figures, place };
    });
  }

  /** What each lane says of its last step. */
  write(frame: Frame, { lanes }: SceneInfo): void {
    const now = performance.now();
    if (now - this.#writtenAt < REDRAW_EVERY && frame.stepCount > 1) return;
    this.#writtenAt = now;
    this.#labels.forEach(({ figures }, i) => {
      const { certificate, stepMs } = frame.lanes[i];
      const imitated = lanes[i].bones === 'stiff' || lanes[i].bones === 'shape';
      const joints = imitated ? 'no joints' : `gap ${quantity(certificate.jointGap, 'm')}`;
      const time = stepMs > 0 ? `\n${milliseconds(stepMs)}` : '';
      figures.textContent = `${joints}\nresidual ${quantity(certificate.residual, 'N')}${time}`;
    });
  }

  /** Puts the labels where the lanes are on the screen, all at one height. */
  place(camera: Camera, width: number, height: number): void {
    let lowest = 0;
    for (const { label, place } of this.#labels) {
      const { x, y } = this.#point.copy(place).project(camera);
      lowest = Math.max(lowest, ((1 - y) / 2) * height);
      label.style.left = `${((x + 1) / 2) * width}px`;
    }
    for (const { label } of this.#labels) label.style.top = `${Math.min(lowest + 10, height - ROOM_BELOW)}px`;
  }
}
