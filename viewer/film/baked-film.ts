/** The frames of a baked `.glb` as pictures: the stage of the page, a camera that sees all of the motion, one picture when it is asked for. */
import { AnimationMixer, Box3, type Group, type Object3D, PerspectiveCamera, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { Stage } from '../draw/stage.js';

/** From where it is seen. */
const VIEW = new Vector3(0.55, 0.28, 1).normalize();
/** Room around what moves. */
const ROOM = 1.12;
/** Times that are looked at for the size of what moves. */
const LOOKS = 12;
/** Larger than this is in centimetres [file units]. */
const LARGEST_METRES = 20;

/** A bake that is ready to be drawn. */
export class BakedFilm {
  readonly #stage: Stage;
  readonly #camera: PerspectiveCamera;
  readonly #mixer: AnimationMixer;
  readonly #duration: number;

  /** Reads a `.glb`; `size`: of the pictures [pixels], that of the canvas on the page where it is not given. */
  static async read(
    bytes: ArrayBuffer,
    canvas: HTMLCanvasElement,
    size?: readonly [number, number],
  ): Promise<BakedFilm> {
    const loader = new GLTFLoader();
    if (namesKtx2(bytes)) loader.setKTX2Loader((await import('../decode/basis.js')).ktx2Loader);
    const { scene, animations } = await loader.parseAsync(bytes, '');
    const mixer = new AnimationMixer(scene);
    if (animations.length > 0) mixer.clipAction(animations[0]).play();
    return new BakedFilm(scene, mixer, animations[0]?.duration ?? 0, new Stage(canvas), size);
  }

  private constructor(
    model: Group,
    mixer: AnimationMixer,
    duration: number,
    stage: Stage,
    size: readonly [number, number] | undefined,
  ) {
    this.#mixer = mixer;
    this.#duration = duration;
    this.#stage = stage;
    const floor = takeFloor(model);
    model.traverse(readyToDraw);
    const box = boxOver(model, (share) => mixer.setTime(share * duration));
    const extent = box.getSize(new Vector3());
    if (Math.max(extent.x, extent.y, extent.z) > LARGEST_METRES) {
      model.scale.setScalar(0.01);
      box.min.multiplyScalar(0.01);
      box.max.multiplyScalar(0.01);
    }
    stage.scene.add(model);
    const low = box.min.toArray();
    const high = box.max.toArray();
    const solid = floor !== undefined;
    stage.prepare({ spread: 0, low, high, round: false, floor: floor ?? box.min.y, solid, free: false });
    if (size) stage.renderer.setSize(...size, false);
    this.#camera = placeCamera(box, size ? size[0] / size[1] : stage.resize());
  }

  /** Draws what is seen at a time of the animation [s]; the picture as a data: address. */
  draw(time: number): string {
    // the last frame, not the first one again
    this.#mixer.setTime(Math.min(time, this.#duration - 1e-6));
    const { renderer, scene } = this.#stage;
    renderer.render(scene, this.#camera);
    return renderer.domElement.toDataURL('image/png');
  }

  dispose(): void {
    this.#stage.renderer.dispose();
    this.#stage.renderer.forceContextLoss();
  }
}

/** A plane is drawn as the stage's own floor; its height where there is one. */
function takeFloor(model: Group): number | undefined {
  const planes: Object3D[] = [];
  model.traverse((object) => {
    if (object.name.startsWith('floor')) planes.push(object);
  });
  model.updateWorldMatrix(true, true);
  const heights = planes.map((plane) => plane.getWorldPosition(new Vector3()).y);
  for (const plane of planes) plane.removeFromParent();
  return heights.length > 0 ? Math.max(...heights) : undefined;
}

function readyToDraw(object: Object3D): void {
  object.castShadow = true;
  object.receiveShadow = true;
  // three knows where a skinned mesh was at rest only
  object.frustumCulled = false;
}

function boxOver(model: Object3D, show: (share: number) => void): Box3 {
  const box = new Box3();
  for (let i = 0; i <= LOOKS; i++) {
    show(Math.min(0.999, i / LOOKS));
    model.updateWorldMatrix(true, true);
    box.union(new Box3().setFromObject(model, true));
  }
  show(0);
  return box;
}

/** Far enough for the corners of a box to be seen. */
function placeCamera(box: Box3, aspect: number): PerspectiveCamera {
  const camera = new PerspectiveCamera(30, aspect, 0.01, 1000);
  const middle = box.getCenter(new Vector3());
  const half = box.getSize(new Vector3()).multiplyScalar(0.5 * ROOM);
  const tall = Math.tan((camera.fov * Math.PI) / 360);
  let away = 0;
  const side = new Vector3(0, 1, 0).cross(VIEW).normalize();
  const up = VIEW.clone().cross(side);
  for (let corner = 0; corner < 8; corner++) {
    const p = new Vector3(corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y, corner & 4 ? half.z : -half.z);
    const near = p.dot(VIEW);
    away = Math.max(away, near + Math.abs(p.dot(up)) / tall, near + Math.abs(p.dot(side)) / (tall * aspect));
  }
  camera.near = away / 100;
  camera.far = away * 20;
  camera.position.copy(middle).addScaledVector(VIEW, away);
  camera.lookAt(middle);
  camera.updateProjectionMatrix();
  return camera;
}

/** Whether a file has pictures that need a transcoder. */
function namesKtx2(bytes: ArrayBuffer): boolean {
  const jsonLength = new DataView(bytes).getUint32(12, true);
  return new TextDecoder().decode(new Uint8Array(bytes, 20, jsonLength)).includes('KHR_texture_basisu');
}
