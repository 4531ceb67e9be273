/** A picture of a surface and the lines in it, without a graphics card: orthographic, shaded by normal, one view beside the other. */

/** A surface to be drawn; positions x,y,z per vertex. */
export interface DrawnSurface {
  readonly positions: ArrayLike<number>;
  readonly triangles: ArrayLike<number>;
}

/** A line through the body, drawn over everything, with a dot at its start. */
export interface DrawnLine {
  readonly from: ArrayLike<number>;
  readonly to: ArrayLike<number>;
  readonly colour: readonly [number, number, number];
}

/** A picture: three bytes per pixel, rows from the top. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** Axes to the right, up and towards the eye, with their signs. */
interface View {
  readonly right: readonly [number, number];
  readonly eye: readonly [number, number];
}

const FRONT: View = { right: [0, 1], eye: [2, 1] };
const SIDE: View = { right: [2, -1], eye: [0, 1] };
const BACKGROUND = [245, 246, 248];
const SKIN = [222, 184, 160];
const MARGIN = 0.06;

/** Draws front and side view side by side, each `size` pixels square, to the same scale. */
export function drawViews(surface: DrawnSurface, lines: readonly DrawnLine[], size = 480): Picture {
  const { low, high } = boundsOf(surface.positions);
  const extent = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2], 1e-9) * (1 + 2 * MARGIN);
  const rgb = new Uint8Array(3 * 2 * size * size);
  for (let i = 0; i < rgb.length; i++) rgb[i] = BACKGROUND[i % 3];
  const canvas = new Canvas(
    rgb,
    2 * size,
    size,
    extent,
    [0, 1, 2].map((k) => (low[k] + high[k]) / 2),
  );
  [FRONT, SIDE].forEach((view, n) => {
    canvas.select(view, n * size);
    canvas.drawSurface(surface);
    for (const line of lines) canvas.drawLine(line);
  });
  return { width: 2 * size, height: size, rgb };
}

/** Draws into one square of a picture. */
class Canvas {
  readonly #rgb: Uint8Array;
  readonly #width: number;
  readonly #size: number;
  readonly #scale: number;
  readonly #centre: readonly number[];
  readonly #depth: Float64Array;
  #view = FRONT;
  #left = 0;

  constructor(rgb: Uint8Array, width: number, size: number, extent: number, centre: readonly number[]) {
    this.#rgb = rgb;
    this.#width = width;
    this.#size = size;
    this.#scale = size / extent;
    this.#centre = centre;
    this.#depth = new Float64Array(size * size);
  }

  select(view: View, left: number): void {
    this.#view = view;
    this.#left = left;
    this.#depth.fill(-Infinity);
  }

  drawSurface({ positions, triangles }: DrawnSurface): void {
    for (let t = 0; t + 2 < triangles.length; t += 3) {
      const corners = [0, 1, 2].map((k) => this.#project(positions, 3 * triangles[t + k]));
      const [a, b, c] = corners;
      const ux = b[0] - a[0];
      const uy = b[1] - a[1];
      const vx = c[0] - a[0];
      const vy = c[1] - a[1];
      const uz = (b[2] - a[2]) * this.#scale;
      const vz = (c[2] - a[2]) * this.#scale;
      const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
      const length = Math.sqrt(n[0] ** 2 + n[1] ** 2 + n[2] ** 2);
      if (!(length > 0)) continue;
      // light from the upper left behind the eye; both sides alike, so that holes show as dents
      const light = Math.abs(0.3 * n[0] + 0.5 * n[1] - 0.81 * n[2]) / length;
      this.#fill(corners, 0.35 + 0.65 * light);
    }
  }

  #fill([a, b, c]: readonly number[][], light: number): void {
    const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if (area === 0) return;
    const x0 = Math.max(0, Math.ceil(Math.min(a[0], b[0], c[0])));
    const x1 = Math.min(this.#size - 1, Math.floor(Math.max(a[0], b[0], c[0])));
    const y0 = Math.max(0, Math.ceil(Math.min(a[1], b[1], c[1])));
    const y1 = Math.min(this.#size - 1, Math.floor(Math.max(a[1], b[1], c[1])));
    for (let y = y0; y <= y1; y++) {
      for (let x = x0; x <= x1; x++) {
        const wb = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / area;
        const wc = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / area;
        if (wb < 0 || wc < 0 || wb + wc > 1) continue;
        const depth = a[2] + wb * (b[2] - a[2]) + wc * (c[2] - a[2]);
        if (depth <= this.#depth[y * this.#size + x]) continue;
        this.#depth[y * this.#size + x] = depth;
        this.#put(x, y, SKIN[0] * light, SKIN[1] * light, SKIN[2] * light);
      }
    }
  }

  drawLine({ from, to, colour }: DrawnLine): void {
    const a = this.#project(from, 0);
    const b = this.#project(to, 0);
    const steps = Math.max(
      1,
      Math.min(4 * this.#size, Math.ceil(Math.max(Math.abs(b[0] - a[0]), Math.abs(b[1] - a[1])))),
    );
    for (let i = 0; i <= steps; i++)
      this.#dot(a[0] + ((b[0] - a[0]) * i) / steps, a[1] + ((b[1] - a[1]) * i) / steps, 1, colour);
    this.#dot(a[0], a[1], 3, [30, 30, 30]);
  }

  #dot(x: number, y: number, radius: number, colour: readonly number[]): void {
    for (let dy = -radius; dy <= radius; dy++) {
      for (let dx = -radius; dx <= radius; dx++) {
        if (dx * dx + dy * dy > radius * radius) continue;
        this.#put(Math.round(x) + dx, Math.round(y) + dy, colour[0], colour[1], colour[2]);
      }
    }
  }

  #put(x: number, y: number, r: number, g: number, b: number): void {
    if (x < 0 || y < 0 || x >= this.#size || y >= this.#size) return;
    const o = 3 * (y * this.#width + this.#left + x);
    this.#rgb[o] = r;
    this.#rgb[o + 1] = g;
    this.#rgb[o + 2] = b;
  }

  /** Pixel to the right, pixel down, depth towards the eye [m]. */
  #project(p: ArrayLike<number>, i: number): number[] {
    const { right, eye } = this.#view;
    const x = right[1] * (p[i + right[0]] - this.#centre[right[0]]);
    const y = p[i + 1] - this.#centre[1];
    return [this.#size / 2 + x * this.#scale, this.#size / 2 - y * this.#scale, eye[1] * p[i + eye[0]]];
  }
}

function boundsOf(positions: ArrayLike<number>): { low: number[]; high: number[] } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  return { low, high };
}
