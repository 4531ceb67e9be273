/** The panel: what can be changed while a scene runs, and the one thing that builds it anew. */
import { GUI } from 'lil-gui';
import '../node_modules/lil-gui/dist/lil-gui.css';
import type { Settings } from './protocol.js';

/** What the panel reports. */
export interface PanelActions {
  /** Changed while running. */
  change(settings: Settings): void;
  /** Changed in a way that needs a new world. */
  rebuild(settings: Settings): void;
  showBones(show: boolean): void;
}

/** Shows and edits the settings of the running scene. */
export class Panel {
  readonly #gui: GUI;
  readonly #actions: PanelActions;
  readonly #values: { -readonly [Key in keyof Settings]: Settings[Key] } & { showBones: boolean } = {
    iterations: 10,
    bones: 'exact',
    integrator: 'backwardEuler',
    gravity: -9.81,
    showBones: false,
  };
  /** What the key switches gravity back to [m/s²]. */
  #gravity = -9.81;

  constructor(container: HTMLElement, actions: PanelActions, folded: boolean) {
    this.#actions = actions;
    // The style sheet comes with the page: its policy allows no style element.
    this.#gui = new GUI({ container, title: 'Settings', injectStyles: false });
    const change = () => actions.change(this.settings);
    this.#gui.add(this.#values, 'iterations', 0, 40, 1).name('Iterations').onChange(change);
    this.#gui
      .add(this.#values, 'bones', { Exact: 'exact', 'As printed': 'printed' })
      .name('Bone step')
      .onChange(() => actions.rebuild(this.settings));
    this.#gui
      .add(this.#values, 'integrator', { 'Backward Euler': 'backwardEuler', BDF2: 'bdf2' })
      .name('Integrator')
      .onChange(change);
    this.#gui.add(this.#values, 'gravity', -20, 20, 0.01).name('Gravity').onChange(change);
    this.#gui
      .add(this.#values, 'showBones')
      .name('Show bones')
      .onChange((show: boolean) => actions.showBones(show));
    if (folded) this.#gui.close();
  }

  get settings(): Settings {
    const { iterations, bones, integrator, gravity } = this.#values;
    return { iterations, bones, integrator, gravity };
  }

  get bonesShown(): boolean {
    return this.#values.showBones;
  }

  /** Shows what a scene runs with. */
  show(settings: Settings): void {
    Object.assign(this.#values, settings);
    if (settings.gravity !== 0) this.#gravity = settings.gravity;
    for (const controller of this.#gui.controllersRecursive()) controller.updateDisplay();
  }

  /** Gravity off, or on again. */
  toggleGravity(): void {
    const gravity = this.#values.gravity === 0 ? this.#gravity : 0;
    this.show({ ...this.settings, gravity });
    this.#actions.change(this.settings);
  }
}
