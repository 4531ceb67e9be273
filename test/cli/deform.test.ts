/** `tendon deform`, run in this process: what it prints, what it writes, and what it refuses. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { registerDeform } from '../../cli/commands/deform.js';
import { writeCharacter } from '../../src/character/character-file.js';
import { loadCharacter } from '../../src/character/load-character.js';
import { writeGltf } from '../../src/io/gltf/gltf-write.js';
import { armModel } from '../support/models/rigged-model.js';

const folder = mkdtempSync(join(tmpdir(), 'tendon-deform-'));
const at = (name: string): string => join(folder, name);
writeFileSync(at('arm.glb'), await writeGltf(armModel({ swing: 1.2 })));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

/** Runs the command; what it printed. */
async function deform(...args: string[]): Promise<string> {
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)));
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const program = new Command('tendon').exitOverride();
  registerDeform(program);
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => {} });
  await program.parseAsync(['deform', ...args], { from: 'user' });
  return lines.join('\n');
}

/** The JSON of a .glb file. */
function jsonOf(path: string) {
  const bytes = readFileSync(path);
  return JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString('utf8'));
}

/** Largest distance between two point caches along an axis. */
function furthest(a: Buffer, b: Buffer): number {
  let most = 0;
  for (let at = 32; at < a.length; at += 4) most = Math.max(most, Math.abs(a.readFloatLE(at) - b.readFloatLE(at)));
  return most;
}

describe('tendon deform', () => {
  it('writes the deformed skin and both blended ones as an animation', async () => {
    const out = at('out.glb');
    const text = await deform(at('arm.glb'), '--cells', '500', '--frames', '0-6', '--beside', 'linear,dual', '-o', out);
    expect(text).toMatch(/cells of .* mm, 2 bones/);
    expect(text).toMatch(/inside out at the end of a frame: 0/);
    const json = jsonOf(out);
    expect(json.nodes.map(({ name }: { name: string }) => name)).toEqual([
      'deformed',
      'linear blend',
      'dual quaternions',
    ]);
    for (const { primitives } of json.meshes) for (const { targets } of primitives) expect(targets.length).toBe(6);
    expect(json.animations[0].channels.length).toBe(3);
    expect(json.animations[0].channels[0].target.path).toBe('weights');
  });

  it('writes the frames in every other format, as the ending says', async () => {
    const frames = ['--cells', '500', '--frames', '0-2'];
    const vertices = (await loadCharacter(readFileSync(at('arm.glb')))).skin.positions.length / 3;
    await deform(at('arm.glb'), ...frames, '--beside', 'linear', '-o', at('out.pc2'));
    const cache = readFileSync(at('out.pc2'));
    // PC2: name, version, number of points, first frame, rate, frames; then three floats a point
    expect(cache.readInt32LE(16)).toBe(2 * vertices);
    expect(cache.readInt32LE(28)).toBe(3);
    expect(cache.length).toBe(32 + 3 * 2 * vertices * 12);
    // the first vertex at rest in frame 0 is the first vertex of the first object file
    const text = await deform(at('arm.glb'), ...frames, '-o', at('frame.obj'));
    const name = /wrote (\S+) \.\.\. \S+:/.exec(text)![1];
    const [x, y, z] = /^v (\S+) (\S+) (\S+)/m.exec(readFileSync(name, 'utf8'))!.slice(1).map(Number);
    for (const [k, value] of [x, y, z].entries()) expect(cache.readFloatLE(32 + 4 * k)).toBeCloseTo(value, 5);
    for (const ending of ['mdd', 'usda', 'csv', 'vtp']) {
      expect(await deform(at('arm.glb'), ...frames, '-o', at(`out.${ending}`))).toMatch(/wrote/);
    }
  });

  it('takes regions of other materials, as tendon build does, and those that a character was built with', async () => {
    const frames = ['--cells', '500', '--frames', '5-6', '-o'];
    const region = ['--region', 'bone:*=fat', '--region', 'bone:elbow=rubber'];
    await deform(at('arm.glb'), ...frames, at('one.pc2'));
    await deform(at('arm.glb'), ...region, ...frames, at('two.pc2'));
    const character = await loadCharacter(readFileSync(at('arm.glb')), {
      regions: [
        { bone: '*', material: 'fat' },
        { bone: 'elbow', material: 'rubber' },
      ],
    });
    writeFileSync(at('built.glb'), await writeCharacter(character));
    await deform(at('built.glb'), ...frames, at('built.pc2'));
    const [one, two, built] = ['one.pc2', 'two.pc2', 'built.pc2'].map((name) => readFileSync(at(name)));
    expect(two.equals(one)).toBe(false);
    expect(built.equals(two)).toBe(true);
    // all of one stiffness is as good as any other: nothing but bones acts
    await deform(at('arm.glb'), '--region', 'bone:*=rubber', ...frames, at('three.pc2'));
    expect(furthest(readFileSync(at('three.pc2')), one)).toBeLessThan(0.1 * furthest(two, one));
    const again = deform(at('built.glb'), ...region, ...frames, at('no.pc2'));
    await expect(again).rejects.toMatchObject({ code: 'E_RANGE', place: '--region, --fat' });
    const unknown = deform(at('arm.glb'), '--region', 'bone:nose=fat', ...frames, at('no.pc2'));
    await expect(unknown).rejects.toMatchObject({ code: 'E_UNKNOWN', place: 'regions/0/bone' });
  });

  it('says what is wrong with what it is asked for', async () => {
    const out = at('no.glb');
    await expect(deform(at('arm.glb'), '--clip', 'dance', '-o', out)).rejects.toMatchObject({ code: 'E_UNKNOWN' });
    await expect(deform(at('arm.glb'), '--frames', '9-2', '-o', out)).rejects.toMatchObject({ code: 'E_RANGE' });
    await expect(deform(at('arm.glb'), '--beside', 'cubic', '-o', out)).rejects.toMatchObject({ code: 'E_UNKNOWN' });
    await expect(deform(at('arm.glb'), '-o', at('no.fbx'))).rejects.toMatchObject({ code: 'E_UNKNOWN' });
    await expect(deform(at('arm.glb'), '--bake', 'correctives', '-o', at('no.pc2'))).rejects.toMatchObject({
      code: 'E_UNKNOWN',
    });
    await expect(deform(at('arm.glb'), '--cells', 'many', '-o', out)).rejects.toMatchObject({ code: 'E_NOT_FINITE' });
  });
});
