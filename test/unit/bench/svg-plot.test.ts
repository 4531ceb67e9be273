/** The plot writer: places, numbers beside ticks, and text that any XML reader takes. */
import { describe, expect, it } from 'vitest';
import { drawFigure, type Figure } from '../../../bench/figures/svg-plot.js';
import { along, placeTicks } from '../../../bench/figures/ticks.js';
import { findXmlError } from '../../support/checks/xml.js';

const texts = (axis: Parameters<typeof placeTicks>[0]) =>
  placeTicks(axis, 6)
    .map(({ text }) => text)
    .filter((text) => text !== '');

describe('ticks', () => {
  it('are round numbers inside the range', () => {
    expect(texts({ label: '', range: [0, 3] })).toEqual(['0', '0.5', '1', '1.5', '2', '2.5', '3']);
    expect(texts({ label: '', range: [-0.15, 0.45] })).toEqual(['−0.1', '0', '0.1', '0.2', '0.3', '0.4']);
    expect(texts({ label: '', range: [120, 980] })).toEqual(['200', '400', '600', '800']);
  });

  it('are powers of ten on a logarithmic axis, every few where there are many', () => {
    expect(texts({ label: '', scale: 'log', range: [1, 300] })).toEqual(['1', '10', '100']);
    expect(texts({ label: '', scale: 'log', range: [1e-6, 100] })).toEqual(['10⁻⁶', '10⁻⁴', '10⁻²', '10⁰', '10²']);
    expect(placeTicks({ label: '', scale: 'log', range: [1, 300] }, 6).map(({ value }) => value)).toContain(20);
  });

  it('lie where their values lie', () => {
    expect(along({ label: '', range: [2, 6] }, 3)).toBe(0.25);
    expect(along({ label: '', scale: 'log', range: [1e-2, 1e2] }, 10)).toBeCloseTo(0.75, 14);
  });
});

describe('drawFigure', () => {
  const figure: Figure = {
    description: 'a < b & c',
    panelSize: [100, 50],
    panels: [
      {
        title: '<first> & only',
        x: { label: 'x', range: [0, 10] },
        y: { label: 'y', scale: 'log', range: [1, 100] },
        series: [
          { x: [0, 5, 10], y: [1, 10, 0], color: '#000000', label: 'a > b', markers: true },
          { x: [0, 10], y: [1, 100], color: '#ff0000', band: { low: [1, 10], high: [2, 200] }, style: 'dashed' },
        ],
      },
    ],
  };

  it('writes well-formed XML with every text escaped', () => {
    const svg = drawFigure(figure);
    expect(findXmlError(svg)).toBeUndefined();
    expect(svg).toContain('&lt;first&gt; &amp; only');
    expect(svg).toContain('<title>a &lt; b &amp; c</title>');
    expect(svg).toContain('a &gt; b');
  });

  it('puts points where they belong; zero on a logarithmic axis goes below it and has no dot', () => {
    const svg = drawFigure(figure);
    expect(svg).toContain('d="M0 50L50 25L100 75"');
    expect(svg.match(/<circle cx="50" cy="25"/g)).toHaveLength(1);
    // two of the three points, and the sample in the legend
    expect(svg.match(/<circle/g)).toHaveLength(3);
  });

  it('never writes more digits than a hundredth of a pixel, and nothing that is no number', () => {
    const wavy = Array.from({ length: 50 }, (_, i) => 5 + Math.sin(i));
    const [panel] = figure.panels;
    const svg = drawFigure({
      ...figure,
      panels: [{ ...panel, series: [{ x: wavy, y: wavy, color: '#000000' }] }],
      legend: [{ x: [], y: [], color: '#000000', label: 'row' }],
    });
    expect(svg).not.toMatch(/\d\.\d{3}/);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });
});

describe('findXmlError', () => {
  it.each(['<a>', '<a></b>', '<a b=c/>', '<a>&</a>', '<a b="<"/>', '<a/><b/>', 'x<a/>'])('finds one in %s', (text) => {
    expect(findXmlError(text)).toBeDefined();
  });
});
