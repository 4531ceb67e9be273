/**
 * Saving and restoring everything that moves, bit for bit. A snapshot says which format and which world it belongs to
 * and carries a checksum; anything else is refused before a single number is changed. Little-endian.
 *
 *     0  'TNDN'   4  version   8  bytes in all   16  layout hash   32  checksum of the payload   48  payload
 */
import type { StateArray } from '../body/state.js';
import { Hash64 } from '../debug/hash64.js';
import { TendonError } from '../errors.js';
import { releaseGrabs } from './grab.js';
import { hashLayout } from './layout-hash.js';
import { insideOf, type World } from './world.js';

const MAGIC = 0x4e444e54;
const VERSION = 4;
const HEADER_BYTES = 48;

/**
 * Fingerprint of a world's state, 16 hexadecimal digits: two worlds of the same scene and options with the same hash go
 * on the same way, bit for bit.
 *
 * @example
 * console.log(hashWorld(world)); // 94cae88e27e9566d, in Node and in Chromium
 */
export function hashWorld(world: World): string {
  const hash = new Hash64();
  hash.add(Float64Array.of(world.time, world.stepCount));
  for (const array of worldArrays(world)) hash.add(array);
  return hash.toString();
}

/**
 * Everything that moves, as bytes.
 *
 * @example
 * const bytes = takeSnapshot(world);
 * stepWorld(world);
 * restoreSnapshot(world, bytes); // as if the step had not been
 */
export function takeSnapshot(world: World): Uint8Array {
  const arrays = worldArrays(world);
  const payload = 16 + arrays.reduce((sum, array) => sum + array.byteLength, 0);
  const bytes = new Uint8Array(HEADER_BYTES + payload);
  const view = new DataView(bytes.buffer);
  view.setFloat64(HEADER_BYTES, world.time, true);
  view.setFloat64(HEADER_BYTES + 8, world.stepCount, true);
  let at = HEADER_BYTES + 16;
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += array.byteLength;
  }
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, VERSION, true);
  view.setFloat64(8, bytes.length, true);
  writeText(bytes, 16, hashLayout(world));
  writeText(bytes, 32, checksum(bytes));
  return bytes;
}

/** Puts a world back to a snapshot of it, with nothing held; throws E_SNAPSHOT, with the world untouched, where it does not belong to it. */
export function restoreSnapshot(world: World, bytes: Uint8Array): void {
  if (!ArrayBuffer.isView(bytes)) refuse('bytes', bytes, 'a snapshot is an array of bytes');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES || view.getUint32(0, true) !== MAGIC)
    refuse('magic', bytes.length, 'this is no snapshot');
  const version = view.getUint32(4, true);
  if (version !== VERSION) refuse('version', version, `this version reads snapshots of version ${VERSION}`);
  if (view.getFloat64(8, true) !== bytes.length)
    refuse('length', bytes.length, 'the snapshot is cut short or too long');
  const layout = readText(bytes, 16);
  if (layout !== hashLayout(world))
    refuse('layout', layout, 'the snapshot belongs to a world of other bodies, obstacles or equations');
  if (readText(bytes, 32) !== checksum(bytes)) refuse('checksum', readText(bytes, 32), 'the snapshot is damaged');
  releaseGrabs(world);
  let at = HEADER_BYTES + 16;
  for (const array of worldArrays(world)) {
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(bytes.subarray(at, at + array.byteLength));
    at += array.byteLength;
  }
  insideOf(world).solver.restored?.();
  world.time = view.getFloat64(HEADER_BYTES, true);
  world.stepCount = view.getFloat64(HEADER_BYTES + 8, true);
  world.fault = undefined;
}

/** Everything that moves, in a fixed order. */
function worldArrays(world: World): readonly StateArray[] {
  return [
    ...world.bodies.flatMap((body) => body.state.arrays),
    ...world.obstacles.stateArrays(),
    ...insideOf(world).solver.warmStart,
  ];
}

function checksum(bytes: Uint8Array): string {
  const hash = new Hash64();
  // a copy is aligned, whatever part of a buffer the bytes came from
  const payload = new Uint8Array(bytes.length - HEADER_BYTES);
  payload.set(bytes.subarray(HEADER_BYTES));
  hash.add(new Int32Array(payload.buffer, 0, payload.length >> 2));
  return hash.toString();
}

function writeText(bytes: Uint8Array, at: number, text: string): void {
  for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
}

function readText(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 16));
}

function refuse(what: string, value: unknown, advice: string): never {
  throw new TendonError('E_SNAPSHOT', `snapshot/${what}`, value, advice);
}
