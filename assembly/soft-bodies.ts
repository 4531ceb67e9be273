/**
 * Elastic forces of soft bodies and their answers to impulses, body by body: in f32 about each body's own origin, sums of forces and of momentum in f64. Specified
 * in src/kernels/reference/soft-bodies.ts; records of bodies are written by src/solvers/coupled/soft/soft-kernels.ts:
 *
 *     first vertex, vertices, first group of tets, last group, tables of both tracks, 1: asleep, 1: held | total mass (f64, at 32)
 */
import { denseRows } from './dense-rows';
import { localTets } from './local-tets';

const BODY: usize = 64;

/** force = elastic forces at `places`, 3 f64 per vertex, made to sum to nothing; `own`: room for a group of tets. Bodies asleep are left out. */
export function elasticBodies(first: usize, last: usize, own: usize, bodies: usize, places: usize, force: usize, x: usize, out: usize, tets: usize, quats: usize, masses: usize): void {
  for (let b = first; b < last; b++) {
    const body = bodies + b * BODY;
    if (load<u32>(body, 24) == 1) continue;
    const start: usize = load<u32>(body), count: usize = load<u32>(body, 4);
    const origin = places + start * 24;
    const o0 = load<f64>(origin), o1 = load<f64>(origin, 8), o2 = load<f64>(origin, 16);
    for (let v: usize = start; v < start + count; v++) {
      const at = places + v * 24;
      store<f32>(x + v * 16, f32(load<f64>(at) - o0));
      store<f32>(x + v * 16, f32(load<f64>(at, 8) - o1), 4);
      store<f32>(x + v * 16, f32(load<f64>(at, 16) - o2), 8);
    }
    memory.fill(out + start * 16, 0, count * 16);
    localTets(load<u32>(body, 8), load<u32>(body, 12), x, tets, quats, out, own);
    let s0: f64 = 0, s1: f64 = 0, s2: f64 = 0;
    for (let v: usize = start; v < start + count; v++) {
      s0 += f64(load<f32>(out + v * 16)); s1 += f64(load<f32>(out + v * 16, 4)); s2 += f64(load<f32>(out + v * 16, 8));
    }
    const total = load<f64>(body, 32);
    for (let v: usize = start; v < start + count; v++) {
      const share = -load<f64>(masses + v * 8) / total;
      const to = force + v * 24;
      store<f64>(to, f64(load<f32>(out + v * 16)) + share * s0);
      store<f64>(to, f64(load<f32>(out + v * 16, 4)) + share * s1, 8);
      store<f64>(to, f64(load<f32>(out + v * 16, 8)) + share * s2, 16);
    }
  }
}

/** velocity += A⁻¹ impulses, 3 f64 per vertex, by the table of a track; what f32 loses of the momentum is given to all vertices alike. */
export function answerBodies(first: usize, last: usize, own: usize, bodies: usize, impulses: usize, velocity: usize, x: usize, out: usize, masses: usize, track: usize): void {
  for (let b = first; b < last; b++) {
    const body = bodies + b * BODY;
    if (load<u32>(body, 24) == 1) continue;
    const start: usize = load<u32>(body), count: usize = load<u32>(body, 4);
    let s0: f64 = 0, s1: f64 = 0, s2: f64 = 0;
    for (let v: usize = start; v < start + count; v++) {
      const p0 = load<f64>(impulses + v * 24), p1 = load<f64>(impulses + v * 24, 8), p2 = load<f64>(impulses + v * 24, 16);
      store<f32>(x + v * 16, f32(p0)); store<f32>(x + v * 16, f32(p1), 4); store<f32>(x + v * 16, f32(p2), 8);
      s0 += p0; s1 += p1; s2 += p2;
    }
    denseRows(0, count, load<u32>(body + track * 4, 16), count, x + start * 16, out + start * 16);
    for (let v: usize = start; v < start + count; v++) {
      const m = load<f64>(masses + v * 8);
      const a0 = f64(load<f32>(out + v * 16)), a1 = f64(load<f32>(out + v * 16, 4)), a2 = f64(load<f32>(out + v * 16, 8));
      const to = velocity + v * 24;
      store<f64>(to, load<f64>(to) + a0); store<f64>(to, load<f64>(to, 8) + a1, 8); store<f64>(to, load<f64>(to, 16) + a2, 16);
      s0 -= m * a0; s1 -= m * a1; s2 -= m * a2;
    }
    if (load<u32>(body, 28) == 1) continue;
    const total = load<f64>(body, 32);
    const d0 = s0 / total, d1 = s1 / total, d2 = s2 / total;
    for (let v: usize = start; v < start + count; v++) {
      const to = velocity + v * 24;
      store<f64>(to, load<f64>(to) + d0); store<f64>(to, load<f64>(to, 8) + d1, 8); store<f64>(to, load<f64>(to, 16) + d2, 16);
    }
  }
}
