/** What the card of the certificate shows: the numbers of a step, in words, and which of them are as they should be. */
import type { Certificate } from '../../src/index.js';
import type { Frame, SceneInfo } from '../worker/scene-info.js';
import { milliseconds, quantity } from './numbers.js';

/** What is promised of a step, relative to the body's size, mass and speed. */
const PROMISED = { jointGap: 1e-9, rigidity: 1e-9, momentum: 1e-9, depth: 1e-2 };
/**
 * Step error up to which a step is good: the 3 % that are wanted of ten iterations, and the estimate may be three times the truth (docs/benchmarks.md); from `bad` on it is
 * farther off than plain local/global iterations are (33 %).
 */
export const STEP_ERROR = { good: 0.1, bad: 0.5 };

/** As it should be; not as it should be; so far off that what is seen is not what was described. */
export type Grade = '' | 'warn' | 'bad';

const IN_WORDS: Record<Grade, string> = { '': '', warn: ', coarse', bad: ', bad' };

/** One line of the card. */
export interface Figure {
  readonly label: string;
  /** What the number means, for those who point at it. */
  readonly title?: string;
  /** Solvers that do not measure it: what their certificates have there is nothing. */
  readonly unknownTo?: readonly string[];
  /** What to show. */
  readonly text: (certificate: Certificate, frame: Frame) => string;
  /** False where the promise is broken. */
  readonly kept?: (certificate: Certificate, info: SceneInfo) => boolean;
  /** Where there is more between kept and broken. */
  readonly grade?: (certificate: Certificate) => Grade;
}

/** Force that is out of balance. */
export const RESIDUAL: Figure = {
  label: 'Residual',
  // of the layered solver it is no force
  unknownTo: ['coupled', 'layered'],
  text: ({ residual }) => quantity(residual, 'N'),
  // The published bone step closes the joints but does not get the forces into balance, however long it iterates.
  kept: (_, { lanes }) => lanes[0].bones !== 'published',
};

export const FIGURES: readonly Figure[] = [
  {
    label: 'Joint gap',
    text: ({ jointGap }) => quantity(jointGap, 'm'),
    kept: ({ jointGap, bodySize }) => jointGap <= PROMISED.jointGap * bodySize,
  },
  {
    label: 'Rigidity error',
    unknownTo: ['coupled', 'lattice'],
    text: ({ rigidity }) => quantity(rigidity, ''),
    kept: ({ rigidity }) => rigidity <= PROMISED.rigidity,
  },
  {
    label: 'Momentum drift',
    unknownTo: ['lattice'],
    text: ({ momentumDrift }) => quantity(momentumDrift, 'kg m/s'),
    kept: ({ momentumDrift, bodySize }, { totalMass }) => momentumDrift <= PROMISED.momentum * totalMass * bodySize,
  },
  {
    label: 'Angular drift',
    // no promise: a blow that would turn a body far is left as it was found
    title:
      'Angular momentum of the last step that nobody gave: what gravity, forces and things that are held or driven have given is taken off. No promise: flesh that touches things, in heaps or beside joints, leaves some.',
    text: ({ angularDrift }) => (angularDrift === undefined ? '–' : quantity(angularDrift, 'kg m²/s')),
  },
  {
    label: 'Stretch (most)',
    // the longest edge in lengths at rest, now and since the start
    text: (_, { lanes: [{ stretch, mostStretch }] }) => `${stretch.toPrecision(3)} (${mostStretch.toPrecision(3)})`,
  },
  {
    label: 'Volume',
    title:
      'Volume of the flesh, of that at rest, in the body that has least. No promise: how much flesh gives way is its material’s.',
    text: ({ volume }) => `${(100 * volume).toFixed(1)} %`,
  },
  {
    label: 'Inverted tets',
    unknownTo: ['coupled', 'layered'],
    text: ({ inverted }) => String(inverted),
    kept: ({ inverted }) => inverted === 0,
  },
  {
    label: 'Turned inside out',
    unknownTo: ['coupled', 'layered'],
    title: 'How deep flesh that is turned inside out is in its own body; up to 1 % of the body’s size is promised.',
    text: ({ turnedDepth }) => quantity(turnedDepth, 'm'),
    kept: ({ turnedDepth, bodySize }) => turnedDepth <= PROMISED.depth * bodySize,
  },
  RESIDUAL,
  {
    label: 'Step error',
    unknownTo: ['coupled', 'layered', 'lattice'],
    title: `How far the step is from where iterations would end, as a share of the correction it needed; an estimate, of half to three times the truth. Up to ${100 * STEP_ERROR.good} %: good. Up to ${100 * STEP_ERROR.bad} %: coarse, more iterations would show. Above: bad.`,
    text: ({ error }) => `${error < 0.995 ? (100 * error).toPrecision(2) : 100} %${IN_WORDS[gradeOfError(error)]}`,
    grade: ({ error }) => gradeOfError(error),
  },
  {
    label: 'Penetration',
    title: 'Deepest that anything is in anything, its own creases included; up to 1 % of the body’s size is promised.',
    text: ({ penetration }) => quantity(Math.max(0, penetration), 'm'),
    kept: ({ penetration, bodySize }) => penetration <= PROMISED.depth * bodySize,
  },
  {
    label: 'Missed contacts',
    title: 'Contacts there was no room for, and things too fast to be sure that nothing has passed.',
    text: ({ droppedContacts, unswept }) => String(droppedContacts + unswept),
    kept: ({ droppedContacts, unswept }) => droppedContacts + unswept === 0,
  },
  { label: 'Whole step', text: (_, { stepMs }) => (stepMs > 0 ? milliseconds(stepMs) : '–') },
  { label: 'Steps left out', text: (_, { dropped }) => String(dropped) },
];

/** Where the time goes. */
export const TIMES: readonly Figure[] = [
  { label: 'Flesh, local', text: ({ ms }) => milliseconds(ms.local) },
  { label: 'Flesh, global', text: ({ ms }) => milliseconds(ms.global) },
  { label: 'Bones and joints', text: ({ ms }) => milliseconds(ms.bones) },
  { label: 'Contact', text: ({ ms }) => milliseconds(ms.contact) },
  { label: 'Predict, finish', text: ({ ms }) => milliseconds(ms.predict + ms.finish) },
];

/** Whether the solver of a scene measures a figure. */
export function isMeasured({ unknownTo = [] }: Figure, { solver }: SceneInfo): boolean {
  return !unknownTo.includes(solver);
}

export function gradeOf(figure: Figure, certificate: Certificate, info: SceneInfo): Grade {
  if (!isMeasured(figure, info)) return '';
  if (figure.kept?.(certificate, info) === false) return 'warn';
  return figure.grade?.(certificate) ?? '';
}

/** The light of a step, and in words what it is for: the first of what is worst; broken promises go before what is only coarse. */
export function judge(certificate: Certificate, info: SceneInfo): { state: 'good' | 'warn' | 'bad'; text: string } {
  const known = FIGURES.filter((figure) => isMeasured(figure, info));
  const bad = known.find((figure) => gradeOf(figure, certificate, info) === 'bad');
  const broken = known.find(({ kept }) => kept?.(certificate, info) === false);
  const coarse = known.find((figure) => gradeOf(figure, certificate, info) === 'warn');
  const worst = broken ?? bad ?? coarse;
  if (!worst) return { state: 'good', text: 'All checks passed' };
  const word = broken || bad ? 'Warning' : 'Coarse';
  return { state: bad ? 'bad' : 'warn', text: `${word}: ${worst.label.toLowerCase()}` };
}

function gradeOfError(error: number): Grade {
  if (error <= STEP_ERROR.good) return '';
  return error <= STEP_ERROR.bad ? 'warn' : 'bad';
}
