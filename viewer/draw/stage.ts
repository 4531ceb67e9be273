/** The stage: renderer, lights, floor and background, in light or dark colours. */
import {
  Color,
  DirectionalLight,
  HemisphereLight,
  NeutralToneMapping,
  PCFShadowMap,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import type { StageInfo } from '../worker/scene-info.js';
import { Floor } from './floor.js';

/** Where the main light comes from, in sizes of the scene. */
const KEY = new Vector3(-0.75, 2.5, 1.6);

/** Everything but the bodies. */
export class Stage {
  readonly scene = new Scene();
  readonly renderer: WebGLRenderer;
  /** Called when the colours have changed. */
  onThemeChange: () => void = () => {};
  readonly #floor = new Floor();
  readonly #key = new DirectionalLight('#fff3e4', 2.1);
  readonly #fill = new HemisphereLight('#f2f4ff', '#d8c4b6', 1.5);
  readonly #rim = new DirectionalLight('#cfe0ff', 0.9);
  #size = 1;

  constructor(canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    // Blurred variance maps look alike and take five times as long to draw in software.
    this.renderer.shadowMap.type = PCFShadowMap;
    this.#key.castShadow = true;
    // Soft needs few pixels.
    this.#key.shadow.mapSize.set(1024, 1024);
    this.#key.shadow.radius = 4;
    this.scene.add(this.#floor, this.#key, this.#key.target, this.#fill, this.#rim, this.#rim.target);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', () => {
      this.#setTheme(dark.matches);
      this.onThemeChange();
    });
    this.#setTheme(dark.matches);
  }

  /** Gets ready for a scene. */
  prepare(info: StageInfo): void {
    const low = new Vector3(...info.low);
    const high = new Vector3(...info.high);
    const middle = low.clone().add(high).multiplyScalar(0.5);
    this.#size = Math.max(...high.sub(low).toArray()) + info.spread;
    this.#floor.visible = info.floor !== undefined;
    if (info.floor !== undefined) this.#floor.place(middle, info.floor, this.#size, info.solid);
    const reach = 1.15 * this.#size;
    const { camera } = this.#key.shadow;
    camera.left = camera.bottom = -reach;
    camera.right = camera.top = reach;
    camera.near = 0.05 * this.#size;
    camera.far = 7 * this.#size;
    camera.updateProjectionMatrix();
    // Flesh must not shade itself where its triangles are coarse.
    this.#key.shadow.normalBias = 0.006 * this.#size;
    this.#key.shadow.bias = -0.0005;
    this.follow(middle);
  }

  /** Keeps the lights, and with them the shadow, around a point. */
  follow(middle: Vector3): void {
    this.#key.target.position.copy(middle);
    this.#key.position.copy(KEY).multiplyScalar(this.#size).add(middle);
    this.#rim.target.position.copy(middle);
    this.#rim.position.set(1.2, 0.6, -1.6).multiplyScalar(this.#size).add(middle);
  }

  /** Fits the picture to the window; returns its shape. */
  resize(): number {
    const { clientWidth, clientHeight } = this.renderer.domElement;
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.setSize(clientWidth, clientHeight, false);
    return clientWidth / Math.max(1, clientHeight);
  }

  #setTheme(dark: boolean): void {
    this.scene.background = new Color(dark ? '#1a1b20' : '#efe9e1');
    this.#fill.intensity = dark ? 0.9 : 1.7;
    this.#key.intensity = dark ? 2 : 2.1;
    this.#floor.setColours(new Color(dark ? '#ffffff' : '#5a4a40'), new Color(dark ? '#000000' : '#4a2f22'), dark);
  }
}
