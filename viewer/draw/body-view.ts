/** One body as three.js meshes: its surface, the edges of its mesh, and the bones and joints inside. */
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  type LineBasicMaterial,
  LineSegments,
  type Material,
  Matrix4,
  Mesh,
  type MeshPhysicalMaterial,
  type MeshStandardMaterial,
  SphereGeometry,
} from 'three';
import type { BodyLayout } from '../../host/frames/frame-layout.js';
import type { BodyInfo } from '../worker/scene-info.js';
import { GhostView } from './joints/ghost-view.js';
import { LimitView } from './joints/limit-view.js';
import { LookMaterials } from './look-materials.js';
import type { Overlays } from './overlays.js';
import { paintOf } from './paint.js';
import { createSkinMaterial, setSeeThrough, surfaceColours } from './skin-material.js';
import { colourActivation, colourStrain } from './strain-colours.js';

/** What all bodies of a scene share. */
export interface Materials {
  readonly strain: Material;
  readonly bone: MeshStandardMaterial;
  readonly joint: MeshStandardMaterial;
  readonly edge: LineBasicMaterial;
}

/** Draws one body. */
export class BodyView extends Group {
  readonly surface: Mesh;
  readonly #info: BodyInfo;
  readonly #materials: Materials;
  readonly #look: LookMaterials | undefined;
  readonly #skin: MeshPhysicalMaterial;
  readonly #bones: readonly Mesh[];
  readonly #joints: InstancedMesh;
  readonly #edges: LineSegments;
  readonly #limits: LimitView;
  readonly #ghosts: GhostView;
  readonly #colours: Float32Array;
  readonly #matrix = new Matrix4();
  /** What the colours show instead of the skin's own. */
  #shown: 'strain' | 'activation' | undefined;

  constructor(bodies: readonly BodyInfo[], index: number, size: number, materials: Materials, changed: () => void) {
    super();
    const info = bodies[index];
    this.#info = info;
    this.#materials = materials;
    this.#look = info.look && new LookMaterials(info.look, changed);
    const painted = info.look && (withoutOpacity(info.colours) ?? new Float32Array(info.vertexCount * 3).fill(1));
    this.#colours = painted ?? surfaceColours(bodies, index);
    const geometry = new BufferGeometry();
    for (const name of ['position', 'normal']) geometry.setAttribute(name, dynamic(info.vertexCount));
    geometry.setAttribute('color', new BufferAttribute(this.#colours.slice(), 3));
    geometry.setAttribute('rest', new BufferAttribute(info.inside.rest, 3));
    geometry.setAttribute('sky', new BufferAttribute(info.sky, 1));
    geometry.setIndex(new BufferAttribute(info.triangles, 1));
    info.look?.pieces.forEach(({ start, count }, i) => {
      geometry.addGroup(start, count, i);
    });
    if (info.look) geometry.setAttribute('uv', new BufferAttribute(info.look.uvs, 2));
    this.#skin = createSkinMaterial(paintOf(info.character), size);
    if (info.isSheet) this.#skin.side = DoubleSide;
    this.surface = new Mesh(geometry, this.#look?.materials ?? this.#skin);
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
    this.#joints = new InstancedMesh(new SphereGeometry(0.011 * size, 20, 14), materials.joint, info.inside.jointCount);
    this.#joints.frustumCulled = false;
    // Joints sit inside bones: drawn last and over them.
    this.#joints.renderOrder = 2;
    const wire = new BufferGeometry();
    wire.setAttribute(
      'position',
      info.inside.cageCount > 0 ? dynamic(info.inside.cageCount) : geometry.getAttribute('position'),
    );
    wire.setIndex(new BufferAttribute(info.inside.edges, 1));
    this.#edges = new LineSegments(wire, materials.edge);
    this.#edges.frustumCulled = false;
    this.#edges.renderOrder = 2;
    this.#limits = new LimitView(info.inside.limits);
    this.#ghosts = new GhostView(
      info.inside.led,
      this.#bones.map((bone) => bone.geometry),
    );
    this.add(this.surface, ...this.#bones, this.#joints, this.#edges, this.#limits, this.#ghosts);
  }

  /** Where the bones are: quaternion and place, 7 numbers each. */
  get poses(): number[] {
    return this.#bones.flatMap(({ quaternion, position }) => [...quaternion.toArray(), ...position.toArray()]);
  }

  /** How many ghosts of bones are there to be seen. */
  get ghosts(): number {
    return this.#ghosts.visible ? this.#ghosts.seen : 0;
  }

  show(overlays: Overlays): void {
    for (const bone of this.#bones) bone.visible = overlays.bones;
    this.#joints.visible = overlays.joints;
    this.#limits.visible = overlays.joints;
    this.#ghosts.visible = overlays.joints;
    this.#edges.visible = overlays.tets && !overlays.cut;
    // A pointer finds it all the same.
    this.surface.visible = !overlays.cut;
    this.#look?.setSeeThrough(overlays.bones || overlays.joints);
    setSeeThrough(this.#skin, overlays.bones || overlays.joints);
    const works = overlays.activation && this.#info.inside.hasFibres;
    const shown = overlays.strain ? 'strain' : works ? 'activation' : undefined;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.surface.material = shown ? this.#materials.strain : (this.#look?.materials ?? this.#skin);
    const colour = this.surface.geometry.getAttribute('color') as BufferAttribute;
    (colour.array as Float32Array).set(this.#colours);
    colour.needsUpdate = true;
  }

  update(numbers: Float32Array, layout: BodyLayout): void {
    const { geometry } = this.surface;
    copyInto(geometry.getAttribute('position') as BufferAttribute, numbers, layout.positions);
    copyInto(geometry.getAttribute('normal') as BufferAttribute, numbers, layout.normals);
    if (this.#info.inside.cageCount > 0) {
      copyInto(this.#edges.geometry.getAttribute('position') as BufferAttribute, numbers, layout.cage);
    }
    if (this.#shown) {
      const colour = geometry.getAttribute('color') as BufferAttribute;
      const paint = this.#shown === 'strain' ? colourStrain : colourActivation;
      paint(numbers, layout.strain, this.#info.vertexCount, colour.array as Float32Array);
      colour.needsUpdate = true;
    }
    this.#bones.forEach((bone, i) => {
      bone.quaternion.fromArray(numbers, layout.poses + i * 7);
      bone.position.fromArray(numbers, layout.poses + i * 7 + 4);
    });
    this.#limits.update(numbers, layout.poses);
    this.#ghosts.update(numbers, layout.ghosts);
    for (let i = 0; i < this.#joints.count; i++) {
      const at = layout.joints + i * 3;
      this.#joints.setMatrixAt(i, this.#matrix.makeTranslation(numbers[at], numbers[at + 1], numbers[at + 2]));
    }
    this.#joints.instanceMatrix.needsUpdate = true;
  }

  override dispose(): void {
    this.surface.geometry.dispose();
    this.#edges.geometry.dispose();
    for (const bone of this.#bones) bone.geometry.dispose();
    this.#limits.dispose();
    this.#ghosts.dispose();
    this.#joints.geometry.dispose();
    this.#joints.dispose();
    this.#look?.dispose();
    this.#skin.dispose();
  }
}

/** Red, green and blue of colours that have four numbers. */
function withoutOpacity(colours: Float32Array | undefined): Float32Array | undefined {
  return colours?.filter((_, i) => i % 4 < 3);
}

function dynamic(count: number): BufferAttribute {
  return new BufferAttribute(new Float32Array(count * 3), 3).setUsage(DynamicDrawUsage);
}

function copyInto(attribute: BufferAttribute, numbers: Float32Array, at: number): void {
  (attribute.array as Float32Array).set(numbers.subarray(at, at + attribute.array.length));
  attribute.needsUpdate = true;
}
