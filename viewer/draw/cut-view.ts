/** Bodies cut open, as three.js meshes: the faces of the tetrahedra behind the cut, with their edges. */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
} from 'three';
import type { CutShape } from '../worker/scene-info.js';
import { BONE } from './skin-material.js';

const MEAT = new Color('#e29a86');

/** Draws the cut bodies of a frame. */
export class CutView extends Group {
  readonly #faces = new MeshStandardMaterial({
    vertexColors: true,
    flatShading: true,
    roughness: 0.8,
    // Edges lie in the faces: let them win.
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
  readonly #edges = new MeshBasicMaterial({ color: '#3a2a24', wireframe: true, transparent: true, opacity: 0.28 });
  #geometries: BufferGeometry[] = [];

  /** `offsets`: where each body is drawn, from where it is [m]. */
  update(cuts: readonly CutShape[] | undefined, offsets: readonly (readonly [number, number, number])[]): void {
    if (!cuts) {
      this.#clear();
      return;
    }
    for (let i = this.#geometries.length; i < cuts.length; i++) this.#prepare(cuts[i], offsets[i]);
    cuts.forEach(({ corners }, i) => {
      const position = this.#geometries[i].getAttribute('position') as BufferAttribute;
      (position.array as Float32Array).set(corners);
      position.needsUpdate = true;
    });
  }

  override dispose(): void {
    this.#clear();
    this.#faces.dispose();
    this.#edges.dispose();
  }

  /** The next cut goes through the bodies as they are then. */
  #clear(): void {
    this.clear();
    for (const geometry of this.#geometries) geometry.dispose();
    this.#geometries = [];
  }

  #prepare({ corners, bone }: CutShape, offset: readonly [number, number, number]): void {
    const geometry = new BufferGeometry();
    const position = new BufferAttribute(new Float32Array(corners.length), 3).setUsage(DynamicDrawUsage);
    const colours = new Float32Array(corners.length);
    for (let corner = 0; corner * 3 < colours.length; corner++) {
      (bone[Math.floor(corner / 3)] ? BONE : MEAT).toArray(colours, corner * 3);
    }
    geometry.setAttribute('position', position);
    geometry.setAttribute('color', new BufferAttribute(colours, 3));
    for (const material of [this.#faces, this.#edges]) {
      const mesh = new Mesh(geometry, material);
      mesh.position.set(...offset);
      mesh.frustumCulled = false;
      mesh.castShadow = material === this.#faces;
      this.add(mesh);
    }
    this.#geometries.push(geometry);
  }
}
