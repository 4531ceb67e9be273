/** What is known of a contact while its force is found, as f64 one after the other; packed by src/contact/contact-kernel.ts. */

/** Bytes of a contact. */
export const RECORD: usize = 216;
export const NORMAL: usize = 0;
export const OFFSET: usize = 24;
export const STUCK: usize = 32;
export const FRICTION: usize = 56;
export const FORCE: usize = 64;
export const NORMAL_COMPLIANCE: usize = 88;
export const TANGENT_COMPLIANCE: usize = 96;
export const SOFTNESS: usize = 104;
export const PRECISION: usize = 112;
/** What is left to close, the direction of search and how far it moves the contact. */
export const LEFT: usize = 120;
export const DIRECTION: usize = 144;
export const REACH: usize = 168;
/** Body and side, twice, as 32-bit words. */
export const SIDES: usize = 192;
/** Whether it sticks, as a number. */
export const STICKS: usize = 208;

/** Three numbers of a contact times three of another of its arrays. */
// @ts-ignore: decorator
@inline export function along(contact: usize, a: usize, b: usize): f64 {
  const p = contact + a, q = contact + b;
  return load<f64>(p) * load<f64>(q) + load<f64>(p, 8) * load<f64>(q, 8) + load<f64>(p, 16) * load<f64>(q, 16);
}
