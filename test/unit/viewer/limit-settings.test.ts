/** The page's table of joint limits: what it lists, and that what is changed there is what the world is built with. */
import { describe, expect, it } from 'vitest';
import { buildScene } from '../../../scenes/index.js';
import type { AnySceneDef, BodyDef, JointDef } from '../../../src/index.js';
import { listLimits, readLimits, withLimits, writeLimits } from '../../../viewer/worker/limit-settings.js';

const DEGREE = Math.PI / 180;

function jointOf(scene: AnySceneDef, name: string): JointDef | undefined {
  const { body } = scene.bodies[0];
  return (body as { joints?: readonly JointDef[] }).joints?.find((joint) => joint.name === name);
}

describe('the table of limits', () => {
  const walk = buildScene('tracked-walk');
  // the ankle as a hinge: the human's own joints are all balls
  const hinged = (walk.bodies[0].body as BodyDef).joints?.map((joint) =>
    joint.name === 'ankleLeft' ? { ...joint, type: 'hinge' as const, limits: { range: [-0.3, 0.5] as const } } : joint,
  );
  const body = { ...walk.bodies[0].body, joints: hinged } as BodyDef;
  const scene: AnySceneDef = { name: 'table', description: '', bodies: [{ body }] };

  it('lists every joint that can be limited, in degrees', () => {
    const limits = listLimits(scene, undefined);
    expect(limits.length).toBe(body.joints?.length);
    const ankle = limits.find(({ title }) => title === 'ankleLeft');
    expect(ankle).toMatchObject({ type: 'hinge', angles: [-17.2, 28.6], from: 'scene' });
    const hip = limits.find(({ title }) => title === 'hipLeft');
    const { cone = 0, twist = [0, 0] } = jointOf(scene, 'hipLeft')?.limits ?? {};
    [cone, twist].flat().forEach((angle, i) => {
      expect(hip?.angles[i]).toBeCloseTo(angle / DEGREE, 0);
    });
  });

  it('changes what it is told and leaves the rest, the middle of a ball included', () => {
    const text = writeLimits(
      new Map([
        ['0/ankleLeft', [-5, 90]],
        ['0/hipLeft', [30, 20, -10, 15]],
        ['0/nobody', [1, 2]],
      ]),
    );
    const changed = withLimits(scene, text);
    expect(jointOf(changed, 'ankleLeft')?.limits).toEqual({ range: [-5 * DEGREE, 90 * DEGREE] });
    const hip = jointOf(changed, 'hipLeft');
    expect(hip?.limits).toMatchObject({ cone: [30 * DEGREE, 20 * DEGREE], twist: [-10 * DEGREE, 15 * DEGREE] });
    expect(hip?.limits?.middle).toEqual(jointOf(scene, 'hipLeft')?.limits?.middle);
    expect(jointOf(changed, 'kneeRight')).toEqual(jointOf(scene, 'kneeRight'));
    expect(listLimits(changed, undefined).find(({ key }) => key === '0/ankleLeft')?.angles).toEqual([-5, 90]);
    expect(withLimits(scene, '')).toBe(scene);
  });

  it('is one line of text and back, whatever joints are called', () => {
    const changes = new Map([
      ['0/knee; = left', [1, 2.5]],
      ['3/ü', [1, 2, 3, 4]],
    ]);
    expect(readLimits(writeLimits(changes))).toEqual(changes);
    expect(readLimits('0/a=1_x;=;0/b=2_3;%E0=1').get('0/b')).toEqual([2, 3]);
  });
});
