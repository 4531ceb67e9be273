/** Reads what of a scene's bodies is attached to others: names and vertices as the user has them become numbers, or errors. */
import type { AnyBodyDef } from '../../body/kinds/any-body-def.js';
import { kindOfBody } from '../../body/kinds/any-body-def.js';
import { requireGiven, requireList, requireOnly, TendonError } from '../../errors.js';
import type { AttachmentDef, PlacementDef } from '../../scene/scene-def.js';
import type { Attachment, SolverBody, SolverKind } from '../../solvers/solver.js';

/** Attachments of body i of a scene. */
export function readAttachments(
  i: number,
  placed: readonly PlacementDef<AnyBodyDef>[],
  bodies: readonly SolverBody[],
  // biome-ignore lint/suspicious/noExplicitAny: only the solver's kind knows what its options are
  kind: SolverKind<any>,
): Attachment[] {
  const path = `scene/bodies/${i}/attachments`;
  const given = requireList(placed[i].attachments ?? [], path);
  if (given.length > 0 && !kind.attaches) {
    throw new TendonError('E_UNKNOWN', path, given.length, `the ${kind.name} solver attaches no bodies to others`);
  }
  const filling = kindOfBody(bodies[i].def);
  if (given.length > 0 && filling === 'rigid') {
    throw new TendonError(
      'E_UNKNOWN',
      path,
      filling,
      'flesh and cloth are attached to rigid bodies; these have joints',
    );
  }
  const taken = new Set<number>();
  return given.map((one, n) => {
    const [body, bone] = findCarrier(requireGiven(one, `${path}/${n}`), bodies, `${path}/${n}`);
    return { body, bone, vertices: readVertices(one, bodies[i], taken, `${path}/${n}/vertices`) };
  });
}

function findCarrier({ to, part }: AttachmentDef, bodies: readonly SolverBody[], path: string): [number, number] {
  const body = bodies.findIndex(({ name }) => name === to);
  const rigid = bodies.filter(({ def }) => kindOfBody(def) === 'rigid').map(({ name }) => name);
  if (!rigid.includes(to)) {
    throw new TendonError('E_UNKNOWN', `${path}/to`, to, `no rigid body has this name; there are ${rigid.join(', ')}`);
  }
  requireOnly(to, bodies, `${path}/to`);
  const { names } = bodies[body].model.bones;
  const bone = part === undefined ? 0 : names.indexOf(part);
  if (bone < 0) throw new TendonError('E_UNKNOWN', `${path}/part`, part, `its parts are ${names.join(', ')}`);
  return [body, bone];
}

function readVertices({ vertices }: AttachmentDef, { model }: SolverBody, taken: Set<number>, path: string) {
  if (requireList(vertices, path).length === 0) throw new TendonError('E_EMPTY', path, 0, 'attached by no vertex');
  return Int32Array.from(vertices, (given, n) => {
    const vertex = Number.isInteger(given) ? (model.vertexMap[given] ?? -1) : -1;
    if (vertex < 0) throw new TendonError('E_INDEX', `${path}/${n}`, given, 'the body has no such vertex');
    if (taken.has(vertex) || model.pinned[vertex] === 1 || model.bones.ofVertex[vertex] >= 0) {
      const advice = 'the vertex is pinned, belongs to a bone or is attached already';
      throw new TendonError('E_SHARED_VERTEX', `${path}/${n}`, given, advice);
    }
    taken.add(vertex);
    return vertex;
  });
}
