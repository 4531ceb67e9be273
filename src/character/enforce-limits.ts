/** From what a character knows of its joints' limits to what the step enforces. Used wherever characters are made or read. */
import type { BodyDef, JointDef, JointLimitsDef } from '../body/body-def.js';
import type { JointLimit } from './character.js';

/** The body with its joints' limits in it. */
export function enforceLimits(body: BodyDef, limits: readonly JointLimit[]): BodyDef {
  return limits.length === 0 || !body.joints ? body : { ...body, joints: limitJoints(body.joints, limits) };
}

/** Joints with their limits in them. */
export function limitJoints(joints: readonly JointDef[], limits: readonly JointLimit[]): JointDef[] {
  return joints.map((joint) => {
    const limit = limits.find((one) => one.joint === joint.name);
    const def = limit && limitsOf(joint, limit);
    return def ? { ...joint, limits: def } : joint;
  });
}

function limitsOf({ type }: JointDef, limit: JointLimit): JointLimitsDef | undefined {
  const { min, max, secondRange, swing, swingAside, twist, twistRange, middle } = limit;
  const range = min !== undefined && max !== undefined ? { range: [min, max] as const } : {};
  if (type === 'hinge') return range;
  if (type === 'universal') return { ...range, ...(secondRange && { secondRange }) };
  if (type !== 'ball') return undefined;
  const turned = twistRange ?? (twist !== undefined ? ([-twist, twist] as const) : undefined);
  return {
    ...(swing !== undefined && { cone: [atMostHalf(swing), atMostHalf(swingAside ?? swing)] as const }),
    ...(turned && { twist: turned }),
    ...(middle && { middle }),
  };
}

/** A cone of more than half a turn says no more than one of half a turn. */
function atMostHalf(angle: number): number {
  return Math.min(Math.PI, angle);
}
