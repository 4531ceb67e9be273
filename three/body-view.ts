/** One body as three.js objects: a mesh for its skin, and an object for each bone that moves with it. */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  FrontSide,
  Group,
  type Material,
  Mesh,
  MeshStandardMaterial,
  Object3D,
  Sphere,
} from 'three';
import { type BodyLayout, POSE } from '../host/frames/frame-layout.js';
import type { BodyInfo } from './protocol.js';

const FLESH = new Color('#d8917a');
const BONE = new Color('#efe6d2');

/** Draws a body; `update` is called with every picture. */
export class BodyView extends Group {
  readonly skin: Mesh<BufferGeometry, Material[]>;
  /** One object per bone, at its centre of mass: things can be hung on it. */
  readonly bones: readonly Object3D[];
  /** Made here, and freed by `dispose`. */
  readonly #own: (Material | BufferGeometry)[] = [];
  readonly #boneMeshes: readonly Mesh[];

  /** `materialOf` gives the material with that number in the file; undefined where there is none. */
  constructor(info: BodyInfo, materialOf: (index: number | undefined) => Material | undefined) {
    super();
    this.name = info.name;
    const geometry = this.#keep(buildGeometry(info));
    const materials = info.groups.map((group) => {
      const given = materialOf(group.material) ?? this.#keep(plainMaterial(info));
      return this.#fit(given, info.colours !== undefined, group.flat === true);
    });
    this.skin = new Mesh(geometry, materials);
    this.skin.name = `${info.name} skin`;
    this.skin.castShadow = this.skin.receiveShadow = true;
    const inside = new MeshStandardMaterial({ color: BONE, roughness: 0.5, depthTest: false, transparent: true });
    this.#keep(inside);
    this.#boneMeshes = info.bones.map(({ positions, triangles }) => {
      const shape = this.#keep(new BufferGeometry());
      shape.setAttribute('position', new BufferAttribute(positions, 3));
      shape.setIndex(new BufferAttribute(triangles, 1));
      shape.computeVertexNormals();
      const mesh = new Mesh(shape, inside);
      // drawn over the skin, which hides them
      mesh.renderOrder = 1;
      mesh.visible = false;
      return mesh;
    });
    this.bones = info.bones.map(({ name }, i) => {
      const bone = new Object3D();
      bone.name = name;
      return bone.add(this.#boneMeshes[i]);
    });
    this.add(this.skin, ...this.bones);
  }

  /** Whether the bones are drawn, through the skin. */
  get showBones(): boolean {
    return this.#boneMeshes.some(({ visible }) => visible);
  }

  set showBones(show: boolean) {
    for (const mesh of this.#boneMeshes) mesh.visible = show;
  }

  /** Shows a picture. */
  update(numbers: Float32Array, layout: BodyLayout): void {
    const { geometry } = this.skin;
    for (const [name, start] of [['position', layout.positions] as const, ['normal', layout.normals] as const]) {
      const attribute = geometry.getAttribute(name) as BufferAttribute;
      (attribute.array as Float32Array).set(numbers.subarray(start, start + attribute.array.length));
      attribute.needsUpdate = true;
    }
    const sphere = geometry.boundingSphere!;
    sphere.center.fromArray(numbers, layout.ball);
    sphere.radius = numbers[layout.ball + 3];
    // belongs to the positions it was computed from
    geometry.boundingBox = null;
    this.bones.forEach((bone, i) => {
      bone.quaternion.fromArray(numbers, layout.poses + i * POSE);
      bone.position.fromArray(numbers, layout.poses + i * POSE + 4);
    });
  }

  /** Frees what this body made; materials of the file are not its own. */
  override dispose(): void {
    for (const one of this.#own) one.dispose();
  }

  /** The material for a piece: what colours of vertices and flat triangles ask of it is not in the file's material. */
  #fit(material: Material, coloured: boolean, flat: boolean): Material {
    if (!coloured && !flat) return material;
    const fitted = this.#keep(material.clone());
    if (coloured) fitted.vertexColors = true;
    if (flat) Object.assign(fitted, { flatShading: true });
    return fitted;
  }

  #keep<One extends Material | BufferGeometry>(one: One): One {
    this.#own.push(one);
    return one;
  }
}

function buildGeometry(info: BodyInfo): BufferGeometry {
  const geometry = new BufferGeometry();
  for (const name of ['position', 'normal']) {
    const attribute = new BufferAttribute(new Float32Array(info.vertexCount * 3), 3);
    geometry.setAttribute(name, attribute.setUsage(DynamicDrawUsage));
  }
  info.uvs.forEach((uvs, set) => {
    geometry.setAttribute(set === 0 ? 'uv' : `uv${set}`, new BufferAttribute(uvs, 2));
  });
  if (info.colours) geometry.setAttribute('color', new BufferAttribute(info.colours, 4));
  else if (info.boneOfVertex) geometry.setAttribute('color', new BufferAttribute(colours(info.boneOfVertex), 3));
  geometry.setIndex(new BufferAttribute(info.triangles, 1));
  info.groups.forEach(({ start, count }, i) => {
    geometry.addGroup(start, count, i);
  });
  geometry.boundingSphere = new Sphere();
  return geometry;
}

function plainMaterial(info: BodyInfo): Material {
  const side = info.isSheet ? DoubleSide : FrontSide;
  return info.boneOfVertex
    ? new MeshStandardMaterial({ vertexColors: true, roughness: 0.6, side })
    : new MeshStandardMaterial({ color: FLESH, roughness: 0.6, side });
}

function colours(boneOfVertex: Int32Array): Float32Array {
  const out = new Float32Array(boneOfVertex.length * 3);
  boneOfVertex.forEach((bone, i) => {
    (bone < 0 ? FLESH : BONE).toArray(out, i * 3);
  });
  return out;
}
