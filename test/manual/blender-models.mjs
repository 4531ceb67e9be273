/**
 * Bakes every model of a folder, hanging by its root and playing each clip that is asked for, and lets Blender read the files: `.glb` vertex by vertex
 * against the point cache of the same run, `.pc2` and `.mdd` through its modifier. Khronos' validator looks at the `.glb`. Prints a table.
 *
 *     npm run build && node test/manual/blender-models.mjs FOLDER [SECONDS=1] [--clips first|all|none] [--bake helpers]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import validator from 'gltf-validator';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { clips: { type: 'string', default: 'first' }, bake: { type: 'string', default: 'targets' } },
});
const [models, seconds = '1'] = positionals;
const folder = mkdtempSync(join(tmpdir(), 'tendon-blender-'));
const at = (name) => join(folder, name);

function run(program, words) {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 28 });
  return { status, said: `${stdout}\n${stderr}` };
}

function blender(script, ...words) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  return run('blender', ['-b', '--factory-startup', '--python-exit-code', '1', '-P', path, '--', ...words]).said;
}

/** What a character can play, as the program says where it is asked for something else. */
function clipsOf(model) {
  const said = run(process.execPath, [MAIN, 'simulate', model, '--clip', ' ']).said;
  const names = /clips are: (.*) \(found/.exec(said)?.[1] ?? 'none';
  const all = names === 'none' ? [] : names.split(', ');
  return all.slice(0, { all: all.length, first: 1, none: 0 }[values.clips]);
}

async function isValid(path) {
  const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(path)));
  return issues.numErrors + issues.numWarnings === 0
    ? 'clean'
    : `${issues.numErrors} errors, ${issues.numWarnings} warnings`;
}

const isModel = (name) => /\.(glb|gltf|obj|node)$/.test(name);
console.log(
  '| model | motion | vertices | `.glb`: file, worst, mean | validator | `.pc2` | `.mdd` |\n| --- | --- | --- | --- | --- | --- | --- |',
);
for (const name of readdirSync(models).filter(isModel).sort()) {
  const model = join(models, name);
  for (const clip of [undefined, ...clipsOf(model)]) {
    const outputs = ['a.glb', 'a.pc2', 'a.mdd', 'a.obj'].flatMap((file) => ['-o', at(file)]);
    const motion = clip === undefined ? [] : ['--clip', clip];
    const words = [MAIN, 'simulate', model, ...motion, '--seconds', seconds, '--bake', values.bake, ...outputs];
    const { status, said } = run(process.execPath, words);
    const label = `| ${name} | ${clip ?? 'hangs'} |`;
    if (status !== 0 || !existsSync(at('a.glb'))) {
      console.log(`${label} not baked: ${said.trim().split('\n').pop()} |`);
      continue;
    }
    const glb = blender('blender-bake.py', at('a.glb'), at('a.pc2'), '30');
    const [, seen, worst, mean] = /(\d+ of \d+) vertices.*off by at most ([\d.]+ mm), ([\d.]+ mm)/.exec(glb) ?? [];
    if (seen === undefined)
      console.log(
        glb
          .split('\n')
          .filter((line) => /Error/.test(line))
          .join('\n'),
      );
    const caches = blender('blender-cache.py', at('a.0000.obj'), at('a.pc2'), at('a.mdd'));
    const cache = (kind) =>
      new RegExp(`${kind}: .*worst difference (\\S+) m: (\\w+)`).exec(caches)?.slice(1).join(' m, ') ?? 'NOT READ';
    const size = `${(statSync(at('a.glb')).size / 1e6).toFixed(2)} MB`;
    console.log(
      `${label} ${seen ?? 'NOT READ'} | ${size}, ${worst}, ${mean} | ${await isValid(at('a.glb'))} | ${cache('pc2')} | ${cache('mdd')} |`,
    );
    for (const file of readdirSync(folder)) rmSync(at(file));
  }
}
rmSync(folder, { recursive: true, force: true });
