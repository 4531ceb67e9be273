import { describe, expect, it } from 'vitest';
import { ContactTracker, type TouchingContacts } from '../../../three/contact-tracker.js';

const bodies = [{ state: { positions: Float64Array.of(0, 0, 0, 4, 0, 0) } }];

/** Contacts of a body with two vertices that feel these forces along y, both from obstacle 1. */
function feeling(...forces: number[]): TouchingContacts {
  return {
    count: forces.length,
    body: Int32Array.from(forces.flatMap(() => [0, -1])),
    feature: Int32Array.from(forces, (_, i) => i),
    obstacle: Int32Array.from(forces, () => 1),
    force: Float64Array.from(forces.flatMap((force) => [0, force, 0])),
  };
}

describe('ContactTracker', () => {
  it('tells of the beginning, of each picture in between and of the end', () => {
    const tracker = new ContactTracker(1, 2);
    tracker.observe(feeling(0), bodies);
    expect(tracker.take()).toEqual([]);
    tracker.observe(feeling(1, 3), bodies);
    expect(tracker.take()).toEqual([
      { phase: 'begin', body: 0, obstacle: 1, count: 2, point: [3, 0, 0], force: [0, 4, 0] },
    ]);
    tracker.observe(feeling(1), bodies);
    tracker.observe(feeling(2), bodies);
    expect(tracker.take()).toMatchObject([{ phase: 'persist', count: 1, force: [0, 2, 0] }]);
    for (let i = 0; i < 3; i++) tracker.observe(feeling(), bodies);
    expect(tracker.take()).toMatchObject([{ phase: 'end', body: 0, obstacle: 1, count: 0 }]);
    tracker.observe(feeling(), bodies);
    expect(tracker.take()).toEqual([]);
  });

  it('does not take a step without force for an end, nor for a touch', () => {
    const tracker = new ContactTracker(1, 2);
    tracker.observe(feeling(1), bodies);
    tracker.take();
    tracker.observe(feeling(0), bodies);
    expect(tracker.take()).toEqual([]);
    tracker.observe(feeling(1), bodies);
    expect(tracker.take()).toMatchObject([{ phase: 'persist' }]);
  });

  it('tells of a touch that came and went between two pictures', () => {
    const tracker = new ContactTracker(1, 2);
    for (const force of [1, 0, 0, 0]) tracker.observe(feeling(force), bodies);
    expect(tracker.take()).toMatchObject([{ phase: 'begin' }, { phase: 'end' }]);
  });

  it('forgets everything when it is reset', () => {
    const tracker = new ContactTracker(1, 2);
    tracker.observe(feeling(1), bodies);
    tracker.reset();
    expect(tracker.take()).toEqual([]);
    tracker.observe(feeling(1), bodies);
    expect(tracker.take()).toMatchObject([{ phase: 'begin' }]);
  });
});
