/** Soft characters on the page's own thread: what the file brings, what its bones do. */
import { MeshBasicMaterial, Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { writeCharacter } from '../../src/character/character-file.js';
import { loadCharacter } from '../../src/character/load-character.js';
import { SoftCharacter } from '../../three/index.js';
import { armModel } from '../support/models/rigged-model.js';
import { arm, loadArm, opened, positionsOf } from '../support/models/soft-bodies.js';

describe('SoftCharacter', () => {
  it('gives up when its signal says so, before or while it is built, and leaves nothing', async () => {
    const leaving = new AbortController();
    const stages: string[] = [];
    const onProgress = (stage: string): void => {
      stages.push(stage);
      leaving.abort(new Error('gone'));
    };
    await expect(loadArm({ signal: leaving.signal, onProgress })).rejects.toThrow('gone');
    expect(stages.length).toBeGreaterThan(0);
    stages.length = 0;
    await expect(loadArm({ signal: leaving.signal, onProgress })).rejects.toThrow('gone');
    expect(stages).toEqual([]);
  });

  it('shows the skin of the file in its rest shape, with unit normals, texture coordinates and bones', async () => {
    const character = await loadArm({ showBones: true, material: new MeshBasicMaterial() });
    const [skin] = character.skins;
    expect(skin.geometry.getAttribute('position').count).toBe(302);
    expect(skin.geometry.getAttribute('uv').count).toBe(302);
    const model = armModel().meshes[0].primitives[0];
    const worst = positionsOf(character).reduce((most, x, i) => Math.max(most, Math.abs(x - model.positions[i])), 0);
    expect(worst).toBeLessThan(1e-6);
    const normals = skin.geometry.getAttribute('normal');
    for (let i = 0; i < 288; i++) {
      const normal = new Vector3().fromBufferAttribute(normals, i);
      expect(normal.length()).toBeCloseTo(1, 5);
    }
    // on the side of the tube normals point away from its axis
    const side = new Vector3().fromBufferAttribute(normals, 12 * 12);
    expect(side.y).toBeGreaterThan(0.99);
    expect(character.bodies[0].bones.map(({ name }) => name)).toEqual(['shoulder', 'elbow']);
    expect(character.bone('elbow').position.x).toBeGreaterThan(0.5);
    expect(character.showBones).toBe(true);
    expect(skin.geometry.boundingSphere?.radius).toBeGreaterThan(0.5);
    expect(character.report.mass).toBeGreaterThan(10);
    expect(() => character.bone('knee')).toThrow('the bones are: shoulder, elbow');
  });

  it('is held by its root, hangs down, and stays at home where all bones are kinematic', async () => {
    const material = new MeshBasicMaterial();
    const hanging = await loadArm({ material });
    const stiff = await loadArm({ material, kinematic: 'all' });
    await hanging.simulation.advance(60);
    await stiff.simulation.advance(60);
    expect(hanging.bone('elbow').position.y).toBeLessThan(-0.05);
    expect(hanging.bone('shoulder').position.y).toBeCloseTo(0, 6);
    expect(stiff.bone('elbow').position.y).toBeCloseTo(0, 6);
    stiff.setKinematic('elbow', false);
    await stiff.simulation.advance(60);
    expect(stiff.bone('elbow').position.y).toBeLessThan(-0.05);
  });

  it('plays a clip on kinematic bones, wherever it was put', async () => {
    const half = Math.SQRT1_2;
    const character = await loadArm({
      material: new MeshBasicMaterial(),
      kinematic: 'all',
      position: [1, 2, 3],
      rotation: [0, half, 0, half],
    });
    expect(character.clips).toEqual([{ name: 'swing', duration: 1 }]);
    const start = character.bone('elbow').position.clone();
    character.playClip('swing', { fadeIn: 0 });
    await character.simulation.advance(15);
    // a quarter of the clip: the forearm is turned up by 0.8 rad about its joint at x = 0.5, seen along the turned axis
    const turn = new Quaternion(0, half, 0, half);
    const joint = new Vector3(0.5, 0, 0).applyQuaternion(turn).add(new Vector3(1, 2, 3));
    const raised = start
      .clone()
      .sub(joint)
      .applyAxisAngle(new Vector3(0, 0, 1).applyQuaternion(turn), 0.8)
      .add(joint);
    expect(character.bone('elbow').position.distanceTo(raised)).toBeLessThan(0.01);
    character.stopClip();
    await character.simulation.advance(30);
    expect(character.bone('elbow').position.distanceTo(raised)).toBeLessThan(0.01);
    expect(() => character.playClip('run')).toThrow('the clips are: swing');
  });

  it('is a lattice that follows all of its bones where that is asked for, at rest and in a clip', async () => {
    const material = new MeshBasicMaterial();
    const character = await loadArm({ material, solver: 'lattice', gravity: [0, 0, 0] });
    const rest = positionsOf(character).slice();
    await character.simulation.advance(5);
    const moved = positionsOf(character).reduce((most, x, i) => Math.max(most, Math.abs(x - rest[i])), 0);
    expect(moved).toBeLessThan(1e-5);
    character.playClip('swing', { fadeIn: 0 });
    await character.simulation.advance(15);
    // a quarter of a second into a swing of half a radian: the end of the arm is where its bone is, the beginning where it was
    const now = positionsOf(character);
    const [first, last] = [0, rest.length - 3];
    expect(Math.abs(now[first + 1] - rest[first + 1])).toBeLessThan(0.02);
    expect(Math.abs(now[last + 1] - rest[last + 1])).toBeGreaterThan(0.1);
    expect(character.report.mass).toBeGreaterThan(10);
  });

  it('sends kinematic bones where it is told', async () => {
    const character = await loadArm({ material: new MeshBasicMaterial(), kinematic: ['elbow'] });
    const target = character
      .bone('elbow')
      .position.clone()
      .add(new Vector3(0, 0.2, 0));
    character.setBoneTarget('elbow', target, new Quaternion());
    await character.simulation.advance(5);
    expect(character.bone('elbow').position.distanceTo(target)).toBeLessThan(1e-6);
    // the shoulder hangs on it
    expect(character.bone('shoulder').position.y).toBeGreaterThan(0);
  });

  it('loads a character that was built before, as it was', async () => {
    const options = { worker: false, material: new MeshBasicMaterial() };
    const file = await writeCharacter(await loadCharacter(arm, { tets: 800 }));
    const read = await SoftCharacter.load(file, options);
    const built = await loadArm(options);
    opened.push(read);
    await Promise.all([read.simulation.advance(5), built.simulation.advance(5)]);
    expect(await read.simulation.hash()).toBe(await built.simulation.hash());
    expect(positionsOf(read)).toEqual(positionsOf(built));
    expect(read.clips).toEqual(built.clips);
  });

  it('refuses bones it does not have, and files that are none', async () => {
    await expect(loadArm({ material: new MeshBasicMaterial(), kinematic: ['knee'] })).rejects.toThrow(
      'shoulder, elbow',
    );
    const bytes = new Uint8Array(40).fill(7);
    await expect(SoftCharacter.load(bytes, { worker: false, material: new MeshBasicMaterial() })).rejects.toThrow(
      expect.objectContaining({ name: 'TendonError' }),
    );
  });
});
