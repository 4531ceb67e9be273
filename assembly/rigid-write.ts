/**
 * Poses and rates of the bones of rigid bodies from where the solver has them: what `#writePart` of src/solvers/coupled/body-writer.ts does, bit for bit. At `table`: addresses of orientations, places, velocities,
 * angular momenta, inverse masses and inverse inertias, of the turns of shapes in their bones, and of five words per part: its quaternion, matrix, place and rates, and the clock of its body, 0 where another part has it; at `time` the length of the step.
 */
import { writeRotation } from './rigid-advance';

/** Writes parts [first, last); those without a place for it are left out. */
export function writeBodies(first: usize, last: usize, own: usize, table: usize, time: usize): void {
  const h = load<f64>(time);
  for (let b = first; b < last; b++) {
    const to: usize = load<u32>(table, 28) + b * 20;
    const out: usize = load<u32>(to), rotation: usize = load<u32>(to, 4), place: usize = load<u32>(to, 8), rates: usize = load<u32>(to, 12), clock: usize = load<u32>(to, 16);
    if (out == 0) continue;
    if (clock != 0) {
      store<f64>(clock, load<f64>(clock) + 1);
      store<f64>(clock, h, 8);
    }
    const q: usize = load<u32>(table) + b * 32, t: usize = load<u32>(table, 24) + b * 32;
    const ax = load<f64>(q), ay = load<f64>(q, 8), az = load<f64>(q, 16), aw = load<f64>(q, 24);
    const bx = -load<f64>(t), by = -load<f64>(t, 8), bz = -load<f64>(t, 16), bw = load<f64>(t, 24);
    store<f64>(out, aw * bx + ax * bw + ay * bz - az * by);
    store<f64>(out, aw * by - ax * bz + ay * bw + az * bx, 8);
    store<f64>(out, aw * bz + ax * by - ay * bx + az * bw, 16);
    store<f64>(out, aw * bw - ax * bx - ay * by - az * bz, 24);
    writeRotation(out, rotation);
    const x: usize = load<u32>(table, 4) + b * 24, v: usize = load<u32>(table, 8) + b * 24, l: usize = load<u32>(table, 12) + b * 24;
    const l0 = load<f64>(l), l1 = load<f64>(l, 8), l2 = load<f64>(l, 16);
    let w0 = l0, w1 = l1, w2 = l2;
    // what others move has its angular velocity where others have their momentum
    if (load<f64>(load<u32>(table, 16) + b * 8) > 0) {
      const i: usize = load<u32>(table, 20) + b * 72;
      w0 = load<f64>(i) * l0 + load<f64>(i, 8) * l1 + load<f64>(i, 16) * l2;
      w1 = load<f64>(i, 24) * l0 + load<f64>(i, 32) * l1 + load<f64>(i, 40) * l2;
      w2 = load<f64>(i, 48) * l0 + load<f64>(i, 56) * l1 + load<f64>(i, 64) * l2;
    }
    for (let p: usize = 0; p < 3; p++) {
      store<f64>(place + p * 8, load<f64>(x + p * 8));
      const c0 = load<f64>(rotation + p * 8), c1 = load<f64>(rotation + p * 8, 24), c2 = load<f64>(rotation + p * 8, 48);
      const r = rates + p * 24;
      store<f64>(r, w1 * c2 - w2 * c1); store<f64>(r, w2 * c0 - w0 * c2, 8); store<f64>(r, w0 * c1 - w1 * c0, 16);
      store<f64>(rates + p * 8, load<f64>(v + p * 8), 72);
    }
  }
}
