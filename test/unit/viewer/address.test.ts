import { describe, expect, it } from 'vitest';
import { readAddress, writeAddress } from '../../../viewer/address.js';

const USUAL = { iterations: 20, bones: 'exact', integrator: 'backwardEuler', gravity: 0 } as const;

describe('the address', () => {
  it('names the scene and only what differs', () => {
    expect(writeAddress('bar', USUAL, USUAL)).toBe('#bar');
    const changed = { ...USUAL, iterations: 30, gravity: -9.81 };
    const address = writeAddress('bar', changed, USUAL);
    expect(address).toBe('#bar?iterations=30&gravity=-9.81');
    expect(readAddress(address)).toEqual({ scene: 'bar', settings: { iterations: 30, gravity: -9.81 } });
  });

  it.each([
    '#bar?iterations=-1',
    '#bar?iterations=1e9',
    '#bar?iterations=2.5',
    '#bar?iterations=',
    '#bar?gravity=NaN',
    '#bar?gravity=Infinity',
    '#bar?bones=__proto__',
    '#bar?integrator=%3Cimg%3E',
    '#bar?__proto__=1&constructor=2',
  ])('leaves out what does not fit: %s', (address) => {
    expect(readAddress(address)).toEqual({ scene: 'bar', settings: {} });
  });

  it('survives anything', () => {
    for (const hash of ['', '#', '#?', '#%', '#%zz?a', '#a?b?c', '#%00']) expect(() => readAddress(hash)).not.toThrow();
  });
});
