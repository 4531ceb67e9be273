/**
 * Writes test/scenes/golden-hashes.json: the state hash of every scene after the steps named there, from the built library. A change
 * of bits is a deliberate act: run this (`npm run golden`), and say in the commit why the numbers changed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { runGolden } from '../test/scenes/golden-run.mjs';

/** Scenes of other lists whose bits are kept too: small ones for the lattice solver, at rest and with bones that move by themselves. */
const MORE = ['stretch', 'falling-limb'];
const file = new URL('../test/scenes/golden-hashes.json', import.meta.url);
const dist = new URL('../dist/', import.meta.url).href;
const { LAYERED_SCENES, SCENES } = await import(`${dist}scenes/index.js`);
const before = JSON.parse(readFileSync(file, 'utf8'));
const wanted = process.argv.slice(2);
const after = {};
for (const name of [...SCENES.keys(), ...MORE, ...LAYERED_SCENES.keys()]) {
  const steps = before[name]?.steps ?? (name === 'stretch' ? 6 : 30);
  const isWanted = wanted.length === 0 || wanted.includes(name) || !before[name];
  const { hash, touches } = isWanted ? await runGolden(dist, name, 1, steps) : before[name];
  after[name] = { steps, touches, hash };
  const change = before[name]?.hash === hash ? 'same' : `${before[name]?.hash ?? 'none'} -> ${hash}`;
  if (isWanted) console.log(`${name.padEnd(20)} ${String(steps).padStart(4)} steps  ${change}`);
}
writeFileSync(file, `${JSON.stringify(after, null, 2)}\n`);
