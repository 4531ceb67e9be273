/** Joint limits in a few words, for `inspect`. */
import type { JointDef } from '../src/body/body-def.js';

const DEGREES = 180 / Math.PI;

/** How far a joint goes; nothing where it is not limited. */
export function describeLimits({ limits }: JointDef): string {
  if (!limits) return '';
  const degrees = (angle: number): string => (angle * DEGREES).toFixed(0);
  const span = (range: readonly [number, number]): string => `${range.map(degrees).join(' to ')} degrees`;
  const { range, secondRange, cone, twist, middle } = limits;
  const words: string[] = [];
  if (range) words.push(span(range));
  if (secondRange) words.push(`about its second axis ${span(secondRange)}`);
  if (cone !== undefined)
    words.push(`leans ${typeof cone === 'number' ? degrees(cone) : cone.map(degrees).join(' by ')} degrees`);
  if (twist) words.push(`twists ${span(twist)}`);
  const away = middle ? 2 * Math.acos(Math.min(1, Math.abs(middle[3]))) : 0;
  if (away > 0.01) words.push(`from a middle ${degrees(away)} degrees off rest`);
  return `, ${words.join(', ')}`;
}
