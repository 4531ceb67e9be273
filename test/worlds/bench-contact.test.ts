/** What the benchmarks of contact measure; times are not tested here. */
import { describe, expect, it } from 'vitest';
import { plotContactCost } from '../../bench/contact/contact-figure.js';
import { type ContactRow, LONGER, measureSlab, THICKER } from '../../bench/contact/contact-slab.js';
import { withoutContact } from '../../bench/contact/without-contact.js';
import { drawFigure } from '../../bench/figures/svg-plot.js';
import { createWorld, disposeWorld, stepWorld } from '../../src/index.js';
import { findXmlError } from '../support/checks/xml.js';
import { fleshScene } from '../support/models/bodies.js';

describe('a scene without contact', () => {
  it('is its first body with nothing to touch', async () => {
    const alone = withoutContact(fleshScene('aerial-silk'));
    expect(alone.bodies).toHaveLength(1);
    expect(alone.bodies[0].body).toMatchObject({ name: 'acrobat' });
    expect([alone.bodies[0].body.bones?.length, alone.bodies[0].body.joints?.length]).toEqual([9, 8]);
    const bar = await createWorld(withoutContact(fleshScene('bar')));
    for (let i = 0; i < 20; i++) expect(stepWorld(bar)).toBe(true);
    expect(bar.contacts.count).toBe(0);
    expect(bar.certificate.ms.contact).toBeLessThan(1);
    disposeWorld(bar);
  });
});

describe('slabs on tables', () => {
  it('touch with the rows that lie on the table', async () => {
    const contacts: number[] = [];
    for await (const row of measureSlab([32, 3, 12], [0, 4, 16], 2)) {
      expect(row).toMatchObject({ cells: [32, 3, 12], vertices: 33 * 4 * 13 });
      contacts.push(row.contacts);
    }
    // rows of 13 vertices; the ones at the table's edge may come or go
    expect(contacts[0]).toBe(0);
    expect(Math.abs(contacts[1] / 13 - 4)).toBeLessThan(2);
    expect(Math.abs(contacts[2] / 13 - 16)).toBeLessThan(2);
  });

  it('are drawn with a curve each', () => {
    const time = { min: 1, median: 2 };
    const rows = [...LONGER, ...THICKER].flatMap((cells, i) =>
      [0, 50].map((contacts): ContactRow => ({ cells, vertices: 100 * i, contacts, contactMs: time, totalMs: time })),
    );
    const svg = drawFigure(plotContactCost(rows));
    expect(findXmlError(svg)).toBeUndefined();
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    for (const cells of LONGER) expect(svg).toContain(cells.join(' × '));
  });
});
