/**
 * A walk of the human as data: where its ankles are, from which hips and knees follow, arms that swing against the legs, and the way of the torso.
 * It starts and ends standing. Metres, seconds, radians; the human faces +z.
 */

import { sin } from '../../src/math/trig.js';
import type { SignalDef, SignalVector, TrackDrive } from '../../src/scene/drive-def.js';
import { turnBetween } from './turn-between.js';

/** One cycle [s], the share of it a foot stands, how far it is passed meanwhile [m], how high it is lifted, how far the hips sink. */
const WALK = { cycle: 1.1, stance: 0.6, stride: 0.42, lift: 0.09, sink: 0.035 } as const;
/** Joints of the leg at rest, height and depth [m]. */
const HIP = [0.9, 0] as const;
const KNEE = [0.49, 0.008] as const;
const ANKLE = [0.085, -0.025] as const;
const KEYS_PER_SECOND = 30;
/** Time from standing to walking and back [s]. */
const EASE = 1;

/** How hard the torso is led [Hz]: soft enough that the legs carry. */
const ROOT_STRENGTH = 1.5;

/** Forward speed while walking [m/s]. */
export const WALK_SPEED = WALK.stride / (WALK.cycle * WALK.stance);

/** The drive of a human that walks for `duration` [s]. */
export function walkDrive(body: string, duration: number, options: Partial<TrackDrive> = {}): TrackDrive {
  const times = Array.from({ length: Math.round(duration * KEYS_PER_SECOND) + 1 }, (_, i) => i / KEYS_PER_SECOND);
  const pace = times.map((time) => ease(time / EASE) * ease((duration - time) / EASE));
  const way = [0];
  for (let i = 1; i < times.length; i++) way.push(way[i - 1] + (0.5 * (pace[i] + pace[i - 1])) / KEYS_PER_SECOND);
  const signal = (at: (i: number) => number): SignalDef => ({
    kind: 'keys',
    times,
    values: times.map((_, i) => at(i)),
  });
  const joints: { joint: string; turn: SignalVector }[] = [];
  for (const [side, phase, sign] of [
    ['Left', 0, 1],
    ['Right', 0.5, -1],
  ] as const) {
    const bends = times.map((_, i) => bendLeg(way[i] / WALK.cycle + phase, pace[i]));
    const swing = (i: number) => -0.35 * pace[i] * sin(2 * Math.PI * (way[i] / WALK.cycle + phase + 0.2));
    joints.push({ joint: `hip${side}`, turn: [signal((i) => bends[i].hip), 0, 0] });
    joints.push({ joint: `knee${side}`, turn: [signal((i) => bends[i].knee), 0, 0] });
    // soles stay level
    joints.push({ joint: `ankle${side}`, turn: [signal((i) => -bends[i].hip - bends[i].knee), 0, 0] });
    joints.push({ joint: `shoulder${side}`, turn: [signal(swing), 0, signal((i) => -0.5 * sign * ease(times[i]))] });
    joints.push({ joint: `elbow${side}`, turn: [signal((i) => -0.3 * pace[i]), 0, 0] });
  }
  const shift: SignalVector = [0, signal((i) => -WALK.sink * pace[i]), signal((i) => WALK_SPEED * way[i])];
  const bones = [{ bone: 'torso', strength: ROOT_STRENGTH }];
  return { kind: 'track', body, strength: 8, rootMode: 'assisted', bones, shift, joints, ...options };
}

/** Turns of hip and knee about x that put the ankle where it is at a phase of the walk, `pace` of the way from standing. */
function bendLeg(phase: number, pace: number): { hip: number; knee: number } {
  const at = phase - Math.floor(phase);
  const swinging = Math.max(0, (at - WALK.stance) / (1 - WALK.stance));
  const along = at < WALK.stance ? 0.5 - at / WALK.stance : ease(swinging) - 0.5;
  const up = ANKLE[0] + pace * WALK.lift * 4 * swinging * (1 - swinging);
  const forward = ANKLE[1] + pace * WALK.stride * along;
  const hip = HIP[0] - pace * WALK.sink;
  const [down, out] = [hip - up, forward - HIP[1]];
  const [thigh, shin] = [lengthOf(HIP, KNEE), lengthOf(KNEE, ANKLE)];
  const reach = Math.min(Math.sqrt(down * down + out * out), 0.9999 * (thigh + shin));
  // directions from straight down, forward counts
  const line = angleOf(down, out);
  const upper = line + angleOfCosine((thigh * thigh + reach * reach - shin * shin) / (2 * thigh * reach));
  const inner = angleOfCosine((thigh * thigh + shin * shin - reach * reach) / (2 * thigh * shin));
  const lower = upper - (Math.PI - inner);
  const [upperRest, lowerRest] = [directionOf(HIP, KNEE), directionOf(KNEE, ANKLE)];
  return { hip: upperRest - upper, knee: upper - upperRest - (lower - lowerRest) };
}

type Point = readonly [number, number];

function lengthOf(a: Point, b: Point): number {
  return Math.sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]));
}

function directionOf(a: Point, b: Point): number {
  return angleOf(a[0] - b[0], b[1] - a[1]);
}

function angleOf(cosine: number, sine: number): number {
  return turnBetween([cosine, sine]);
}

function angleOfCosine(cosine: number): number {
  return turnBetween([cosine, Math.sqrt(Math.max(0, 1 - cosine * cosine))]);
}

function ease(x: number): number {
  const t = Math.min(1, Math.max(0, x));
  return t * t * (3 - 2 * t);
}
