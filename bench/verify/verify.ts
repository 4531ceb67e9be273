/** `tendon verify`: every verification case, as a table, as JSON, or as the document docs/verification.md. */
import { writeOutput } from '../../cli/files/write-file.js';
import { TendonError } from '../../src/errors.js';
import { CONTACT_CASES } from './contact-cases.js';
import { COUPLED_CASES } from './coupled-cases.js';
import { COUPLED_PROOF_CASES } from './coupled-proof-cases.js';
import { LATTICE_CASES } from './lattice-cases.js';
import { MOTION_CASES } from './motion-cases.js';
import { SKELETON_CASES } from './skeleton-cases.js';
import { runCase, type VerifyCase, type VerifyResult } from './verify-case.js';

export const VERIFY_CASES: readonly VerifyCase[] = [
  ...MOTION_CASES,
  ...SKELETON_CASES,
  ...CONTACT_CASES,
  ...COUPLED_CASES,
  ...COUPLED_PROOF_CASES,
  ...LATTICE_CASES,
];

interface VerifyOptions {
  readonly json?: boolean;
  readonly case?: string;
  readonly docs?: string;
}

/** Runs the cases; the exit code is 1 where one fails. */
export async function verify({ json, case: only, docs }: VerifyOptions): Promise<void> {
  const cases = VERIFY_CASES.filter(({ id }) => only === undefined || id === only);
  if (cases.length === 0) {
    const known = [...new Set(VERIFY_CASES.map(({ id }) => id))].join(', ');
    throw new TendonError('E_UNKNOWN', '--case', only, `there are ${known}`);
  }
  const results: VerifyResult[] = [];
  if (!json) console.log(rowOf(['case', 'solver', 'what', 'formula', 'expected', 'got', 'within', '']));
  for (const one of cases) {
    const result = await runCase(one);
    results.push(result);
    if (json) console.log(JSON.stringify(result));
    else console.log(rowOf(cellsOf(result)));
  }
  const failed = results.filter(({ pass }) => !pass).length;
  if (!json) console.log(`${results.length - failed} of ${results.length} cases pass`);
  if (docs !== undefined) writeOutput(docs, markdownOf(results));
  if (failed > 0) process.exitCode = 1;
}

const WIDTHS = [6, 11, 62, 48, 16, 16, 10, 5];

function rowOf(cells: readonly string[]): string {
  return cells.map((cell, i) => cell.slice(0, WIDTHS[i]).padEnd(WIDTHS[i])).join(' ');
}

function cellsOf({ id, solver, name, formula, unit, expected, got, tolerance, pass }: VerifyResult): string[] {
  const number = (value: number): string => `${shortly(value)}${unit === '' ? '' : ` ${unit}`}`;
  return [id, solver, name, formula, number(expected), number(got), shortly(tolerance), pass ? 'pass' : 'FAIL'];
}

/** Six digits: what engines round differently in their own sines is beyond them. */
function shortly(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  return size < 1e-3 || size >= 1e5 ? value.toExponential(1) : String(Number(value.toPrecision(6)));
}

/** The document. */
export function markdownOf(results: readonly VerifyResult[]): string {
  const rows = results.map((result) => {
    return `| ${cellsOf(result).map(escaped).join(' | ')} |`;
  });
  return `# Verification

Written by \`tendon verify --docs docs/verification.md\`: every case compares the program with a closed form, a conservation law or an
independent solution, with a tolerance that was there before the result. \`tendon verify --json\` gives the same as data; the exit code is 1
where a case fails. Hundreds more, slower or finer, are in \`test/physics/\`; what is timed is in [benchmarks](benchmarks.md).

| case | solver | what | formula or source | expected | got | within | |
| --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

Backward Euler is not hidden: V03 and V06b expect its damping and its error as they are, so that nobody mends the number instead of the method.
`;
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}
