/** The lesson of a scene in the panel: a button that begins it or stops it, and what is left to the goal after each rollout. */
import type { GUI } from 'lil-gui';
import { ANEW } from '../worker/learn/learned-setting.js';
import type { LearningNews } from '../worker/learn/learner.js';
import type { SceneInfo } from '../worker/scene-info.js';
import { LinePlot, LOGARITHMIC } from './line-plot.js';

/** Lists what can be done about a lesson in a folder. */
export class LessonPanel {
  readonly #folder: GUI;
  readonly #change: (learned: string) => void;
  readonly #plotBox = document.createElement('div');
  #plot: LinePlot | undefined;
  #shown = 0;
  #best = '';
  #isOver = false;

  /** `change`: what to do with the setting of what was learned. */
  constructor(folder: GUI, change: (learned: string) => void) {
    this.#folder = folder;
    this.#change = change;
    this.#plotBox.className = 'lesson';
    folder.$children.append(this.#plotBox);
  }

  /** Shows the lesson of a scene, or that it has none. */
  show({ teaches, settings: { learned } }: SceneInfo): void {
    const isLearning = learned === ANEW;
    for (const controller of [...this.#folder.controllers]) controller.destroy();
    this.#folder.show(teaches);
    this.#isOver = false;
    this.#best = '';
    if (isLearning) this.#startPlot();
    const buttons = {
      learn: () => this.#change(ANEW),
      stop: () => this.#change(this.#best),
      forget: () => this.#change(''),
    };
    if (isLearning) this.#folder.add(buttons, 'stop').name('Stop, and play the best so far');
    else this.#folder.add(buttons, 'learn').name('Learn anew');
    if (learned !== '' && !isLearning) this.#folder.add(buttons, 'forget').name('As it came');
  }

  /** Takes note of how far it is; once it is over, what was learned is played. */
  follow({ costs, best, done }: LearningNews): void {
    for (; this.#shown < costs.length; this.#shown++)
      this.#plot?.add(this.#shown + 1, [Math.log10(costs[this.#shown])]);
    this.#plot?.draw();
    this.#best = best ?? '';
    if (!done || this.#isOver) return;
    this.#isOver = true;
    this.#change(this.#best);
  }

  #startPlot(): void {
    this.#plot?.dispose();
    this.#plotBox.replaceChildren();
    const line = { name: '', colour: '--accent' };
    this.#plot = new LinePlot(this.#plotBox, 'Left to the goal, per rollout', LOGARITHMIC, [line]);
    this.#shown = 0;
  }
}
