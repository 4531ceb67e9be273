/**
 * Line plots as SVG: one or more panels side by side, linear or logarithmic axes, lines, markers, bands and a legend.
 * Plain text out of plain data: the same data give the same bytes, coordinates are rounded to a hundredth of a pixel.
 */
import { type Axis, along, placeTicks } from './ticks.js';

/** One curve. */
export interface Series {
  /** Text in the legend; none: not listed. */
  readonly label?: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly color: string;
  readonly style?: 'solid' | 'dashed' | 'dotted';
  /** Line width [px]; default 2. */
  readonly width?: number;
  /** A dot at every point. */
  readonly markers?: boolean;
  /** A shaded range around the curve. */
  readonly band?: { readonly low: readonly number[]; readonly high: readonly number[] };
  /** Text in the curve's colour beside a point of the plot, instead of a line in the legend. */
  readonly tag?: Tag;
}

/** A word in the plot, at values of the axes. */
export interface Tag {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** Which end of the text lies at the point; default its start. */
  readonly anchor?: 'start' | 'middle' | 'end';
}

/** One pair of axes. */
export interface Panel {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
  /** Corner of the legend; default top right. */
  readonly legend?: 'topLeft' | 'topRight' | 'bottomLeft' | 'bottomRight' | 'none';
}

/** Panels in a row. */
export interface Figure {
  /** What the figure shows, in one sentence, for those who cannot see it. */
  readonly description: string;
  readonly panels: readonly Panel[];
  /** Curves listed once, in a row below all panels. */
  readonly legend?: readonly Series[];
  /** Size of the plotted area of each panel [px]; default 380 x 290. */
  readonly panelSize?: readonly [number, number];
}

/** Colours that people with any colour vision can tell apart (Okabe and Ito). */
export const COLORS = {
  black: '#1a1a1a',
  blue: '#0072b2',
  red: '#d55e00',
  green: '#009e73',
  orange: '#e69f00',
  purple: '#a8588a',
  sky: '#56b4e9',
  grey: '#8a8a8a',
} as const;

const MARGIN = { left: 74, right: 18, top: 42, bottom: 58 };
const FONT = 'Helvetica, Arial, "Liberation Sans", sans-serif';
const INK = '#333333';
const DASHES = { solid: '', dashed: ' stroke-dasharray="7 4"', dotted: ' stroke-dasharray="1.5 4"' };

/** The figure as the text of an SVG file. */
export function drawFigure(figure: Figure): string {
  const [width, height] = figure.panelSize ?? [380, 290];
  const step = width + MARGIN.left + MARGIN.right;
  const below = figure.legend ? 30 : 0;
  const size = [step * figure.panels.length, height + MARGIN.top + MARGIN.bottom + below];
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${size[0]}" height="${size[1]}" viewBox="0 0 ${size[0]} ${size[1]}" role="img" font-family='${FONT}' fill="${INK}">`;
  const lines = [head, `<title>${escapeText(figure.description)}</title>`];
  lines.push(`<rect width="${size[0]}" height="${size[1]}" fill="#ffffff"/>`);
  figure.panels.forEach((panel, i) => {
    lines.push(`<g transform="translate(${i * step + MARGIN.left} ${MARGIN.top})">`);
    lines.push(...drawPanel(panel, width, height, `plot${i}`), '</g>');
  });
  if (figure.legend) lines.push(...drawLegendRow(figure.legend, size[0], size[1] - 22));
  lines.push('</svg>');
  return `${lines.join('\n')}\n`;
}

function drawPanel(panel: Panel, width: number, height: number, id: string): string[] {
  const lines = [`<text x="0" y="-16" font-size="15" font-weight="bold">${escapeText(panel.title)}</text>`];
  lines.push(...drawAxes(panel, width, height));
  lines.push(`<clipPath id="${id}"><rect width="${width}" height="${height}"/></clipPath>`);
  lines.push(`<g clip-path="url(#${id})">`);
  const areas = panel.series.map((series) => new PlacedSeries(panel, series, width, height));
  for (const area of areas) lines.push(...area.drawLines());
  lines.push('</g>');
  lines.push(`<path d="M0 0V${height}H${width}" fill="none" stroke="${INK}" stroke-width="1.2"/>`);
  for (const area of areas) lines.push(...area.drawMarkers());
  if (panel.legend !== 'none') lines.push(...drawLegend(panel, width, height));
  return lines;
}

/** Grid, ticks, numbers and labels. */
function drawAxes({ x, y }: Panel, width: number, height: number): string[] {
  const lines: string[] = [];
  const grid = (text: string) => (text === '' ? '#f2f2f2' : '#e2e2e2');
  for (const { value, text } of placeTicks(x, 6)) {
    const at = round(along(x, value) * width);
    const tick = text === '' ? 3 : 6;
    lines.push(`<path d="M${at} 0V${height}" stroke="${grid(text)}"/>`);
    lines.push(`<path d="M${at} ${height}v${tick}" stroke="${INK}"/>`);
    if (text !== '')
      lines.push(`<text x="${at}" y="${height + 21}" font-size="13" text-anchor="middle">${text}</text>`);
  }
  for (const { value, text } of placeTicks(y, 6)) {
    const at = round((1 - along(y, value)) * height);
    const tick = text === '' ? 3 : 6;
    lines.push(`<path d="M0 ${at}H${width}" stroke="${grid(text)}"/>`);
    lines.push(`<path d="M0 ${at}h-${tick}" stroke="${INK}"/>`);
    if (text !== '') {
      lines.push(`<text x="-10" y="${round(at + 4.5)}" font-size="13" text-anchor="end">${text}</text>`);
    }
  }
  const middle = [round(width / 2), round(height / 2)];
  lines.push(
    `<text x="${middle[0]}" y="${height + 45}" font-size="14" text-anchor="middle">${escapeText(x.label)}</text>`,
    `<text transform="translate(-54 ${middle[1]}) rotate(-90)" font-size="14" text-anchor="middle">${escapeText(y.label)}</text>`,
  );
  return lines;
}

/** A curve and where it goes in its panel. */
class PlacedSeries {
  readonly #panel: Panel;
  readonly #series: Series;
  readonly #width: number;
  readonly #height: number;

  constructor(panel: Panel, series: Series, width: number, height: number) {
    this.#panel = panel;
    this.#series = series;
    this.#width = width;
    this.#height = height;
  }

  /** Band and line; the caller cuts them off at the edges of the panel. */
  drawLines(): string[] {
    const { x, y, color, band } = this.#series;
    const lines: string[] = [];
    if (band) {
      const upper = x.map((value, i) => this.#place(value, band.high[i]));
      const lower = x.map((value, i) => this.#place(value, band.low[i])).reverse();
      lines.push(`<path d="${pathThrough([...upper, ...lower])}Z" fill="${color}" fill-opacity="0.14"/>`);
    }
    const path = pathThrough(x.map((value, i) => this.#place(value, y[i])));
    lines.push(`<path d="${path}" fill="none" ${strokeOf(this.#series)} stroke-linejoin="round"/>`);
    return lines;
  }

  /** Dots of the points inside the panel, whole even at its edge, and the tag. */
  drawMarkers(): string[] {
    const { x, y, color, markers, tag } = this.#series;
    const lines: string[] = [];
    for (let i = 0; markers && i < x.length; i++) {
      const inside = [along(this.#panel.x, x[i]), along(this.#panel.y, y[i])].every((at) => at >= 0 && at <= 1);
      if (inside) lines.push(drawDot(...this.#place(x[i], y[i]), color));
    }
    if (tag) {
      const [tx, ty] = this.#place(tag.x, tag.y);
      const anchor = tag.anchor ?? 'start';
      // a white edge keeps the text readable where it crosses the grid or a line
      const edge = 'stroke="#ffffff" stroke-width="4" paint-order="stroke" stroke-linejoin="round"';
      lines.push(
        `<text x="${tx}" y="${ty}" font-size="13" fill="${color}" ${edge} text-anchor="${anchor}">${escapeText(tag.text)}</text>`,
      );
    }
    return lines;
  }

  #place(x: number, y: number): [number, number] {
    const { x: horizontal, y: vertical } = this.#panel;
    return [
      round(along(horizontal, x) * this.#width),
      round((1 - along(vertical, floorAt(vertical, y))) * this.#height),
    ];
  }
}

function pathThrough(points: readonly (readonly [number, number])[]): string {
  return `M${points.map((point) => point.join(' ')).join('L')}`;
}

function strokeOf({ color, width = 2, style = 'solid' }: Series): string {
  return `stroke="${color}" stroke-width="${width}"${DASHES[style]} stroke-linecap="round"`;
}

function drawDot(x: number, y: number, color: string): string {
  return `<circle cx="${x}" cy="${y}" r="3.4" fill="#ffffff" stroke="${color}" stroke-width="1.6"/>`;
}

/** Line sample and text of one curve, from `x` on, the sample's line at height `y`. */
function drawEntry(series: Series, x: number, y: number): string[] {
  const lines = [`<path d="M${x} ${y}h26" ${strokeOf(series)}/>`];
  if (series.markers) lines.push(drawDot(x + 13, y, series.color));
  lines.push(`<text x="${x + 34}" y="${y + 4.5}">${escapeText(series.label ?? '')}</text>`);
  return lines;
}

/** Width of an entry of a legend, from the usual width of a letter [px]. */
function entryWidth({ label = '' }: Series): number {
  return Math.round(38 + 6.5 * label.length);
}

function drawLegend({ series, legend = 'topRight' }: Panel, width: number, height: number): string[] {
  const listed = series.filter(({ label }) => label !== undefined);
  if (listed.length === 0) return [];
  const rowHeight = 20;
  const boxWidth = Math.max(...listed.map(entryWidth)) + 8;
  const boxHeight = rowHeight * listed.length + 8;
  const left = legend.endsWith('Left') ? 10 : width - boxWidth - 6;
  const top = legend.startsWith('top') ? 6 : height - boxHeight - 8;
  return [
    `<g transform="translate(${left} ${top})" font-size="13">`,
    `<rect width="${boxWidth}" height="${boxHeight}" rx="3" fill="#ffffff" fill-opacity="0.88"/>`,
    ...listed.flatMap((one, i) => drawEntry(one, 6, 14 + i * rowHeight)),
    '</g>',
  ];
}

/** Entries side by side, centred at `y`. */
function drawLegendRow(listed: readonly Series[], width: number, y: number): string[] {
  const gap = 22;
  const total = listed.reduce((sum, series) => sum + entryWidth(series) + gap, -gap);
  let left = Math.round((width - total) / 2);
  const lines = ['<g font-size="13">'];
  for (const series of listed) {
    lines.push(...drawEntry(series, left, y));
    left += entryWidth(series) + gap;
  }
  lines.push('</g>');
  return lines;
}

/** On a logarithmic axis zero and less have no place: they are drawn well below its low end, half an axis down. */
function floorAt({ scale, range: [low, high] }: Axis, value: number): number {
  return scale === 'log' ? Math.max(value, low * Math.sqrt(low / high)) : value;
}

function round(value: number): number {
  const rounded = Math.round(value * 100) / 100;
  return rounded === 0 ? 0 : rounded;
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
