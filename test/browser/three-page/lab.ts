/** A page with a small three.js scene, for tests to load soft bodies into and to look at them. */
import {
  AmbientLight,
  BoxGeometry,
  DirectionalLight,
  Mesh,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { KTX2Loader } from 'three/addons/loaders/KTX2Loader.js';
import {
  type CrowdEntry,
  SoftBody,
  SoftCharacter,
  type SoftCharacterOptions,
  SoftCrowd,
  type SoftCrowdOptions,
} from '../../../three/index.js';
import { compareWithSolver } from './compare-crowd.js';
import { dropTogether } from './drop-together.js';

const renderer = new WebGLRenderer({ antialias: false });
renderer.setSize(160, 120);
document.body.append(renderer.domElement);
const scene = new Scene();
const sun = new DirectionalLight(0xffffff, 2);
sun.position.set(1, 2, 3);
scene.add(sun, new AmbientLight(0xffffff, 1));
const camera = new PerspectiveCamera(40, 4 / 3, 0.01, 20);
camera.position.set(0.5, 0, 2);

/** Milliseconds the page spent on asking workers and on their answers, and how many there were. */
const cost = { ms: 0, answers: 0 };
/** Workers of all bodies, in the order they were started. */
const workers: Worker[] = [];

/** A worker that keeps the account of what its answers cost the page. */
class TimedWorker extends Worker {
  constructor(url: string | URL, options?: WorkerOptions) {
    super(url, options);
    workers.push(this);
  }

  override postMessage(message: unknown, transfer?: unknown): void {
    const began = performance.now();
    super.postMessage(message, transfer as Transferable[]);
    cost.ms += performance.now() - began;
  }

  override set onmessage(hear: ((event: MessageEvent) => void) | null) {
    super.onmessage = (event) => {
      const began = performance.now();
      hear?.(event);
      cost.ms += performance.now() - began;
      cost.answers++;
    };
  }
}
globalThis.Worker = TimedWorker;

/** What beats regularly, to let it beat faster. */
const beating = new Map<unknown, () => void>();
const [startBeat, endBeat] = [globalThis.setInterval.bind(globalThis), globalThis.clearInterval.bind(globalThis)];
globalThis.setInterval = ((beat: () => void, ms: number) => {
  const timer = startBeat(beat, ms);
  beating.set(timer, beat);
  return timer;
}) as typeof setInterval;
globalThis.clearInterval = (timer) => {
  beating.delete(timer);
  endBeat(timer as number);
};

let body: SoftBody | undefined;
let crowd: SoftCrowd | undefined;
const errors: string[] = [];

function show(made: SoftBody): void {
  body?.dispose();
  body = made;
  scene.add(body);
  errors.length = 0;
  body.simulation.addEventListener('error', ({ error, lost }) =>
    errors.push(`${lost ? 'lost: ' : ''}${error.message}`),
  );
}

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

const lab = {
  Vector3,
  Mesh,
  BoxGeometry,
  Raycaster,
  cost,
  workers,
  errors,
  renderer,
  camera,
  get body(): SoftBody {
    return body as SoftBody;
  },
  get character(): SoftCharacter {
    return body as SoftCharacter;
  },
  async load(url: string, options: SoftCharacterOptions = {}): Promise<void> {
    show(await SoftCharacter.load(url, options));
  },
  /** Loads a model that is packed, or has KTX2 pictures, with the decoders that three has in a folder. */
  async loadPacked(url: string, libs: string, options: SoftCharacterOptions = {}): Promise<void> {
    const pictures = new KTX2Loader().setTranscoderPath(`${libs}/basis/`).detectSupport(renderer);
    const script = document.createElement('script');
    script.src = `${libs}/draco/gltf/draco_decoder.js`;
    await new Promise((resolve) => {
      script.onload = resolve;
      document.head.append(script);
    });
    const draco = await (globalThis as unknown as { DracoDecoderModule(): Promise<never> }).DracoDecoderModule();
    const loader = new GLTFLoader().setKTX2Loader(pictures);
    show(await SoftCharacter.load(url, { ...options, loader, decoders: { draco } }));
  },
  async scene(name: string, options: SoftCharacterOptions = {}): Promise<void> {
    show(await SoftBody.fromScene(name, options));
  },
  get crowd(): SoftCrowd {
    return crowd as SoftCrowd;
  },
  async loadCrowd(entries: readonly CrowdEntry[], options: SoftCrowdOptions = {}): Promise<void> {
    crowd?.dispose();
    crowd = await SoftCrowd.load(entries, options);
    scene.add(crowd);
  },
  /** How far what three draws of the crowd is from where the solver has it. */
  async compareCrowd() {
    return compareWithSolver(crowd!, renderer, scene, camera);
  },
  /** A character, cloth, a ring and a block that fall on each other, and what is seen of them. */
  async dropTogether(url: string, worker: boolean) {
    return dropTogether(url, worker, renderer, scene, camera);
  },
  /** Shows that many pictures, a sixtieth of a second each. */
  async run(frames: number, before: () => void = () => {}): Promise<void> {
    for (let i = 0; i < frames; i++) {
      before();
      body?.step(1 / 60);
      renderer.render(scene, camera);
      await frame();
    }
  },
  /** Shows pictures until that many steps have been taken. */
  async runUntil(steps: number): Promise<void> {
    while (body!.simulation.stepCount < steps) await this.run(1);
  },
  /** Lets all that beats do so a thousand times, or as long as it wants to. */
  endPatience(): void {
    for (const timer of [...beating.keys()]) for (let i = 0; i < 1000; i++) beating.get(timer)?.();
  },
  /** Positions of the first skin. */
  positions(): number[] {
    return Array.from(body!.skins[0].geometry.getAttribute('position').array);
  },
  /** The picture, r,g,b,a of every pixel. */
  picture(): number[] {
    renderer.render(scene, camera);
    const copy = document.createElement('canvas').getContext('2d')!;
    copy.drawImage(renderer.domElement, 0, 0);
    return Array.from(copy.getImageData(0, 0, 160, 120).data);
  },
  /** Different colours in the picture. */
  colours(): number {
    return new Set(new Uint32Array(Uint8Array.from(this.picture()).buffer)).size;
  },
};

/** What tests find as `lab`. */
export type Lab = typeof lab;
(globalThis as unknown as { lab: Lab }).lab = lab;
