/** The bodies of a scene as three.js meshes, and the bones and joints inside them. */
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  SphereGeometry,
  type Vector3,
} from 'three';
import { type BodyLayout, type FrameLayout, layOutFrame } from './frame-layout.js';
import { ObstacleView } from './obstacle-view.js';
import type { BodyInfo, SceneInfo } from './protocol.js';
import { BONE, createSkinMaterial, FLESH, setSeeThrough } from './skin-material.js';

/** Draws the bodies; `update` is called with every frame. */
export class SceneView extends Group {
  readonly #layout: FrameLayout;
  readonly #obstacles: ObstacleView;
  readonly #bodies: readonly BodyView[];
  readonly #skin = createSkinMaterial();
  readonly #bone = new MeshStandardMaterial({ color: BONE, roughness: 0.5 });
  readonly #joint = new MeshStandardMaterial({ color: '#e0452f', roughness: 0.4, depthTest: false });

  constructor(info: SceneInfo) {
    super();
    this.#layout = layOutFrame(info.bodies, info.obstacles.length);
    const size = Math.max(...info.stage.high.map((value, k) => value - info.stage.low[k]));
    this.#bodies = info.bodies.map((body, i) => {
      return new BodyView(body, i, size, { skin: this.#skin, bone: this.#bone, joint: this.#joint });
    });
    this.#obstacles = new ObstacleView(info.obstacles, size);
    this.add(...this.#bodies, this.#obstacles);
  }

  /** Meshes a pointer can hit; `userData.body` is the body's number. */
  get surfaces(): Mesh[] {
    return this.#bodies.map(({ surface }) => surface);
  }

  /** Shows a frame. */
  update(numbers: Float32Array): void {
    this.#bodies.forEach((body, i) => {
      body.update(numbers, this.#layout.bodies[i]);
    });
    this.#obstacles.update(numbers, this.#layout.obstacles);
  }

  /** Shows the bones and joints through the flesh, or not. */
  set showBones(show: boolean) {
    setSeeThrough(this.#skin, show);
    for (const body of this.#bodies) body.inside.visible = show;
  }

  /** Writes the middle of all vertices and returns the lowest height [m]. */
  measure(middle: Vector3): number {
    let low = Number.POSITIVE_INFINITY;
    let count = 0;
    middle.set(0, 0, 0);
    for (const { surface } of this.#bodies) {
      const { array } = surface.geometry.getAttribute('position');
      for (let i = 0; i < array.length; i += 3) {
        middle.x += array[i];
        middle.y += array[i + 1];
        middle.z += array[i + 2];
        low = Math.min(low, array[i + 1]);
      }
      count += array.length / 3;
    }
    middle.divideScalar(Math.max(1, count));
    return low;
  }

  override dispose(): void {
    for (const body of this.#bodies) body.dispose();
    this.#obstacles.dispose();
    for (const material of [this.#skin, this.#bone, this.#joint]) material.dispose();
  }
}

interface Materials {
  readonly skin: MeshStandardMaterial;
  readonly bone: MeshStandardMaterial;
  readonly joint: MeshStandardMaterial;
}

class BodyView extends Group {
  readonly surface: Mesh;
  /** Bones and joints. */
  readonly inside = new Group();
  readonly #bones: readonly Mesh[];
  readonly #joints: InstancedMesh;
  readonly #matrix = new Matrix4();

  constructor(info: BodyInfo, index: number, size: number, materials: Materials) {
    super();
    const geometry = new BufferGeometry();
    for (const name of ['position', 'normal']) {
      const attribute = new BufferAttribute(new Float32Array(info.vertexCount * 3), 3);
      geometry.setAttribute(name, attribute.setUsage(DynamicDrawUsage));
    }
    geometry.setAttribute('color', new BufferAttribute(colours(info.boneOfVertex), 3));
    geometry.setIndex(new BufferAttribute(info.triangles, 1));
    this.surface = new Mesh(geometry, materials.skin);
    this.surface.frustumCulled = false;
    this.surface.castShadow = this.surface.receiveShadow = true;
    this.surface.userData.body = index;
    // Flesh that is seen through comes after what is inside it.
    this.surface.renderOrder = 1;
    this.#bones = info.bones.map(({ positions, triangles }) => {
      const shape = new BufferGeometry();
      shape.setAttribute('position', new BufferAttribute(positions, 3));
      shape.setIndex(new BufferAttribute(triangles, 1));
      shape.computeVertexNormals();
      return new Mesh(shape, materials.bone);
    });
    this.#joints = new InstancedMesh(new SphereGeometry(0.011 * size, 20, 14), materials.joint, info.jointCount);
    this.#joints.frustumCulled = false;
    // Joints sit inside bones: drawn last and over them.
    this.#joints.renderOrder = 2;
    this.inside.visible = false;
    this.inside.add(...this.#bones, this.#joints);
    this.add(this.surface, this.inside);
  }

  update(numbers: Float32Array, layout: BodyLayout): void {
    const { geometry } = this.surface;
    for (const [name, start] of [['position', layout.positions] as const, ['normal', layout.normals] as const]) {
      const attribute = geometry.getAttribute(name);
      (attribute.array as Float32Array).set(numbers.subarray(start, start + attribute.array.length));
      attribute.needsUpdate = true;
    }
    this.#bones.forEach((bone, i) => {
      bone.quaternion.fromArray(numbers, layout.poses + i * 7);
      bone.position.fromArray(numbers, layout.poses + i * 7 + 4);
    });
    for (let i = 0; i < this.#joints.count; i++) {
      const at = layout.joints + i * 3;
      this.#joints.setMatrixAt(i, this.#matrix.makeTranslation(numbers[at], numbers[at + 1], numbers[at + 2]));
    }
    this.#joints.instanceMatrix.needsUpdate = true;
  }

  override dispose(): void {
    this.surface.geometry.dispose();
    for (const bone of this.#bones) bone.geometry.dispose();
    this.#joints.geometry.dispose();
    this.#joints.dispose();
  }
}

function colours(boneOfVertex: Int32Array): Float32Array {
  const out = new Float32Array(boneOfVertex.length * 3);
  boneOfVertex.forEach((bone, i) => {
    (bone < 0 ? FLESH : BONE).toArray(out, i * 3);
  });
  return out;
}
