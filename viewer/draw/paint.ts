/**
 * How the procedural cast is painted: strokes and patches in the rest shape of each character [m], laid on one after the other.
 * A shader paints them per pixel, so that a face needs no more vertices than the flesh has.
 */

/** Everything within `radius` of the line from `a` to `b` gets a colour. */
export interface Mark {
  readonly a: readonly [number, number, number];
  readonly b: readonly [number, number, number];
  readonly radius: number;
  /** As under white light. */
  readonly colour: string;
  /** Width of the edge, in radii; default 0.08. */
  readonly soft?: number;
  /** How ragged the edge is, in radii: hair and fur; default 0. */
  readonly ragged?: number;
  /** How much of the colour is laid on; default 1. */
  readonly strength?: number;
  /** How much distance along z counts; default 1. Less makes a mark a disc that faces along z. */
  readonly depth?: number;
  /** How smooth it is, 0 to 1: eyes are wet; default that of skin. */
  readonly gloss?: number;
}

/** What a body looks like. */
export interface Paint {
  /** Colour of what no mark covers; undefined where the tone of the scene's bodies counts. */
  readonly base?: string;
  readonly marks: readonly Mark[];
  /** Bands along the body: fish, snakes [m]; 0 for none. */
  readonly bands?: { readonly length: number; readonly colour: string; readonly axis: 'x' | 'y' | 'z' };
  /** Woven and shiny instead of skin. */
  readonly cloth?: boolean;
}

/** The most marks a body can have; the shader's arrays are this long. */
export const MOST_MARKS = 28;

const INK = '#241511';
type Point = readonly [number, number, number];

function dot(a: Point, radius: number, colour: string, more: Partial<Mark> = {}): Mark {
  return { a, b: a, radius, colour, ...more };
}

function stroke(a: Point, b: Point, radius: number, colour: string, more: Partial<Mark> = {}): Mark {
  return { a, b, radius, colour, ...more };
}

/** The same on the other side, for what faces along z. */
function pair(...marks: readonly Mark[]): Mark[] {
  return marks.flatMap((mark) => [
    mark,
    { ...mark, a: [-mark.a[0], mark.a[1], mark.a[2]] as const, b: [-mark.b[0], mark.b[1], mark.b[2]] as const },
  ]);
}

/** On a face: how far in front of or behind it a mark is hardly matters. */
const FRONT = { depth: 0.12 };
/** The same on a head whose back is as near. */
const NEAR = { depth: 0.35 };

/** Eyes, brows, lips and cheeks of the head that human and mermaid share; it looks along z. */
function face(lips: string, brow: string, iris: string): Mark[] {
  const wet = { ...FRONT, gloss: 0.85 };
  return [
    ...pair(
      dot([0.045, 1.556, 0.075], 0.021, '#e0705c', { ...FRONT, soft: 0.95, strength: 0.45 }),
      stroke([0.027, 1.5985, 0.08], [0.036, 1.5985, 0.08], 0.0142, '#fdfaf6', wet),
      dot([0.0305, 1.598, 0.08], 0.0098, iris, wet),
      dot([0.0305, 1.598, 0.08], 0.0056, '#0d0808', wet),
      dot([0.0335, 1.6018, 0.08], 0.0024, '#ffffff', wet),
      stroke([0.017, 1.6265, 0.08], [0.034, 1.631, 0.08], 0.0038, brow, { ...FRONT, ragged: 0.25 }),
      stroke([0.034, 1.631, 0.08], [0.05, 1.625, 0.08], 0.003, brow, { ...FRONT, ragged: 0.25 }),
    ),
    stroke([-0.02, 1.5285, 0.085], [0.02, 1.5285, 0.085], 0.007, lips, { ...FRONT, soft: 0.3, gloss: 0.45 }),
    ...pair(stroke([0.027, 1.5355, 0.085], [0, 1.5285, 0.085], 0.0019, '#6d2a26', { ...FRONT, soft: 0.4 })),
  ];
}

const PAINTS: Readonly<Record<string, Paint>> = {
  human: {
    base: '#efbfa2',
    marks: [
      stroke([0, 1.05, 0], [0, 1.262, 0], 0.182, '#2f7c9c', { soft: 0.02 }),
      stroke([-0.125, 1.37, -0.015], [0.125, 1.37, -0.015], 0.088, '#2f7c9c', { soft: 0.03 }),
      stroke([-0.07, 0.865, 0], [0.07, 0.865, 0], 0.155, '#333a4d', { soft: 0.02 }),
      ...pair(stroke([0.14, 0.015, -0.06], [0.155, 0.012, 0.12], 0.074, '#f2efe8', { soft: 0.04 })),
      ...face('#c0625a', '#4a2e20', '#6b4226'),
      stroke([0, 1.662, -0.012], [0, 1.57, -0.075], 0.089, '#4a2e20', { ragged: 0.09, soft: 0.05, gloss: 0.35 }),
    ],
  },
  mermaid: {
    base: '#e9b79c',
    marks: [
      stroke([0, 0.87, 0], [0, -0.2, 0], 0.2, '#1f8f86', { soft: 0.03, gloss: 0.6 }),
      stroke([0, 0.12, 0], [0, -0.3, 0], 0.5, '#2bb7a0', { soft: 0.3, gloss: 0.6 }),
      ...pair(dot([0.07, 1.262, 0.1], 0.062, '#c46aa0', { gloss: 0.4 })),
      ...face('#c4555a', '#6b3a1c', '#2f6f5a'),
      stroke([0, 1.665, -0.015], [0, 1.58, -0.09], 0.102, '#8a3f1c', { ragged: 0.06, gloss: 0.4 }),
      stroke([0, 1.5, -0.13], [0, 1.12, -0.14], 0.1, '#8a3f1c', { ragged: 0.1, gloss: 0.4 }),
    ],
  },
  quadruped: {
    base: '#b9814e',
    marks: [
      stroke([0, 0.36, -0.3], [0, 0.34, 0.3], 0.13, '#e6cfae', { soft: 0.5, ragged: 0.15 }),
      stroke([0, 0.62, -0.2], [0, 0.62, 0.12], 0.11, '#6d4526', { soft: 0.4, ragged: 0.2 }),
      ...pair(
        stroke([0.1, 0, 0.2], [0.1, 0.06, 0.24], 0.09, '#efe2cc', { soft: 0.3, ragged: 0.2 }),
        stroke([0.1, 0, -0.3], [0.1, 0.06, -0.2], 0.09, '#efe2cc', { soft: 0.3, ragged: 0.2 }),
        dot([0.06, 0.82, 0.33], 0.06, '#5a361d', { soft: 0.4, ragged: 0.15 }),
      ),
      stroke([0, 0.645, 0.5], [0, 0.65, 0.44], 0.042, '#ecd9bd', { soft: 0.4 }),
      dot([0, 0.664, 0.517], 0.0185, '#1b1413', { gloss: 0.7 }),
      ...pair(
        dot([0.045, 0.701, 0.391], 0.0125, INK, { gloss: 0.95 }),
        dot([0.045, 0.706, 0.398], 0.0034, '#ffffff', { gloss: 0.9 }),
      ),
    ],
  },
  cat: {
    base: '#a2968a',
    bands: { length: 0.036, colour: '#5d5248', axis: 'z' },
    marks: [
      stroke([0, 0.155, -0.13], [0, 0.16, 0.15], 0.042, '#f3ede4', { soft: 0.4, ragged: 0.15 }),
      stroke([0, 0.2, 0.165], [0, 0.245, 0.2], 0.034, '#f3ede4', { soft: 0.3, ragged: 0.15 }),
      stroke([0, 0.256, -0.15], [0, 0.256, 0.1], 0.017, '#463d35', { soft: 0.5, ragged: 0.25 }),
      ...pair(
        stroke([0.04, 0, 0.09], [0.04, 0.03, 0.1], 0.032, '#f3ede4', { soft: 0.3, ragged: 0.15 }),
        stroke([0.043, 0, -0.14], [0.043, 0.022, -0.14], 0.036, '#f3ede4', { soft: 0.3, ragged: 0.15 }),
        stroke([0.026, 0.33, 0.21], [0.033, 0.352, 0.206], 0.0095, '#d9a79a', { soft: 0.5 }),
        stroke([0.012, 0.322, 0.215], [0.0095, 0.338, 0.21], 0.0034, '#463d35', { ...NEAR, soft: 0.5 }),
        dot([0.0112, 0.271, 0.235], 0.0165, '#f7f2ea', { soft: 0.35 }),
        dot([0.0225, 0.299, 0.226], 0.0098, '#2b2320', { ...NEAR, gloss: 0.9 }),
        dot([0.0225, 0.299, 0.226], 0.0084, '#b7c94f', { ...NEAR, gloss: 0.95 }),
        stroke([0.0225, 0.2945, 0.226], [0.0225, 0.3035, 0.226], 0.0026, '#0d0b08', { ...NEAR, gloss: 0.95 }),
        dot([0.0255, 0.3025, 0.226], 0.0018, '#ffffff', { ...NEAR, gloss: 0.9 }),
      ),
      dot([0, 0.2835, 0.247], 0.0062, '#c97b78', { gloss: 0.6 }),
      stroke([0, 0.279, 0.247], [0, 0.2695, 0.247], 0.0011, '#6b4a44', { ...NEAR, soft: 0.5 }),
    ],
  },
  fish: {
    base: '#e0803a',
    bands: { length: 0.085, colour: '#fff4e6', axis: 'z' },
    marks: [
      stroke([0, 0.02, 0.16], [0, 0.02, -0.1], 0.03, '#f7e3c4', { soft: 0.8 }),
      ...pair(
        dot([0.026, 0.083, 0.148], 0.0118, '#fdfaf2', { gloss: 0.9 }),
        dot([0.03, 0.083, 0.149], 0.0075, '#120d0c', { gloss: 0.95 }),
        dot([0.031, 0.087, 0.151], 0.0022, '#ffffff', { gloss: 0.9 }),
      ),
      stroke([-0.012, 0.061, 0.208], [0.012, 0.061, 0.208], 0.0035, '#7e3a22', { soft: 0.4 }),
    ],
  },
  snake: {
    base: '#6f9a4b',
    bands: { length: 0.11, colour: '#33502a', axis: 'x' },
    marks: [stroke([-1.5, -0.005, 0], [0.2, -0.005, 0], 0.012, '#e7dfa8', { soft: 0.4 })],
  },
  snail: {
    base: '#c9a27d',
    marks: [
      ...[-1, 1].map((side) => dot([0.163, 0.122, 0.034 * side], 0.0082, INK, { gloss: 0.95 })),
      ...[0.058, 0.041, 0.026, 0.013].map((radius, i) =>
        stroke([-0.022, 0.09, -0.05], [-0.022, 0.09, 0.09], radius, i % 2 ? '#c98b4a' : '#7b4a28', { soft: 0.25 }),
      ),
    ],
  },
  silk: { base: '#b5203c', marks: [], cloth: true },
  bar: { marks: [] },
};

/** A body's paint, by the name of its character; plain flesh for what is none of the cast. */
export function paintOf(name: string): Paint {
  const aliases: Readonly<Record<string, string>> = { acrobat: 'human', 'arm-shoulder': 'human' };
  return PAINTS[aliases[name] ?? name] ?? { marks: [] };
}
