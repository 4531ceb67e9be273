/** Runs a scene of the built library and fingerprints it. Plain JavaScript without outer names, so that a page can run its text too. */

/** State hash of a scene after `steps` steps, and whether anything touched; `base`: where the build is. */
export async function runGolden(base, name, threads, steps) {
  const { createWorld, disposeWorld, hashWorld, stepWorld } = await import(/* @vite-ignore */ `${base}src/index.js`);
  const { findScene } = await import(/* @vite-ignore */ `${base}scenes/index.js`);
  const { build } = findScene(name);
  const world = await createWorld(build(), { threads, iterations: 5 });
  for (let i = 0; i < steps; i++) {
    if (!stepWorld(world)) throw world.fault;
  }
  const { force, count } = world.contacts;
  const touches = force.subarray(0, 3 * count).some((part) => part !== 0);
  const result = { hash: hashWorld(world), threads: world.threads.threads, touches };
  disposeWorld(world);
  return result;
}
