/** `tendon verify`: does the program do what physics says? */
import type { Command } from 'commander';

const EXAMPLE = `
Examples:
  tendon verify
  tendon verify --case V06
  tendon verify --json > verification.jsonl
Exit codes: 0 all cases pass, 1 one fails, 2 wrong use.`;

/** Adds the command. */
export function registerVerify(program: Command): void {
  program
    .command('verify')
    .description(
      'compare with closed forms, conservation laws and independent solutions: case, formula, expected, got, pass',
    )
    .option('--json', 'one JSON object per line')
    .option('--case <id>', 'only this one')
    .option('--docs <file>', 'also write the table as Markdown')
    .addHelpText('after', EXAMPLE)
    .action(async (options) => {
      // cases bring half the solvers with them: other commands need not wait for that
      const { verify } = await import('../../bench/verify/verify.js');
      await verify(options);
    });
}
