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
