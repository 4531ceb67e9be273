/**
 * Kills exports at random moments and looks at what lies under the final names: nothing, what was there before, or a complete file.
 *
 *     npm run build && node test/manual/kill-exports.mjs [COUNT=1000] [SEED=1]
 *
 * Half of the kills fall anywhere in the life of the process, half right after its first bytes are written. Each run writes over the files
 * of the one before, so that there is something to break.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const [count, seed] = [Number(process.argv[2] ?? 1000), Number(process.argv[3] ?? 1)];
const folder = mkdtempSync(join(tmpdir(), 'tendon-kill-'));
const at = (name) => join(folder, name);
let bits = seed >>> 0;
const random = () => {
  bits = (Math.imul(bits, 1664525) + 1013904223) >>> 0;
  return bits / 2 ** 32;
};

/** What is wrong with a file; undefined where it is complete. */
const CHECKS = {
  'a.pc2': (bytes) => {
    const expected = 32 + 12 * bytes.readInt32LE(16) * bytes.readInt32LE(28);
    return bytes.toString('latin1', 0, 11) === 'POINTCACHE2' && bytes.length === expected && bytes.readInt32LE(28) > 0;
  },
  'a.mdd': (bytes) => bytes.length === 8 + 4 * bytes.readInt32BE(0) + 12 * bytes.readInt32BE(0) * bytes.readInt32BE(4),
  'a.glb': (bytes) => {
    const length = bytes.readUInt32LE(12);
    const { buffers } = JSON.parse(bytes.toString('utf8', 20, 20 + length));
    return (
      bytes.toString('latin1', 0, 4) === 'glTF' &&
      bytes.readUInt32LE(8) === bytes.length &&
      buffers[0].byteLength <= bytes.readUInt32LE(20 + length)
    );
  },
  'a.csv': (bytes) => bytes.length > 0 && bytes[bytes.length - 1] === 10 && bytes.toString('latin1', 0, 5) === 'time,',
  'a.0001.obj': (bytes) => bytes.length > 0 && bytes[bytes.length - 1] === 10,
};

function run(index) {
  return new Promise((resolve) => {
    const outputs = ['a.pc2', 'a.mdd', 'a.glb', 'a.csv', 'a.obj'].flatMap((name) => ['-o', at(name)]);
    const words = [MAIN, 'simulate', 'pendulum', '--seconds', '0.4', '--fps', '60', ...outputs];
    const began = performance.now();
    const child = spawn(process.execPath, words, { stdio: 'ignore' });
    let timer;
    if (index % 2 === 0) timer = setTimeout(() => child.kill('SIGKILL'), 900 * random());
    else {
      const wait = 250 * random();
      const look = () => {
        const writes = readdirSync(folder).some((name) => name.includes(`.${child.pid}.`));
        if (!writes) timer = setTimeout(look, 3);
        else timer = setTimeout(() => child.kill('SIGKILL'), wait);
      };
      look();
    }
    child.on('exit', (_code, signal) => {
      clearTimeout(timer);
      resolve({ killed: signal === 'SIGKILL', ms: performance.now() - began });
    });
  });
}

let [kills, ended, broken, caught] = [0, 0, 0, 0];
for (let index = 0; kills < count; index++) {
  const { killed } = await run(index);
  if (killed) kills++;
  else ended++;
  const left = readdirSync(folder).filter((name) => /\.(part|whole)$/.test(name));
  if (killed && left.length > 0) caught++;
  for (const [name, isWhole] of Object.entries(CHECKS)) {
    if (!existsSync(at(name))) continue;
    const bytes = readFileSync(at(name));
    let good = false;
    try {
      good = isWhole(bytes);
    } catch {}
    if (!good) {
      broken++;
      console.error(`run ${index}: ${name} is broken, ${statSync(at(name)).size} bytes`);
    }
  }
  for (const name of left) rmSync(at(name));
  if (killed && (kills % 100 === 0 || kills === count))
    console.log(
      `${kills} kills, ${caught} of them while files were written, ${ended} runs ended before, ${broken} broken files`,
    );
}
rmSync(folder, { recursive: true, force: true });
process.exit(broken > 0 ? 1 : 0);
