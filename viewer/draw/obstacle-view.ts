/** Obstacles as three.js meshes. A level plane is the stage's floor and is not drawn here. */
import {
  BackSide,
  type BufferGeometry,
  Float32BufferAttribute,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
} from 'three';
import { obstacleGeometry } from '../../three/obstacles/obstacle-geometry.js';
import type { ObstacleInfo } from '../worker/scene-info.js';

/** A plane has no end; so many sizes of the stage are drawn of it. */
const PLANE = 6;
/** A container throws its shadow from a little outside of its walls, which would otherwise lie in it. */
const SHADE = 1.03;
/** Numbers per obstacle in a frame: quaternion and position. */
const POSE = 7;

/** Draws obstacles and moves them along. */
export class ObstacleView extends Group {
  readonly #meshes: readonly (Mesh | undefined)[];
  readonly #solid = new MeshStandardMaterial({ color: '#b7bec6', roughness: 0.75, vertexColors: true });
  /** What keeps things in is seen through from outside: only its far side is drawn. */
  readonly #hollow = new MeshStandardMaterial({ color: '#b7bec6', roughness: 0.9, side: BackSide, vertexColors: true });

  /** Unseen; of a container only the walls away from the light throw a shadow: its inside is lit. */
  readonly #shade = new MeshBasicMaterial({ colorWrite: false, depthWrite: false, shadowSide: BackSide });

  constructor(obstacles: readonly ObstacleInfo[], size: number) {
    super();
    this.#meshes = obstacles.map(({ shape, level }) => {
      if (level) return undefined;
      const hollow = 'container' in shape && shape.container === true;
      const geometry = obstacleGeometry(shape, PLANE * size);
      // what turns about itself looks the same all the time without
      if (shape.kind === 'cylinder' || shape.kind === 'sphere') paintStaves(geometry);
      else geometry.setAttribute('color', new Float32BufferAttribute(plain(geometry), 3));
      const mesh = new Mesh(geometry, hollow ? this.#hollow : this.#solid);
      mesh.receiveShadow = true;
      mesh.castShadow = !hollow;
      if (hollow) mesh.add(this.#shadeOf(mesh));
      this.add(mesh);
      return mesh;
    });
  }

  /** Poses start at `at` in a frame's numbers. */
  update(numbers: Float32Array, at: number): void {
    this.#meshes.forEach((mesh, i) => {
      mesh?.quaternion.fromArray(numbers, at + i * POSE);
      mesh?.position.fromArray(numbers, at + i * POSE + 4);
    });
  }

  #shadeOf({ geometry }: Mesh): Mesh {
    const shade = new Mesh(geometry, this.#shade);
    shade.scale.setScalar(SHADE);
    shade.castShadow = true;
    return shade;
  }

  override dispose(): void {
    for (const mesh of this.#meshes) mesh?.geometry.dispose();
    this.#solid.dispose();
    this.#hollow.dispose();
    this.#shade.dispose();
  }
}

/** How many light and dark staves go around. */
const STAVES = 12;

/** Light and dark staves around the y axis of a shape, so that one sees it turn. */
function paintStaves(geometry: BufferGeometry): void {
  const position = geometry.getAttribute('position');
  const colours = plain(geometry);
  for (let i = 0; i < position.count; i++) {
    const share = Math.atan2(position.getX(i), position.getZ(i)) / (2 * Math.PI) + 0.5;
    const dark = Math.floor(share * STAVES + 1e-6) % 2 === 1;
    if (dark) colours.fill(0.8, 3 * i, 3 * i + 3);
  }
  geometry.setAttribute('color', new Float32BufferAttribute(colours, 3));
}

function plain(geometry: BufferGeometry): Float32Array {
  return new Float32Array(3 * geometry.getAttribute('position').count).fill(1);
}
