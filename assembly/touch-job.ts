/** What a contact solve of layered characters works on: the words of a job, and where the numbers of bodies are. */
import { BODY_WORDS } from './bone-fronts';

/** The job at hand, from its words; every thread has its own. */
export let table: usize = 0;
export let perBody: usize = 0;
export let data: usize = 0;
export let sides: usize = 0;
export let bodies: usize = 0;
export let bones: usize = 0;
export let obstacles: usize = 0;
export let order: usize = 0;
export let firstOfBone: usize = 0;
export let boneStart: usize = 0;
export let linkStart: usize = 0;
export let linkWays: usize = 0;
export let linkValues: usize = 0;
export let linkBlocks: usize = 0;
export let next: usize = 0;
export let meets: usize = 0;
export let groups: usize = 0;
export let results: usize = 0;
export let sweeps: i32 = 0;
export let equalities: bool = false;
export let h: f64 = 0;

/** Largest change of a gap, or of an angle, in this sweep, relative to the size. */
let largest: f64 = 0;

export function beginSweep(): void {
  largest = 0;
}

export function note(change: f64): void {
  if (change > largest) largest = change;
}

export function largestChange(): f64 {
  return largest;
}

// @ts-ignore: decorator
@inline export function word(array: usize, index: usize): i32 { return load<i32>(array + (index << 2)); }
// @ts-ignore: decorator
@inline export function f(address: usize, index: usize): f64 { return load<f64>(address + (index << 3)); }
// @ts-ignore: decorator
@inline export function bodyAt(body: i32): usize { return table + <usize>body * (BODY_WORDS << 2); }
// @ts-ignore: decorator
@inline export function numbersOf(at: usize): usize { return <usize>load<u32>(at, 4); }
// @ts-ignore: decorator
@inline export function wholeOf(at: usize): usize { return <usize>load<u32>(at, 8); }
// @ts-ignore: decorator
@inline export function skinShareOf(body: i32): f64 { return load<f64>(perBody + (<usize>body << 4)); }
// @ts-ignore: decorator
@inline export function sizeOf(body: i32): f64 { return load<f64>(perBody + (<usize>body << 4), 8); }

/** Reads the words of a job, in the order of src/solvers/layered/touch/touch-job.ts. */
export function read(job: usize): void {
  table = word(job, 0);
  perBody = word(job, 1);
  data = word(job, 2);
  sides = word(job, 3);
  bodies = word(job, 4);
  bones = word(job, 5);
  obstacles = word(job, 6);
  order = word(job, 7);
  firstOfBone = word(job, 8);
  boneStart = word(job, 9);
  linkStart = word(job, 10);
  linkWays = word(job, 11);
  linkValues = word(job, 12);
  linkBlocks = word(job, 13);
  next = word(job, 14);
  meets = word(job, 15);
  groups = word(job, 16);
  results = word(job, 17);
  sweeps = word(job, 18);
  equalities = word(job, 19) != 0;
  h = load<f64>(<usize>word(job, 20));
}
