/** `--set` reaches every field of a scene, and nothing else of it changes. */
import { describe, expect, it } from 'vitest';
import { setInScene } from '../../../cli/scene-path.js';
import { buildScene } from '../../../scenes/index.js';
import { writeScene } from '../../../src/scene-file-index.js';

describe('a field of a scene', () => {
  const scene = buildScene('bar');
  const codeOf = (path: string, value: string) =>
    setInScene(scene, path, value).then(
      () => 'taken',
      ({ code, path: place, message }) => `${code} at ${place}: ${message}`,
    );

  it('is set by the names and numbers on the way to it, and all else is as it was', async () => {
    const [{ name, friction }] = scene.obstacles ?? [];
    const other = await setInScene(scene, `obstacles.${name}.friction`, '0.125');
    expect(other.obstacles?.[0].friction).toBe(0.125);
    const back = await setInScene(other, 'obstacles.0.friction', String(friction));
    expect(JSON.parse(writeScene(back))).toEqual(JSON.parse(writeScene(scene)));
  });

  it('may be a list, a word, or what the scene leaves out', async () => {
    expect((await setInScene(scene, 'bodies.bar.position', '0,2.5,-1')).bodies[0].position).toEqual([0, 2.5, -1]);
    expect((await setInScene(scene, 'solver.kind', 'coupled')).solver).toEqual({ kind: 'coupled' });
    const second = await setInScene(scene, 'solver.integrator', 'bdf2');
    expect(second.solver).toEqual({ kind: 'projective', integrator: 'bdf2' });
    expect((await setInScene(scene, 'selfContact', 'false')).selfContact).toBe(false);
    const { body } = (await setInScene(scene, 'bodyDefs.bar.materials.0.density', '900')).bodies[0];
    expect('materials' in body && body.materials?.[0].density).toBe(900);
  });

  it('that does not exist, or holds no such value, is an error that names the nearest', async () => {
    expect(await codeOf('obstacles.flor.friction', '1')).toMatch(/^E_UNKNOWN.*flor.*did you mean floor/);
    expect(await codeOf('obstacles.floor.frction', '1')).toMatch(/^E_FORMAT.*did you mean friction/);
    expect(await codeOf('obstacles.floor.friction', 'much')).toMatch(/^E_FORMAT.*expected number/);
    expect(await codeOf('obstacles.floor.friction.x', '1')).toMatch(/^E_UNKNOWN.*holds one value/);
    expect(await codeOf('bodies.__proto__.x', '1')).toMatch(/^E_UNKNOWN/);
    expect(await codeOf('__proto__.x', '1')).toMatch(/^E_/);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});
