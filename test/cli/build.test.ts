/** `build`, `inspect` and `convert`, run in this process: what they print and what they write. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { registerBuild } from '../../cli/commands/build.js';
import { registerConvert } from '../../cli/commands/convert.js';
import { registerInspect } from '../../cli/commands/inspect.js';
import { encodePng } from '../../cli/png.js';
import { readCharacter } from '../../src/character/character-file.js';
import { writeGltf } from '../../src/io/gltf/gltf-write.js';
import { writeObj } from '../../src/io/surfaces/obj.js';
import { readTetgen } from '../../src/io/tets/tetgen.js';
import { fleshScene } from '../support/models/bodies.js';
import { armModel } from '../support/models/rigged-model.js';
import { boxSurface, mergeSurfaces } from '../support/models/surfaces.js';

const folder = mkdtempSync(join(tmpdir(), 'tendon-build-'));
const at = (name: string): string => join(folder, name);
writeFileSync(at('arm.glb'), await writeGltf(armModel({ swing: 0.5 })));
writeFileSync(at('skin.obj'), writeObj(boxSurface([0, 0, 0], [2, 0.5, 0.5], 4)));
const bones = mergeSurfaces(boxSurface([0.2, 0.1, 0.1], [0.8, 0.4, 0.4]), boxSurface([1.2, 0.1, 0.1], [1.8, 0.4, 0.4]));
writeFileSync(at('bones.obj'), writeObj(bones));
writeFileSync(
  at('arm.joint'),
  'tendon-joints 1\nbone upper\nbone lower\njoint elbow hinge upper lower anchor 1 0.25 0.25 axis 0 0 1 limit -1 2\n',
);
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

/** Runs a command line; what it printed. */
async function tendon(...args: string[]): Promise<string> {
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)));
  const program = new Command('tendon').exitOverride();
  registerBuild(program);
  registerInspect(program);
  registerConvert(program);
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => {} });
  await program.parseAsync(args, { from: 'user' });
  return lines.join('\n');
}

describe('tendon build', () => {
  it('makes a character of a rigged model', async () => {
    const text = await tendon('build', at('arm.glb'), '--tets', '800', '-o', at('built.glb'));
    expect(text).toMatch(/2 bones, 1 joints/);
    expect(text).toMatch(/elbow: hinge on shoulder/);
    expect(text).toMatch(/clip swing: 1.00 s/);
    const { body, clips } = await readCharacter(new Uint8Array(readFileSync(at('built.glb'))));
    expect(body.name).toBe('arm');
    expect(body.bones).toHaveLength(2);
    expect(clips).toHaveLength(1);
  });

  it('makes one of a skin, the surfaces of its bones and a list of joints', async () => {
    const args = ['--skeleton', at('bones.obj'), '--joints', at('arm.joint'), '--cell', '0.12'];
    await tendon('build', at('skin.obj'), ...args, '-o', at('box.glb'));
    const { body, skeleton, limits } = await readCharacter(new Uint8Array(readFileSync(at('box.glb'))));
    expect(skeleton.map(({ name, parent }) => [name, parent])).toEqual([
      ['upper', -1],
      ['lower', 0],
    ]);
    expect(body.joints).toMatchObject([{ name: 'elbow', type: 'hinge', anchor: [1, 0.25, 0.25] }]);
    expect(limits).toEqual([{ joint: 'elbow', min: -1, max: 2, from: 'file' }]);
    for (const vertex of Array.from(body.bones?.[0].vertices ?? []))
      expect(body.positions[3 * vertex]).toBeLessThan(0.81);
  });

  it('makes one of a skin alone, and of tetrahedra', async () => {
    await tendon('build', at('skin.obj'), '--tets', '500', '-o', at('plain.glb'));
    expect((await readCharacter(new Uint8Array(readFileSync(at('plain.glb'))))).body.bones).toEqual([]);
    await tendon('convert', 'scene:jelly-bar', at('jelly.node'));
    await tendon('build', at('jelly.node'), '-o', at('jelly.glb'));
    const { body } = await readCharacter(new Uint8Array(readFileSync(at('jelly.glb'))));
    expect(body.tets).toEqual(fleshScene('jelly-bar').bodies[0].body.tets);
  });

  it.each([
    [['--mesher', 'magic', '-o', at('a.glb')], /use lattice/],
    [['-o', at('a.obj')], /written as .glb/],
    [['--cell', '-1', '-o', at('a.glb')], /positive/],
    [['--cell', '1', '--tets', '9', '-o', at('a.glb')], /one of the two/],
    [[], /required option/],
  ])('says what is wrong with %j', async (args, message) => {
    await expect(tendon('build', at('arm.glb'), ...args)).rejects.toThrow(message);
  });

  it('leaves nothing behind where it fails', async () => {
    await expect(tendon('build', at('none.glb'), '-o', at('never.glb'))).rejects.toThrow(/cannot be read/);
    expect(existsSync(at('never.glb'))).toBe(false);
  });
});

describe('tendon inspect', () => {
  it('describes a model as it would be built, and draws it', async () => {
    const text = await tendon('inspect', at('arm.glb'), '--png', at('arm.png'));
    expect(text).toMatch(/not a character yet/);
    expect(text).toMatch(/angles 60.0 to 90.0 degrees/);
    const png = readFileSync(at('arm.png'));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([960, 480]);
  });

  it('describes a scene: bones and joints', async () => {
    const text = await tendon('inspect', 'scene:bar');
    expect(text).toMatch(/1715 vertices, 7344 tets/);
    expect(text).toMatch(/bones: left, right/);
    expect(text).toMatch(/joint middle: ball, left - right/);
  });

  it('describes a surface and warns of holes', async () => {
    expect(await tendon('inspect', at('skin.obj'))).toMatch(/closed, volume 0.5000 m3/);
    const box = boxSurface([0, 0, 0], [1, 1, 1]);
    writeFileSync(at('open.obj'), writeObj({ ...box, triangles: box.triangles.slice(6) }));
    expect(await tendon('inspect', at('open.obj'))).toMatch(/warning: 4 open edges/);
  });
});

describe('tendon convert', () => {
  it('writes the whole tet mesh of a scene as .node and .ele, from 0', async () => {
    await tendon('convert', 'scene:bar', at('bar.node'));
    const mesh = readTetgen(readFileSync(at('bar.node')), readFileSync(at('bar.ele')));
    const { body, position = [0, 0, 0], rotation = [0, 0, 0, 1] } = fleshScene('bar').bodies[0];
    expect(mesh.tets).toEqual(body.tets);
    // where the scene puts it: x + 2 w (q × x) + 2 q × (q × x), for a quaternion q, w of any length
    const [x, y, z, w] = rotation.map((value) => value / Math.hypot(...rotation));
    const cross = ([a, b, c]: number[]) => [y * c - z * b, z * a - x * c, x * b - y * a];
    for (let i = 0; i < mesh.positions.length; i += 3) {
      const at = Array.from(body.positions.slice(i, i + 3));
      const once = cross(at);
      const twice = cross(once);
      for (let k = 0; k < 3; k++) {
        const expected = at[k] + 2 * (w * once[k] + twice[k]) + position[k];
        expect(Math.abs(mesh.positions[i + k] - expected)).toBeLessThan(1e-12);
      }
    }
    expect(readFileSync(at('bar.node'), 'utf8').split('\n')[1]).toMatch(/^0 /);
  });

  it('goes from format to format by the endings', async () => {
    await tendon('build', at('arm.glb'), '--tets', '500', '-o', at('small.glb'));
    for (const name of ['a.obj', 'a.stl', 'a.ply', 'a.mesh', 'a.msh', 'a.vtk', 'a.vtu', 'a.glb']) {
      await tendon('convert', at('small.glb'), at(name));
      expect(await tendon('inspect', at(name)), name).toMatch(/\d+ (tets|triangles)/);
    }
    await expect(tendon('convert', at('small.glb'), at('a.xyz'))).rejects.toThrow(/must end with/);
  });
});

describe('encodePng', () => {
  it('has the checksums of the format', () => {
    const png = Buffer.from(encodePng(1, 1, Uint8Array.of(255, 0, 0)));
    // the end chunk is the same in every PNG file
    expect(png.subarray(-12).toString('hex')).toBe('0000000049454e44ae426082');
  });

  it('takes materials by bone, fat and mass, and never writes over its input', async () => {
    const printed = await tendon(
      'build',
      at('arm.glb'),
      '--tets',
      '400',
      '--mass',
      '9',
      '--fat',
      '--region',
      'bone:elb*=rubber',
      '-o',
      at('soft.glb'),
    );
    expect(printed).toMatch(/9\.00\d* kg/);
    const { body } = await readCharacter(readFileSync(at('soft.glb')));
    expect(body.materials.map(({ youngModulus }) => youngModulus)).toEqual([4e4, 5e3, 1e6]);
    expect(new Set(Array.from(body.regions ?? []))).toEqual(new Set([0, 1, 2]));
    await expect(tendon('build', at('arm.glb'), '-o', at('arm.glb'))).rejects.toThrow(/choose another name/);
    await expect(tendon('build', at('arm.glb'), '--region', 'elbow', '-o', at('x.glb'))).rejects.toThrow(/bone:NAME/);
  });
});
