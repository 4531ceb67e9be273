import { describe, expect, it } from 'vitest';
import { readAddress, writeAddress } from '../../../viewer/page/address.js';
import type { Settings } from '../../../viewer/worker/protocol.js';

const USUAL: Settings = {
  iterations: 20,
  bones: 'exact',
  integrator: 'backwardEuler',
  gravity: 0,
  damping: 0,
  compare: false,
  threads: 1,
  young: 7e4,
  poisson: 0.4,
  model: 'corotated',
  quality: 'auto',
  deform: false,
  strength: 0,
  blend: 1,
  limits: '',
  learned: '',
};

describe('the address', () => {
  it('names the scene and only what differs', () => {
    expect(writeAddress('bar', USUAL, USUAL)).toBe('#bar');
    const changed = { ...USUAL, iterations: 30, gravity: -9.81 };
    const address = writeAddress('bar', changed, USUAL);
    expect(address).toBe('#bar?iterations=30&gravity=-9.81');
    expect(readAddress(address)).toEqual({ scene: 'bar', settings: { iterations: 30, gravity: -9.81 } });
  });

  it('brings every setting and the camera back', () => {
    const changed: Settings = {
      iterations: 3,
      bones: 'stiff',
      integrator: 'bdf2',
      gravity: -1.62,
      damping: 0.5,
      compare: true,
      threads: 2,
      young: 5e3,
      poisson: 0.3,
      strength: 8,
      blend: 0.5,
      model: 'stableNeoHookean',
      quality: 'full',
      deform: true,
      limits: '0/knee%20left=-5_120;1/hip=30_20_-10_10',
      learned: '0.25_-1e-7_2',
    };
    const camera = [1.23456, -2, 3, 0, 0.5, -0.25] as const;
    expect(readAddress(writeAddress('bar', changed, USUAL, camera))).toEqual({
      scene: 'bar',
      settings: changed,
      camera: [1.235, -2, 3, 0, 0.5, -0.25],
    });
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
    '#bar?young=0&poisson=0.5&model=jelly&threads=0&compare=1&damping=-1',
    '#bar?limits=knee',
    '#bar?learned=1_x',
    '#bar?limits=0/knee=a_b',
    '#bar?camera=1_2_3',
    '#bar?camera=1_2_3_4_5_x',
    '#bar?camera=1_2_3_1_2_3',
    '#bar?camera=1e9_2_3_4_5_6',
  ])('leaves out what does not fit: %s', (address) => {
    expect(readAddress(address)).toEqual({ scene: 'bar', settings: {} });
  });

  it('survives anything', () => {
    for (const hash of ['', '#', '#?', '#%', '#%zz?a', '#a?b?c', '#%00']) expect(() => readAddress(hash)).not.toThrow();
  });
});
