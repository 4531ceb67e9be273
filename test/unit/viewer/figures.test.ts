/** The light of the page: green where all is as promised, and never where a step is far from its end. */
import { describe, expect, it } from 'vitest';
import { createReport } from '../../../src/solvers/step-report.js';
import { FIGURES, gradeOf, isMeasured, judge, STEP_ERROR } from '../../../viewer/panel/figures.js';
import type { Frame, SceneInfo } from '../../../viewer/worker/scene-info.js';

const GOOD = { ...createReport([]), bodySize: 2, substeps: 1, slipped: [], stilled: false };
const INFO = { totalMass: 1, lanes: [{ bones: 'exact' }], solver: 'projective' } as unknown as SceneInfo;
const textOf = (label: string, certificate: typeof GOOD) =>
  FIGURES.find((figure) => figure.label === label)?.text(certificate, {} as Frame);

describe('the light of a step', () => {
  it.each([
    [{}, 'good', 'All checks passed'],
    [{ error: STEP_ERROR.good }, 'good', 'All checks passed'],
    [{ error: 0.2 }, 'warn', 'Coarse: step error'],
    [{ error: 1 }, 'bad', 'Warning: step error'],
    [{ turnedDepth: 0.03 }, 'warn', 'Warning: turned inside out'],
    [{ penetration: 0.03 }, 'warn', 'Warning: penetration'],
    [{ unswept: 2 }, 'warn', 'Warning: missed contacts'],
    [{ droppedContacts: 1 }, 'warn', 'Warning: missed contacts'],
    // broken promises are named before what is only not exact
    [{ error: 0.2, inverted: 3 }, 'warn', 'Warning: inverted tets'],
    [{ error: 1, inverted: 3 }, 'bad', 'Warning: inverted tets'],
  ])('%o: %s', (change, state, text) => {
    expect(judge({ ...GOOD, ...change }, INFO)).toEqual({ state, text });
  });

  it('says in words what a step error, a volume and missed contacts are', () => {
    const seen = { ...GOOD, error: 0.44, volume: 0.9876, droppedContacts: 1, unswept: 2, turnedDepth: 0.5 };
    expect(textOf('Step error', seen)).toBe('44 %, coarse');
    expect(textOf('Step error', { ...seen, error: 1 })).toBe('100 %, bad');
    expect(textOf('Volume', seen)).toBe('98.8 %');
    expect(textOf('Missed contacts', seen)).toBe('3');
    expect(textOf('Turned inside out', seen)).toBe('0.500 m');
  });

  it.each([
    ['projective', []],
    ['coupled', ['Rigidity error', 'Inverted tets', 'Turned inside out', 'Residual', 'Step error']],
    ['layered', ['Inverted tets', 'Turned inside out', 'Residual', 'Step error']],
    ['lattice', ['Rigidity error', 'Momentum drift', 'Step error']],
    // one that was added from outside may measure anything
    ['toy', []],
  ])('knows what the %s solver does not measure, and judges by none of it', (solver, unknown) => {
    const info = { ...INFO, solver };
    expect(FIGURES.filter((figure) => !isMeasured(figure, info)).map(({ label }) => label)).toEqual(unknown);
    const worst = { ...GOOD, rigidity: 1, inverted: 1, turnedDepth: 1, residual: 1, error: 1, momentumDrift: 1 };
    for (const figure of FIGURES) if (unknown.includes(figure.label)) expect(gradeOf(figure, worst, info)).toBe('');
    const named = judge(worst, info).text.replace(/^Warning: /, '');
    expect(unknown.map((label) => label.toLowerCase())).not.toContain(named);
  });
});
