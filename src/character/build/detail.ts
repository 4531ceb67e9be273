/**
 * More tetrahedra where hands and faces are: space is blown up around them, the skin is filled there with cubes of one size, and everything is
 * taken back. A lattice stays a lattice; where it was blown up, its cubes are small. Part of `buildRigged`, used where detail is asked for.
 *
 *     a bubble of radius R about c moves what is r away from c to r + (d − 1) r R² / (R² + r²): d times as large inside, itself far away
 *
 * This grows with r for d below 9, so that there is a way back.
 */
import type { Vec3 } from '../../body/body-def.js';
import { distanceVec3 } from '../../math/vec3.js';
import { DEFAULT_TETS } from '../../mesh/skin-lattice.js';
import { surfaceVolume } from '../../mesh/surface/surface.js';
import type { TriangleMesh } from '../../mesh/surface/triangle-mesh.js';
import { meshVolume } from '../../mesh/tets/tet-mesh.js';
import type { JointFacts } from '../rig/rig-bones.js';
import type { SkinOwners } from '../rig/skin-owners.js';
import { type FittedBody, fitBones } from './bones/bone-fitting.js';
import { chooseByName, matchNames } from './match-names.js';

/** Where detail is, when nothing is said: joints of these names, and all that hangs on them. */
const USUAL = ['*hand*', '*palm*', '*head*', '*face*'];
/** How many times as fine the lattice is there. */
const FINER = 2;
/** How many times as many tetrahedra as usual there may be for the sake of detail. */
const MOST_GROWTH = 2;
/** Halvings on the way back: as many as a number has digits. */
const HALVINGS = 60;

/** A place that is blown up. */
interface Bubble {
  readonly centre: Vec3;
  /** [m] */
  readonly radius: number;
}

/** As `fitBones`, with a finer lattice around joints whose names fit one of `wanted` (true: hands and heads), and around their children. */
export function fitDetailed(
  outer: TriangleMesh,
  facts: JointFacts,
  owners: SkinOwners,
  options: { readonly cell?: number; readonly tets?: number; readonly detail: true | readonly string[] },
  notes: string[],
): FittedBody {
  const bubbles = placeBubbles(outer, facts, owners, findJoints(facts.names, options.detail));
  if (bubbles.length === 0) {
    notes.push(`no joint is called ${USUAL.join(' or ')}: say which need detail (--detail, build.detail)`);
    return fitBones(outer, facts, owners, options, notes);
  }
  const blown = { ...outer, positions: mapPoints(outer.positions, (p) => blowUp(p, bubbles)) };
  const seen = surfaceVolume(blown.triangles, blown.positions) / surfaceVolume(outer.triangles, outer.positions);
  // skins with holes enclose anything: theirs is not the volume of what is inside
  const growth = seen >= 1 && seen <= FINER * FINER * FINER ? seen : undefined;
  // what is not in a bubble stays as fine as it would be without, where that is not too much
  const tets = options.tets ?? Math.round(DEFAULT_TETS * Math.min(growth ?? MOST_GROWTH, MOST_GROWTH));
  const places = facts.places.map((place) => blowUp(place, bubbles));
  const fitted = fitBones(
    blown,
    { ...facts, places, areas: owners.areasOn(blown.positions) },
    owners,
    { cell: options.cell, tets },
    notes,
  );
  const back = (point: Vec3): Vec3 => takeBack(point, bubbles);
  const mesh = { ...fitted.mesh, positions: mapPoints(fitted.mesh.positions, back) };
  return {
    ...fitted,
    mesh,
    bones: fitted.bones.map((bone) => ({ ...bone, place: back(bone.place), tip: back(bone.tip) })),
    solidVolume: fitted.solidVolume / (growth ?? meshVolume(fitted.mesh) / meshVolume(mesh)),
  };
}

function findJoints(names: readonly string[], wanted: true | readonly string[]): ReadonlySet<number> {
  const lists = names.map((name) => [name]);
  if (wanted === true) return new Set(USUAL.flatMap((pattern) => [...matchNames(pattern, lists)]));
  return new Set(wanted.flatMap((pattern) => [...chooseByName(pattern, lists, 'detail')]));
}

/** A bubble around the skin of each group of joints that are wanted and hang together. */
function placeBubbles(
  outer: TriangleMesh,
  { names, parents, places }: JointFacts,
  owners: SkinOwners,
  named: ReadonlySet<number>,
): Bubble[] {
  const groupOf = new Int32Array(names.length).fill(-1);
  let count = 0;
  const findGroup = (joint: number): number => {
    if (joint < 0) return -1;
    if (groupOf[joint] >= 0) return groupOf[joint];
    const above = findGroup(parents[joint]);
    groupOf[joint] = above >= 0 || !named.has(joint) ? above : count++;
    return groupOf[joint];
  };
  for (let joint = 0; joint < names.length; joint++) findGroup(joint);
  const others = groupOf.map((group) => (group < 0 ? count : group));
  const bubbles: Bubble[] = [];
  for (let group = 0; group < count; group++) {
    const points: Vec3[] = [];
    for (let v = 0; v < outer.positions.length / 3; v++) {
      const [x, y, z] = outer.positions.subarray(3 * v, 3 * v + 3);
      if (owners.shareOfVertex(others, v)[0] === group) points.push([x, y, z]);
    }
    if (points.length === 0) points.push(...places.filter((_, joint) => groupOf[joint] === group));
    const around = ballAround(points);
    if (around.radius > 0) bubbles.push({ ...around, centre: blowUp(around.centre, bubbles) });
  }
  return bubbles;
}

/** The middle of the box around points, and how far the farthest is from it. */
function ballAround(points: readonly Vec3[]): Bubble {
  const middle = (k: number): number => {
    const all = points.map((point) => point[k]);
    return (all.reduce((a, b) => Math.min(a, b)) + all.reduce((a, b) => Math.max(a, b))) / 2;
  };
  const centre: Vec3 = [middle(0), middle(1), middle(2)];
  return { centre, radius: points.reduce((most, point) => Math.max(most, distanceVec3(point, 0, centre, 0)), 0) };
}

function blowUp(point: Vec3, bubbles: readonly Bubble[]): Vec3 {
  return bubbles.reduce(
    (p, bubble) => scaleFrom(p, bubble.centre, stretchAt(distanceVec3(p, 0, bubble.centre, 0), bubble)),
    point,
  );
}

function takeBack(point: Vec3, bubbles: readonly Bubble[]): Vec3 {
  return bubbles.reduceRight((p, bubble) => {
    const far = distanceVec3(p, 0, bubble.centre, 0);
    return far === 0 ? p : scaleFrom(p, bubble.centre, distanceBefore(far, bubble) / far);
  }, point);
}

/** How many times as far from the centre a point comes that was `away` [m]. */
function stretchAt(away: number, { radius }: Bubble): number {
  return 1 + (FINER - 1) / (1 + (away / radius) * (away / radius));
}

/** How far from the centre a point was that came to `far` [m]. */
function distanceBefore(far: number, bubble: Bubble): number {
  let [low, high] = [far / FINER, far];
  for (let n = 0; n < HALVINGS; n++) {
    const middle = (low + high) / 2;
    if (middle * stretchAt(middle, bubble) < far) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function scaleFrom(p: Vec3, c: Vec3, s: number): Vec3 {
  return [c[0] + s * (p[0] - c[0]), c[1] + s * (p[1] - c[1]), c[2] + s * (p[2] - c[2])];
}

function mapPoints(positions: Float64Array, map: (point: Vec3) => Vec3): Float64Array {
  const out = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    out.set(map([positions[i], positions[i + 1], positions[i + 2]]), i);
  }
  return out;
}
