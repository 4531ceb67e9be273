/** Where the rows of a coupled world lie, as src/solvers/coupled/rows/row-job.ts writes it: words of a job. */

// contacts: bodies, arms, sides, normals, gaps, friction, whether they sleep, impulses of the track
// @ts-ignore: decorator
@inline export function bodyA(job: usize, c: usize): usize { return load<u32>(load<u32>(job) + c * 4); }
// @ts-ignore: decorator
@inline export function bodyB(job: usize, c: usize): usize { return load<u32>(load<u32>(job, 4) + c * 4); }
// @ts-ignore: decorator
@inline export function armA(job: usize, c: usize): usize { return load<u32>(job, 8) + c * 24; }
// @ts-ignore: decorator
@inline export function armB(job: usize, c: usize): usize { return load<u32>(job, 12) + c * 24; }
// @ts-ignore: decorator
@inline export function sideA(job: usize, c: usize): i32 { return load<i32>(load<u32>(job, 16) + c * 4); }
// @ts-ignore: decorator
@inline export function sideB(job: usize, c: usize): i32 { return load<i32>(load<u32>(job, 20) + c * 4); }
// @ts-ignore: decorator
@inline export function normalOf(job: usize, c: usize): usize { return load<u32>(job, 24) + c * 24; }
// @ts-ignore: decorator
@inline export function gapOf(job: usize, c: usize): f64 { return load<f64>(load<u32>(job, 28) + c * 8); }
// @ts-ignore: decorator
@inline export function frictionOf(job: usize, c: usize): f64 { return load<f64>(load<u32>(job, 32) + c * 8); }
// @ts-ignore: decorator
@inline export function isFrozen(job: usize, c: usize): bool { return load<u32>(load<u32>(job, 36) + c * 4) == 1; }
// @ts-ignore: decorator
@inline export function pushOf(job: usize, c: usize): usize { return load<u32>(job, 40) + c * 24; }
// impulses of the position track
// @ts-ignore: decorator
@inline export function positionPushOf(job: usize, c: usize): usize { return load<u32>(job, 208) + c * 24; }
// what a row is after and how it gives way
// @ts-ignore: decorator
@inline export function boundOf(job: usize, c: usize): usize { return load<u32>(job, 44) + c * 8; }
// @ts-ignore: decorator
@inline export function openingOf(job: usize, c: usize): usize { return load<u32>(job, 48) + c * 8; }
// @ts-ignore: decorator
@inline export function slidingOf(job: usize, c: usize): usize { return load<u32>(job, 52) + c * 8; }
// @ts-ignore: decorator
@inline export function softnessOf(job: usize, c: usize): usize { return load<u32>(job, 56) + c * 8; }
// rigid bodies: velocities, inverse masses, inverse inertias
// @ts-ignore: decorator
@inline export function twistOf(job: usize, b: usize): usize { return load<u32>(job, 60) + b * 48; }
// @ts-ignore: decorator
@inline export function inverseMassOf(job: usize, b: usize): f64 { return load<f64>(load<u32>(job, 64) + b * 8); }
// @ts-ignore: decorator
@inline export function inverseInertiaOf(job: usize, b: usize): usize { return load<u32>(job, 68) + b * 72; }
// sides of soft bodies: body, three slots, three weights, how they answer themselves
// @ts-ignore: decorator
@inline export function softOf(job: usize, side: usize): usize { return load<u32>(load<u32>(job, 72) + side * 4); }
// @ts-ignore: decorator
@inline export function slotsOf(job: usize, side: usize): usize { return load<u32>(job, 76) + side * 12; }
// @ts-ignore: decorator
@inline export function weightsOf(job: usize, side: usize): usize { return load<u32>(job, 80) + side * 24; }
// @ts-ignore: decorator
@inline export function ownOf(job: usize, side: usize): usize { return load<u32>(job, 84) + side * 8; }
// slots, from the first vertex of their body on: vertex, velocity, impulse; how many a body has
// @ts-ignore: decorator
@inline export function slotVertexOf(job: usize, slot: usize): usize { return load<u32>(load<u32>(job, 88) + slot * 4); }
// @ts-ignore: decorator
@inline export function slotVelocityOf(job: usize, slot: usize): usize { return load<u32>(job, 92) + slot * 24; }
// @ts-ignore: decorator
@inline export function slotImpulseOf(job: usize, slot: usize): usize { return load<u32>(job, 96) + slot * 24; }
// @ts-ignore: decorator
@inline export function slotCountOf(job: usize, s: usize): usize { return load<u32>(load<u32>(job, 100) + s * 4); }
// soft bodies: first vertex, number of vertices, table of the track, whether asleep, table of the slots in f32
// @ts-ignore: decorator
@inline export function softBody(job: usize, s: usize): usize { return load<u32>(job, 104) + s * 32; }
// @ts-ignore: decorator
@inline export function firstVertex(body: usize): usize { return load<u32>(body); }
// @ts-ignore: decorator
@inline export function sizeOf(body: usize): usize { return load<u32>(body, 4); }
// @ts-ignore: decorator
@inline export function tableOf(body: usize): usize { return load<u32>(body, 8); }
// @ts-ignore: decorator
@inline export function isAsleep(body: usize): bool { return load<u32>(body, 12) == 1; }
// @ts-ignore: decorator
@inline export function slotTableOf(body: usize): usize { return load<u32>(body, 16); }
// velocities of vertices; rows, bodies and slots of a heap in f32; its rows by number and by address; settings
// @ts-ignore: decorator
@inline export function vertexVelocityOf(job: usize, vertex: usize): usize { return load<u32>(job, 108) + vertex * 24; }
// @ts-ignore: decorator
@inline export function heapRow(job: usize, n: usize): usize { return load<u32>(job, 112) + n * 128; }
// @ts-ignore: decorator
@inline export function heapBody(job: usize, b: usize): usize { return load<u32>(job, 116) + b * 80; }
/** The first slot of soft body s in f32: bodies have four slots more than vertices, one of them before the first. */
// @ts-ignore: decorator
@inline export function heapSlots(job: usize, body: usize, s: usize): usize { return load<u32>(job, 120) + (firstVertex(body) + s * 4 + 1) * 16; }
// @ts-ignore: decorator
@inline export function rowNumber(job: usize, n: usize): i32 { return load<i32>(load<u32>(job, 124) + n * 4); }
// @ts-ignore: decorator
@inline export function rowAddress(job: usize, n: usize): usize { return load<u32>(job, 128) + n * 4; }
// @ts-ignore: decorator
@inline export function settings(job: usize): usize { return load<u32>(job, 132); }
// joints: where bodies are and how they are turned; bodies, arms, projectors, inverses, compliances, targets, impulses of the track, how blocks give way, anchors, what they hold, blocks of a heap in f32
// @ts-ignore: decorator
@inline export function placeOf(job: usize, b: usize): usize { return load<u32>(job, 136) + b * 24; }
// @ts-ignore: decorator
@inline export function quatOf(job: usize, b: usize): usize { return load<u32>(job, 140) + b * 32; }
// @ts-ignore: decorator
@inline export function blockA(job: usize, i: usize): usize { return load<u32>(load<u32>(job, 144) + i * 4); }
// @ts-ignore: decorator
@inline export function blockB(job: usize, i: usize): usize { return load<u32>(load<u32>(job, 148) + i * 4); }
// @ts-ignore: decorator
@inline export function blockArmA(job: usize, i: usize): usize { return load<u32>(job, 152) + i * 24; }
// @ts-ignore: decorator
@inline export function blockArmB(job: usize, i: usize): usize { return load<u32>(job, 156) + i * 24; }
// @ts-ignore: decorator
@inline export function projectorOf(job: usize, i: usize): usize { return load<u32>(job, 160) + i * 72; }
// @ts-ignore: decorator
@inline export function inverseOf(job: usize, i: usize): usize { return load<u32>(job, 164) + i * 72; }
// @ts-ignore: decorator
@inline export function complianceOf(job: usize, i: usize): usize { return load<u32>(job, 168) + i * 8; }
// @ts-ignore: decorator
@inline export function targetOf(job: usize, i: usize): usize { return load<u32>(job, 172) + i * 24; }
// @ts-ignore: decorator
@inline export function givesOf(job: usize, i: usize): f64 { return load<f64>(load<u32>(job, 176) + i * 8); }
// @ts-ignore: decorator
@inline export function anchorsOf(job: usize, i: usize): usize { return load<u32>(job, 180) + i * 48; }
// @ts-ignore: decorator
@inline export function formOf(job: usize, i: usize): i32 { return load<i32>(load<u32>(job, 184) + i * 4); }
// @ts-ignore: decorator
@inline export function blockPush(job: usize, i: usize): usize { return load<u32>(job, 188) + i * 24; }
// @ts-ignore: decorator
@inline export function heapBlock(job: usize, i: usize): usize { return load<u32>(job, 192) + i * 176; }

// rigid bodies: rotation matrices; inertia and its inverse in their own frames
// @ts-ignore: decorator
@inline export function rotationOf(job: usize, b: usize): usize { return load<u32>(job, 196) + b * 72; }
// @ts-ignore: decorator
@inline export function bodyInertia(job: usize, b: usize): usize { return load<u32>(job, 200) + b * 72; }
// @ts-ignore: decorator
@inline export function bodyInverse(job: usize, b: usize): usize { return load<u32>(job, 204) + b * 72; }

/** Three f64 as a vector of f32. */
export function layVector(to: usize, from: usize): void {
  store<f32>(to, f32(load<f64>(from)));
  store<f32>(to, f32(load<f64>(from, 8)), 4);
  store<f32>(to, f32(load<f64>(from, 16)), 8);
  store<f32>(to, 0, 12);
}

/** An impulse on a rigid body at the end of an arm. */
export function pushPoint(job: usize, body: usize, arm: usize, p0: f64, p1: f64, p2: f64): void {
  const m = inverseMassOf(job, body);
  if (m == 0) return;
  const r0 = load<f64>(arm), r1 = load<f64>(arm, 8), r2 = load<f64>(arm, 16);
  const v = twistOf(job, body);
  store<f64>(v, load<f64>(v) + m * p0);
  store<f64>(v, load<f64>(v, 8) + m * p1, 8);
  store<f64>(v, load<f64>(v, 16) + m * p2, 16);
  turnBody(job, body, r1 * p2 - r2 * p1, r2 * p0 - r0 * p2, r0 * p1 - r1 * p0);
}

/** A turning impulse on a rigid body. */
export function turnBody(job: usize, body: usize, x: f64, y: f64, z: f64): void {
  const v = twistOf(job, body), i = inverseInertiaOf(job, body);
  store<f64>(v, load<f64>(v, 24) + (load<f64>(i) * x + load<f64>(i, 8) * y + load<f64>(i, 16) * z), 24);
  store<f64>(v, load<f64>(v, 32) + (load<f64>(i, 24) * x + load<f64>(i, 32) * y + load<f64>(i, 40) * z), 32);
  store<f64>(v, load<f64>(v, 40) + (load<f64>(i, 48) * x + load<f64>(i, 56) * y + load<f64>(i, 64) * z), 40);
}
