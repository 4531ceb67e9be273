/**
 * Long runs of the scenes of the coupled solver, from the built library: `node test/manual/coupled-soak.mjs [frames] [scene...]`. A line of JSON per scene: frames taken, the fault that
 * stopped it, deepest penetration of all frames and of the last tenth [m], largest joint gap [m], largest unexplained momentum [kg m/s], bodies lost (not finite, or farther from where they began than anything
 * there could take them), and how many sleep at the end.
 */
const dist = new URL(process.env.TENDON_DIST ?? '../../dist/', import.meta.url).href;
const { createWorld, stepWorld, hashWorld } = await import(`${dist}src/index.js`);
const { findScene } = await import(`${dist}scenes/index.js`);

const SCENES = [
  'incline',
  'ball-row',
  'mixed-stack',
  'winding-chain',
  'trampoline',
  'twisting-bar',
  'flopping-fish',
  'pile-1600',
  'sidewinder',
  'maggots',
  'maggots-tori',
  'maggot-plate',
];
/** Farther than this from where it began a body is lost [m]; deeper than this below it too. */
const FAR = 100;
const BELOW = 5;

const [frames = '10000', ...names] = process.argv.slice(2);
for (const name of names.length > 0 ? names : SCENES) console.log(JSON.stringify(await soak(name, Number(frames))));

async function soak(name, count) {
  const world = await createWorld(findScene(name).build());
  const began = world.bodies.map(({ state }) => placeOf(state));
  const worst = { deepest: 0, lastDeepest: 0, jointGap: 0, momentumDrift: 0 };
  const started = process.cpuUsage().user;
  while (world.stepCount < count && stepWorld(world)) {
    const { penetration, jointGap, momentumDrift } = world.certificate;
    worst.deepest = Math.max(worst.deepest, penetration);
    if (world.stepCount > 0.9 * count) worst.lastDeepest = Math.max(worst.lastDeepest, penetration);
    worst.jointGap = Math.max(worst.jointGap, jointGap);
    worst.momentumDrift = Math.max(worst.momentumDrift, momentumDrift ?? 0);
  }
  const lost = world.bodies.filter(({ state }, i) => isLost(began[i], placeOf(state))).length;
  const cpuMs = (process.cpuUsage().user - started) / 1000 / Math.max(1, world.stepCount);
  const fault = world.fault?.message ?? null;
  const asleep = world.certificate.sleeping ?? 0;
  return { scene: name, frames: world.stepCount, fault, ...worst, lost, asleep, cpuMs, hash: hashWorld(world) };
}

/** Mean of a body's vertices. */
function placeOf({ positions }) {
  const sum = [0, 0, 0];
  for (let i = 0; i < positions.length; i++) sum[i % 3] += (3 * positions[i]) / positions.length;
  return sum;
}

function isLost(from, to) {
  const moved = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
  return !(moved < FAR) || to[1] < from[1] - FAR || to[1] < -BELOW;
}
