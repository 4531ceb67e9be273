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
  const size = [step * figure.panels.length, height + MARGIN.top + MARGIN.bottom];
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${size[0]}" height="${size[1]}" viewBox="0 0 ${size[0]} ${size[1]}" role="img" font-family='${FONT}' fill="${INK}">`;
  const lines = [head, `<title>${escapeText(figure.description)}</title>`];
  lines.push(`<rect width="${size[0]}" height="${size[1]}" fill="#ffffff"/>`);
  figure.panels.forEach((panel, i) => {
    lines.push(`<g transform="translate(${i * step + MARGIN.left} ${MARGIN.top})">`);
    lines.push(...drawPanel(panel, width, height, `plot${i}`), '</g>');
  });
  lines.push('</svg>');
  return `${lines.join('\n')}\n`;
}

function drawPanel(panel: Panel, width: number, height: number, id: string): string[] {
  const lines = [`<text x="0" y="-16" font-size="15" font-weight="bold">${escapeText(panel.title)}</text>`];
  lines.push(...drawAxes(panel, width, height));
  lines.push(`<clipPath id="${id}"><rect width="${width}" height="${height}"/></clipPath>`);
  lines.push(`<g clip-path="url(#${id})">`);
  for (const series of panel.series) lines.push(...drawSeries(panel, series, width, height));
  lines.push('</g>');
  lines.push(`<path d="M0 0V${height}H${width}" fill="none" stroke="${INK}" stroke-width="1.2"/>`);
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
    if (text !== '') lines.push(`<text x="${at}" y="${height + 21}" font-size="13" text-anchor="middle">${text}</text>`);
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

function drawSeries({ x, y }: Panel, series: Series, width: number, height: number): string[] {
  const place = (px: number, py: number): readonly [number, number] => [
    round(along(x, px) * width),
    round((1 - along(y, floorAt(y, py))) * height),
  ];
  const lines: string[] = [];
  if (series.band) {
    const { low, high } = series.band;
    const upper = series.x.map((px, i) => place(px, high[i]));
    const lower = series.x.map((px, i) => place(px, low[i])).reverse();
    const outline = [...upper, ...lower].map((point) => point.join(' ')).join('L');
    lines.push(`<path d="M${outline}Z" fill="${series.color}" fill-opacity="0.14"/>`);
  }
  const points = series.x.map((px, i) => place(px, series.y[i]));
  const dash = DASHES[series.style ?? 'solid'];
  const stroke = `stroke="${series.color}" stroke-width="${series.width ?? 2}"${dash}`;
  const path = points.map((point) => point.join(' ')).join('L');
  lines.push(`<path d="M${path}" fill="none" ${stroke} stroke-linejoin="round" stroke-linecap="round"/>`);
  if (series.markers) {
    for (const [cx, cy] of points) {
      lines.push(`<circle cx="${cx}" cy="${cy}" r="3.4" fill="#ffffff" stroke="${series.color}" stroke-width="1.6"/>`);
    }
  }
  return lines;
}

function drawLegend({ series, legend = 'topRight' }: Panel, width: number, height: number): string[] {
  const listed = series.filter(({ label }) => label !== undefined);
  if (listed.length === 0) return [];
  const rowHeight = 20;
  const longest = Math.max(...listed.map(({ label }) => (label as string).length));
  const boxWidth = round(46 + 6.6 * longest);
  const boxHeight = rowHeight * listed.length + 8;
  const left = legend.endsWith('Left') ? 10 : width - boxWidth - 6;
  const top = legend.startsWith('top') ? 6 : height - boxHeight - 8;
  const lines = [
    `<g transform="translate(${round(left)} ${round(top)})" font-size="13">`,
    `<rect width="${boxWidth}" height="${boxHeight}" rx="3" fill="#ffffff" fill-opacity="0.88"/>`,
  ];
  listed.forEach(({ label, color, style, width: thick = 2, markers }, i) => {
    const y = 14 + i * rowHeight;
    const dash = DASHES[style ?? 'solid'];
    lines.push(`<path d="M6 ${y}h26" stroke="${color}" stroke-width="${thick}"${dash} stroke-linecap="round"/>`);
    if (markers) lines.push(`<circle cx="19" cy="${y}" r="3.4" fill="#ffffff" stroke="${color}" stroke-width="1.6"/>`);
    lines.push(`<text x="40" y="${y + 4.5}">${escapeText(label as string)}</text>`);
  });
  lines.push('</g>');
  return lines;
}

/** On a logarithmic axis nothing lies below the axis: zero and less are drawn just under its low end. */
function floorAt(axis: Axis, value: number): number {
  return axis.scale === 'log' ? Math.max(value, axis.range[0] * 0.8) : value;
}

function round(value: number): number {
  const rounded = Math.round(value * 100) / 100;
  return rounded === 0 ? 0 : rounded;
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
