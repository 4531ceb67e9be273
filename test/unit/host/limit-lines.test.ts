/** Lines of joint limits: rims lean by the angles of the cone, arcs span the range of the hinge. */
import { describe, expect, it } from 'vitest';
import { buildLimitLines } from '../../../host/frames/limit-lines.js';
import type { JointDef } from '../../../src/body/body-def.js';
import { buildModel } from '../../../src/body/model.js';
import { buildBoxes, lumpedSides } from '../../support/models/bodies.js';

function linesOf(joint: Partial<JointDef>) {
  const boxes = [0, 1].map((i) => ({
    name: `b${i}`,
    centre: [0.3 * i, 0, 0] as const,
    sides: lumpedSides([0.28, 0.1, 0.1]),
  }));
  const joints = [
    { name: 'j', type: 'ball', bones: ['b0', 'b1'], anchor: [0.15, 0, 0], axis: [1, 0, 0], ...joint },
  ] as JointDef[];
  const model = buildModel(buildBoxes(boxes, joints));
  return { model, lines: buildLimitLines(model, joints) };
}

/** Ends of the lines that start at the joint, as unit directions. */
function spokes({ model, lines }: ReturnType<typeof linesOf>): number[][] {
  const [{ lines: numbers }] = lines;
  const centre = Array.from(model.joints.anchorA.subarray(0, 3));
  const out: number[][] = [];
  for (let i = 0; i < numbers.length; i += 6) {
    const from = [0, 1, 2].map((k) => numbers[i + k] - centre[k]);
    if (Math.hypot(...from) > 1e-6) continue;
    const to = [0, 1, 2].map((k) => numbers[i + 3 + k] - centre[k]);
    out.push(to.map((x) => x / Math.hypot(...to)));
  }
  return out;
}

describe('lines of limits', () => {
  it('lean from the axis by the angle of a round cone', () => {
    for (const [x] of spokes(linesOf({ limits: { cone: 0.7 } }))) expect(x).toBeCloseTo(Math.cos(0.7), 6);
  });

  it('span the range of a hinge from where the second bone points', () => {
    const ends = spokes(linesOf({ type: 'hinge', axis: [0, 0, 1], limits: { range: [-0.4, 1.1] } }));
    expect(Math.atan2(ends[0][1], ends[0][0])).toBeCloseTo(-0.4, 6);
    const last = ends[ends.length - 1];
    expect(Math.atan2(last[1], last[0])).toBeCloseTo(1.1, 6);
  });

  it('are none where nothing is limited', () => {
    expect(linesOf({}).lines).toEqual([]);
  });
});
