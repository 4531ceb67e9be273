/** The step allocates nothing: the heap of a process that takes 1,000 steps does not grow. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const DIST = new URL('../../dist/', import.meta.url).href;

const PROGRAM = `
  const { createWorld, stepWorld } = await import('${DIST}src/index.js');
  const { buildScene } = await import('${DIST}scenes/index.js');
  const world = await createWorld(buildScene(process.argv[1]), { iterations: 2, contact: process.argv[2] });
  for (let i = 0; i < 1000; i++) stepWorld(world);
  const result = { garbage: Infinity, kept: Infinity };
  // the engine compiles now and then, later on a busy machine; what the step itself leaves is there in every one of six stretches
  for (let stretch = 0; stretch < 6; stretch++) {
    gc();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 1000; i++) stepWorld(world);
    const during = process.memoryUsage().heapUsed;
    gc();
    const after = process.memoryUsage().heapUsed;
    result.garbage = Math.min(result.garbage, during - before);
    result.kept = Math.min(result.kept, after - before);
  }
  console.log(JSON.stringify(result));
`;

describe('a thousand steps', () => {
  it.each([
    ['bar', 'none'],
    ['pendulum', 'none'],
    ['chain', 'none'],
    ['jelly-bar', 'none'],
    ['jelly-drop', 'implicit'],
  ])('of %s with contact %s leave the heap as it was', (scene, contact) => {
    const args = ['--expose-gc', '--input-type=module', '-e', PROGRAM, scene, contact];
    const { garbage, kept } = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
    // no array is made; what is left are numbers the engine boxes when a function returns one, 16 bytes each: 5.4 kB at most
    expect(garbage / 1000).toBeLessThan(8192);
    expect(kept).toBeLessThan(100_000);
  });
});

/** Two worlds that differ in their first matrix only; both are warm, so that the engine has compiled what it will. */
const LATTICES = `
  const { createWorld, stepWorld } = await import('${DIST}src/index.js');
  const { buildScene } = await import('${DIST}scenes/index.js');
  const garbage = {};
  for (const preconditioner of ['laplacian', 'warped']) {
    const solver = { kind: 'lattice', cells: 100, iterations: 3, preconditioner };
    const world = await createWorld({ ...buildScene('jelly-bar'), solver });
    for (let i = 0; i < 400; i++) stepWorld(world);
    garbage[preconditioner] = Infinity;
    for (let stretch = 0; stretch < 3; stretch++) {
      gc();
      const before = process.memoryUsage().heapUsed;
      for (let i = 0; i < 100; i++) stepWorld(world);
      garbage[preconditioner] = Math.min(garbage[preconditioner], (process.memoryUsage().heapUsed - before) / 100);
    }
  }
  console.log(JSON.stringify(garbage));
`;

describe('a lattice with warped stiffness', () => {
  it('leaves no more on the heap than one with the Laplacian', () => {
    const args = ['--expose-gc', '--input-type=module', '-e', LATTICES];
    const { laplacian, warped } = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
    // numbers the engine boxes, 16 bytes each; one array of a level would be more
    expect(warped - laplacian).toBeLessThan(8192);
  });
});

/** Where everything pushes everything. A world of the same scene first, so that the engine has compiled what it will; then from the first contact on. */
const COUPLED = `
  const { createWorld, disposeWorld, stepWorld } = await import('${DIST}src/index.js');
  const { buildScene } = await import('${DIST}scenes/index.js');
  const { buildPile1600Scene } = await import('${DIST}scenes/coupled/pile-1600.js');
  const [name, warm, steps] = [process.argv[1], Number(process.argv[2]), Number(process.argv[3])];
  const build = () => (name === 'pile of 80' ? buildPile1600Scene({ each: 16 }) : buildScene(name));
  const before = await createWorld(build());
  for (let i = 0; i < warm; i++) stepWorld(before);
  disposeWorld(before);
  const world = await createWorld(build());
  while (world.certificate.contacts === 0) stepWorld(world);
  const result = { garbage: Infinity, kept: Infinity };
  // of the trampoline the first stretches are those in which bodies land, and on a busy machine the engine still compiles in the sixth
  for (let stretch = 0; stretch < 12; stretch++) {
    gc();
    const start = process.memoryUsage().heapUsed;
    for (let i = 0; i < steps; i++) stepWorld(world);
    const during = process.memoryUsage().heapUsed;
    gc();
    result.garbage = Math.min(result.garbage, (during - start) / steps);
    result.kept = Math.min(result.kept, process.memoryUsage().heapUsed - start);
  }
  console.log(JSON.stringify(result));
`;

describe('steps of bodies in contact', () => {
  it.each([
    ['ball-row', 400, 80],
    ['pile of 80', 300, 40],
    ['trampoline', 300, 25],
  ])('of %s leave the heap as it was', (scene, warm, steps) => {
    const args = ['--expose-gc', '--input-type=module', '-e', COUPLED, scene, String(warm), String(steps)];
    const { garbage, kept } = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
    expect(garbage).toBeLessThan(8192);
    expect(kept).toBeLessThan(100_000);
  });
});
