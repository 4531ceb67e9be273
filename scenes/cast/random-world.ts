/**
 * Worlds made at random, for long tests: one to three bodies of any material, size and fineness, with bones of one vertex or many and joints of all types,
 * that fall, spin and fly over a floor with things on it. Nothing in them brings energy in.
 */
import type { BodyDef, BoneDef, JointDef, JointType, MaterialDef, Vec3 } from '../../src/body/body-def.js';
import type { ObstacleDef } from '../../src/collision/obstacles/obstacle-def.js';
import { createRandom, type Random } from '../../src/math/random.js';
import { buildLattice } from '../../src/mesh/tets/tet-lattice.js';
import type { SceneDef } from '../../src/scene/scene-def.js';
import { axes, between, direction } from './random-skeleton.js';

const TYPES: readonly JointType[] = ['ball', 'ball', 'hinge', 'universal', 'fixed'];
const MODELS: readonly MaterialDef['model'][] = ['arap', 'corotated', 'stableNeoHookean'];
/** Vertices of a bone, drawn with equal odds; 0: whole layers. */
const BONE_VERTICES = [1, 2, 3, 0, 0];

/** The world of a seed; its description says what it is made of. */
export function buildRandomWorld(seed: number): SceneDef {
  const random = createRandom(seed);
  const size = 10 ** random.range(-1.3, 0.7);
  const count = 1 + random.integer(3);
  const hasFloor = random.integer(5) > 0;
  const words: string[] = [`${size.toPrecision(2)} m`];
  const bodies = Array.from({ length: count }, (_, i) => {
    const body = randomBody(random, `body${i}`, size, words);
    const spin = random.integer(2) === 0 ? 0 : random.range(0, 12);
    const axis = direction(random);
    // Froude's number keeps falls of all sizes alike
    const speed = random.range(0, 2) * Math.sqrt(9.81 * size);
    const way = direction(random);
    return {
      body,
      position: [0.3 * size * random.range(-1, 1), size * (0.8 + 1.5 * i), 0.3 * size * random.range(-1, 1)] as Vec3,
      velocity: way.map((w) => w * speed) as unknown as Vec3,
      angularVelocity: axis.map((w) => w * spin) as unknown as Vec3,
    };
  });
  const dt = [1 / 30, 1 / 60, 1 / 60, 1 / 120][random.integer(4)];
  const iterations = [3, 5, 10, 10, 20][random.integer(5)];
  const floor: ObstacleDef = { name: 'floor', shape: { kind: 'plane' } };
  const obstacles = hasFloor ? [floor, ...things(random, size)] : [];
  const gravity: Vec3 = [0, hasFloor ? -9.81 : 0, 0];
  words.push(`${obstacles.length} obstacles, dt 1/${Math.round(1 / dt)}, ${iterations} iterations`);
  const description = words.join('; ');
  return { name: `random ${seed}`, description, bodies, obstacles, gravity, dt, iterations };
}

function randomBody(random: Random, name: string, size: number, words: string[]): BodyDef {
  const cells = [2 + random.integer(7), 1 + random.integer(3), 1 + random.integer(3)] as const;
  const cell = size / Math.max(...cells);
  const origin: Vec3 = [(-cells[0] * cell) / 2, (-cells[1] * cell) / 2, (-cells[2] * cell) / 2];
  const { positions, tets } = buildLattice({ cells, cellSize: cell, origin, split: 'five' });
  const model = MODELS[random.integer(MODELS.length)];
  // stiffness grows with size: flesh of 1 kPa and 5 m would be water
  const youngModulus = 10 ** random.range(3.5, 6.5) * Math.max(1, size);
  const poissonRatio = [0, 0.3, 0.45, 0.49][random.integer(4)];
  const materials = [{ model, youngModulus, poissonRatio, density: 1000 }];
  const bones = randomBones(random, positions, cells[0], cell);
  const joints = randomJoints(random, bones, positions);
  words.push(
    `${model} ${youngModulus.toExponential(0)} Pa nu ${poissonRatio}, bones of ${bones.map(({ vertices }) => vertices.length).join(' ')}`,
  );
  return { name, positions, tets, materials, bones, joints };
}

/** Up to four bones in layers across the longest side. */
function randomBones(random: Random, positions: Float64Array, layers: number, cell: number): BoneDef[] {
  const most = Math.min(4, Math.floor((layers + 1) / 2));
  const count = random.integer(most + 1);
  const left = positions[0];
  return Array.from({ length: count }, (_, i) => {
    const layer: number[] = [];
    for (let v = 0; v < positions.length / 3; v++) {
      if (Math.round((positions[v * 3] - left) / cell) === 2 * i) layer.push(v);
    }
    const few = BONE_VERTICES[random.integer(BONE_VERTICES.length)];
    const from = few === 0 ? 0 : random.integer(layer.length - few + 1);
    return { name: `b${i}`, vertices: few === 0 ? layer : layer.slice(from, from + few) };
  });
}

function randomJoints(random: Random, bones: readonly BoneDef[], positions: Float64Array): JointDef[] {
  const centre = ({ vertices }: BoneDef) =>
    [0, 1, 2].map(
      (k) => Array.from(vertices).reduce((sum, v) => sum + positions[v * 3 + k], 0) / vertices.length,
    ) as unknown as Vec3;
  return bones.slice(1).map((bone, i) => {
    const type = TYPES[random.integer(TYPES.length)];
    const anchor = between(centre(bones[i]), centre(bone));
    const [axis, secondAxis] = axes(random);
    return {
      name: `j${i}`,
      type,
      bones: [`b${i}`, `b${i + 1}`],
      anchor,
      axis,
      ...(type === 'universal' && { secondAxis }),
    };
  });
}

/** A ball and a box on the floor, or neither. */
function things(random: Random, size: number): ObstacleDef[] {
  const place = (): Vec3 => [size * random.range(-0.8, 0.8), 0, size * random.range(-0.8, 0.8)];
  const half = size * random.range(0.05, 0.15);
  const ball: ObstacleDef = { name: 'ball', shape: { kind: 'sphere', radius: half }, position: place() };
  const box: ObstacleDef = { name: 'box', shape: { kind: 'box', halfExtents: [half, half, half] }, position: place() };
  return [ball, box].slice(random.integer(3));
}
