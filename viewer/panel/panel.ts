/** The panel: how the step is taken, what flesh is made of, which bones are held, what is shown. */
import { type Controller, GUI } from 'lil-gui';
import '../../node_modules/lil-gui/dist/lil-gui.css';
import { NO_OVERLAYS, type Overlays } from '../draw/overlays.js';
import type { LearningNews } from '../worker/learn/learner.js';
import { REBUILDING, type SavedEnding, type Settings } from '../worker/protocol.js';
import type { SceneInfo } from '../worker/scene-info.js';
import { LessonPanel } from './lesson.js';
import { LimitTable } from './limit-table.js';

/** What the panel reports. */
export interface PanelActions {
  /** Changed while running. */
  change(settings: Settings): void;
  /** Changed in a way that needs a new world. */
  rebuild(settings: Partial<Settings>): void;
  show(overlays: Overlays): void;
  /** Plays a clip; undefined: none. */
  play(clip: string | undefined): void;
  /** Blends a morph target of the first body in. */
  morph(morph: number, value: number): void;
  /** Makes a bone kinematic or dynamic. */
  hold(body: number, bone: number, hold: boolean): void;
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** Stands for no motion at all; no clip has this name. */
const LIMP = '\0';
/** Most bones that are listed. */
const MOST_BONES = 120;

/** Shows and edits the settings of the running scene. */
export class Panel {
  readonly #gui: GUI;
  readonly #actions: PanelActions;
  readonly #overlays: Writable<Overlays> = { ...NO_OVERLAYS };
  readonly #overlayBoxes: Record<keyof Overlays, Controller>;
  readonly #motion: GUI;
  readonly #shapes: GUI;
  readonly #bones: GUI;
  readonly #limits: LimitTable;
  readonly #lesson: LessonPanel;
  readonly #threads: Controller;
  /** Controls of settings, by setting. */
  readonly #controls = new Map<keyof Settings, Controller>();
  readonly #values: Writable<Settings> & { logYoung: number } = {
    iterations: 10,
    bones: 'exact',
    integrator: 'backwardEuler',
    gravity: -9.81,
    damping: 0,
    compare: false,
    threads: 1,
    young: 1e5,
    poisson: 0.4,
    model: 'corotated',
    quality: 'auto',
    deform: false,
    strength: 0,
    blend: 1,
    limits: '',
    learned: '',
    logYoung: 5,
  };
  readonly #file: { ending: SavedEnding } = { ending: 'glb' };
  /** What the key switches gravity back to [m/s²]. */
  #gravity = -9.81;
  /** Bones that the visitor holds or lets go, by body and bone. */
  #holds: Record<string, boolean> = {};

  constructor(container: HTMLElement, actions: PanelActions, folded: boolean) {
    this.#actions = actions;
    // The style sheet comes with the page: its policy allows no style element.
    this.#gui = new GUI({ container, title: 'Settings', injectStyles: false });
    this.#addSettings(this.#gui);
    this.#motion = this.#gui.addFolder('Motion').hide();
    this.#lesson = new LessonPanel(this.#gui.addFolder('Learning').hide(), (learned) => {
      this.#values.learned = learned;
      this.#actions.rebuild(this.settings);
    });
    this.#shapes = this.#gui.addFolder('Shapes').close().hide();
    this.#overlayBoxes = this.#addOverlays(this.#gui.addFolder('Show'));
    this.#addMaterial(this.#gui.addFolder('Material').close());
    this.#bones = this.#gui.addFolder('Bones').close();
    this.#limits = new LimitTable(this.#gui.addFolder('Joint limits').close().hide(), (limits) => {
      this.#values.limits = limits;
      this.#actions.rebuild(this.settings);
    });
    this.#threads = this.#addMachine(this.#gui.addFolder('Machine').close());
    if (folded) this.#gui.close();
  }

  get settings(): Settings {
    const { logYoung: _, ...settings } = this.#values;
    return settings;
  }

  /** What a recorded motion is saved as. */
  get takeEnding(): SavedEnding {
    return this.#file.ending;
  }

  get overlays(): Overlays {
    return { ...this.#overlays };
  }

  /** Shows what a scene runs with; `again`: it is the one from before, built anew. */
  show(info: SceneInfo, again: boolean): void {
    this.#setValues(info.settings);
    for (const [key, control] of this.#controls) control.enable(!info.idleSettings.includes(key));
    this.#threads.name(info.threads < info.settings.threads ? `Threads (${info.threads} here)` : 'Threads');
    this.#listBones(info, again);
    this.#limits.show(info.limits, info.settings.limits);
    this.#lesson.show(info);
    this.#listClips(info);
    this.#listShapes(info);
    this.#overlayBoxes.activation.enable(info.bodies.some(({ inside }) => inside.hasFibres));
  }

  /** How far the lesson is. */
  learn(news: LearningNews): void {
    this.#lesson.follow(news);
  }

  /** Gravity off, or on again. */
  toggleGravity(): void {
    const gravity = this.#values.gravity === 0 ? this.#gravity : 0;
    this.#setValues({ ...this.settings, gravity });
    this.#actions.change(this.settings);
  }

  /** Switches an overlay, for keys. */
  toggleOverlay(name: keyof Overlays): void {
    this.#overlays[name] = !this.#overlays[name];
    this.#refresh();
    this.#actions.show(this.overlays);
  }

  #addSettings(gui: GUI): void {
    const methods = { Exact: 'exact', 'As published': 'published', 'Stiff elements': 'stiff', 'Soft shapes': 'shape' };
    this.#control(gui.add(this.#values, 'bones', methods).name('Bones'), 'bones');
    this.#control(gui.add(this.#values, 'compare').name('Side by side'), 'compare');
    this.#control(gui.add(this.#values, 'iterations', 0, 40, 1).name('Iterations'), 'iterations');
    const integrators = { 'Backward Euler': 'backwardEuler', BDF2: 'bdf2' };
    this.#control(gui.add(this.#values, 'integrator', integrators).name('Integrator'), 'integrator');
    this.#control(gui.add(this.#values, 'gravity', -20, 20, 0.01).name('Gravity'), 'gravity');
    this.#control(gui.add(this.#values, 'damping', 0, 10, 0.1).name('Damping'), 'damping');
  }

  #addOverlays(gui: GUI): Record<keyof Overlays, Controller> {
    gui.domElement.classList.add('pairs');
    const names = {
      tets: 'Mesh',
      cut: 'Cut open',
      bones: 'Bones',
      joints: 'Joints',
      contacts: 'Contacts',
      strain: 'Strain',
      activation: 'Muscles',
    };
    const boxes = Object.entries(names).map(([key, name]) => {
      const box = gui.add(this.#overlays, key as keyof Overlays).name(name);
      return [key, box.onChange(() => this.#actions.show(this.overlays))];
    });
    return Object.fromEntries(boxes);
  }

  #addMaterial(gui: GUI): void {
    const models = { Corotated: 'corotated', 'Neo-Hookean': 'stableNeoHookean', ARAP: 'arap' };
    this.#control(gui.add(this.#values, 'model', models).name('Energy'), 'model');
    gui
      .add(this.#values, 'logYoung', 2, 8, 0.05)
      .name('Stiffness 10ˣ Pa')
      .onFinishChange((power: number) => {
        const young = Number((10 ** power).toPrecision(3));
        if (young === this.#values.young) return;
        this.#values.young = young;
        this.#actions.rebuild(this.settings);
      });
    this.#control(gui.add(this.#values, 'poisson', 0, 0.499, 0.001).name('Poisson ratio'), 'poisson');
  }

  #addMachine(gui: GUI): Controller {
    const choices = { 'For 8 ms a step': 'auto', Full: 'full' };
    gui
      .add(this.#values, 'quality', choices)
      .name('Quality of models')
      .onFinishChange(() => {
        // how often steps iterate is part of it
        const { iterations: _, ...settings } = this.settings;
        this.#actions.rebuild(settings);
      });
    this.#control(gui.add(this.#values, 'deform'), 'deform').name('Deform models (lattice)');
    const files = {
      'glTF (.glb)': 'glb',
      'Points (.pc2)': 'pc2',
      'Points (.mdd)': 'mdd',
      'USD (.usda)': 'usda',
      'Bones, forces (.csv)': 'csv',
      'Files (.obj)': 'obj',
      'Files (.vtp)': 'vtp',
      'Pictures (.png)': 'png',
    };
    gui.add(this.#file, 'ending', files).name('Motion saved as');
    return this.#addThreads(gui);
  }

  #addThreads(gui: GUI): Controller {
    const most = Math.max(1, Math.min(8, navigator.hardwareConcurrency || 1));
    const choices = Array.from({ length: most }, (_, i) => i + 1);
    return this.#control(gui.add(this.#values, 'threads', choices), 'threads').name('Threads');
  }

  /** Reports changes: at once, or for a new world when the slider is let go. */
  #control(controller: Controller, key: keyof Settings): Controller {
    this.#controls.set(key, controller);
    if (!REBUILDING.includes(key)) return controller.onChange(() => this.#actions.change(this.settings));
    return controller.onFinishChange(() => this.#actions.rebuild(this.settings));
  }

  #listBones({ bodies, lanes }: SceneInfo, again: boolean): void {
    for (const controller of [...this.#bones.controllers]) controller.destroy();
    const own = bodies.slice(0, bodies.length / lanes.length);
    const held: Record<string, boolean> = {};
    own.forEach(({ name, bones }, body) => {
      bones.forEach((bone, i) => {
        const key = `${body}/${i}`;
        if (Object.keys(held).length >= MOST_BONES) return;
        held[key] = bone.kinematic;
        if (again && this.#holds[key] !== undefined && this.#holds[key] !== bone.kinematic) {
          held[key] = this.#holds[key];
          this.#actions.hold(body, i, held[key]);
        }
        this.#bones
          .add(held, key)
          .name(own.length > 1 ? `${name}: ${bone.name}` : bone.name)
          .onChange((hold: boolean) => this.#actions.hold(body, i, hold));
      });
    });
    this.#holds = held;
    const count = Object.keys(held).length;
    this.#bones.title(count > 0 ? `Held bones (${count})` : 'Held bones (none)');
  }

  #listClips({ clips }: SceneInfo): void {
    for (const controller of [...this.#motion.controllers]) controller.destroy();
    this.#motion.show(clips.length > 0);
    const choices = { Stand: '', 'None (limp)': LIMP, ...Object.fromEntries(clips.map(({ name }) => [name, name])) };
    this.#motion
      .add({ clip: '' }, 'clip', choices)
      .name('Clip')
      .onChange((clip: string) => this.#actions.play(clip === LIMP ? undefined : clip));
    const strength = this.#motion.add(this.#values, 'strength', 0, 20, 0.5).name('Strength, Hz');
    strength.domElement.title = 'How fast motors come back to the clip; 0: they are on it exactly';
    this.#control(strength, 'strength');
    const blend = this.#motion.add(this.#values, 'blend', 0, 1, 0.05).name('Limp to clip');
    blend.domElement.title = '0: limp, 1: all of the strength';
    this.#control(blend, 'blend');
  }

  /** Morph targets of the first body, as sliders. */
  #listShapes({ bodies }: SceneInfo): void {
    for (const controller of [...this.#shapes.controllers]) controller.destroy();
    const names = bodies[0]?.morphs ?? [];
    this.#shapes.show(names.length > 0);
    const values: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]));
    names.slice(0, MOST_BONES).forEach((name, morph) => {
      this.#shapes.add(values, name, 0, 1, 0.01).onChange((value: number) => this.#actions.morph(morph, value));
    });
  }

  #setValues(settings: Settings): void {
    Object.assign(this.#values, settings, { logYoung: Math.log10(settings.young) });
    if (settings.gravity !== 0) this.#gravity = settings.gravity;
    this.#refresh();
  }

  #refresh(): void {
    for (const controller of this.#gui.controllersRecursive()) controller.updateDisplay();
  }
}
