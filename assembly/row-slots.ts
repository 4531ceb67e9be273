/** Slots of soft bodies before and after a track: what src/solvers/coupled/soft/soft-sides.ts does, bit for bit, body by body. `job`: see assembly/row-job.ts. */
import { firstVertex, isAsleep, sizeOf, slotCountOf, slotImpulseOf, slotVelocityOf, slotVertexOf, softBody, tableOf, vertexVelocityOf } from './row-job';

/** Slots of bodies [first, last) take the velocities of their vertices, and have no impulses yet. Those of bodies asleep do not move. */
export function beginSlots(first: usize, last: usize, own: usize, job: usize): void {
  for (let s = first; s < last; s++) {
    const body = softBody(job, s);
    const start = firstVertex(body), end = start + slotCountOf(job, s);
    if (isAsleep(body)) {
      memory.fill(slotVelocityOf(job, start), 0, (end - start) * 24);
      continue;
    }
    memory.fill(slotImpulseOf(job, start), 0, (end - start) * 24);
    for (let slot = start; slot < end; slot++) {
      memory.copy(slotVelocityOf(job, slot), vertexVelocityOf(job, start + slotVertexOf(job, slot)), 24);
    }
  }
}

/** Moves all vertices of bodies [first, last) as the impulses on their slots want. */
export function finishSlots(first: usize, last: usize, own: usize, job: usize): void {
  for (let s = first; s < last; s++) {
    const body = softBody(job, s);
    if (isAsleep(body)) continue;
    const start = firstVertex(body), size = sizeOf(body), end = start + slotCountOf(job, s);
    const to = vertexVelocityOf(job, start);
    for (let slot = start; slot < end; slot++) {
      const p = slotImpulseOf(job, slot);
      const p0 = load<f64>(p), p1 = load<f64>(p, 8), p2 = load<f64>(p, 16);
      if (p0 == 0 && p1 == 0 && p2 == 0) continue;
      answerAll(to, size, tableOf(body) + slotVertexOf(job, slot) * size * 8, p0, p1, p2);
    }
  }
}

/** Velocities of all vertices += a row of the table times an impulse: two vertices at a time, which are three lanes of two. */
// @ts-ignore: decorator
@inline function answerAll(to: usize, size: usize, row: usize, p0: f64, p1: f64, p2: f64): void {
  const xy = f64x2.replace_lane(f64x2.splat(p0), 1, p1), zx = f64x2.replace_lane(f64x2.splat(p2), 1, p0), yz = f64x2.replace_lane(f64x2.splat(p1), 1, p2);
  let v: usize = 0;
  let at = to;
  for (; v + 2 <= size; v += 2, at += 48) {
    const c = v128.load(row + v * 8);
    v128.store(at, f64x2.add(v128.load(at), f64x2.mul(v128.shuffle<f64>(c, c, 0, 0), xy)));
    v128.store(at, f64x2.add(v128.load(at, 16), f64x2.mul(c, zx)), 16);
    v128.store(at, f64x2.add(v128.load(at, 32), f64x2.mul(v128.shuffle<f64>(c, c, 1, 1), yz)), 32);
  }
  if (v == size) return;
  const c = load<f64>(row + v * 8);
  store<f64>(at, load<f64>(at) + c * p0);
  store<f64>(at, load<f64>(at, 8) + c * p1, 8);
  store<f64>(at, load<f64>(at, 16) + c * p2, 16);
}
