/** The tables TetGen's files are made of: a line of counts, then numbered rows. Used by `readTetgen` and `readSmesh`. */
import type { TextScanner } from '../text/text-scanner.js';

/** What to expect of a table. */
export interface TableOptions {
  /** Numbers to keep of each row, after its index. */
  readonly width: number;
  /** Fewest and most rows. */
  readonly minRows: number;
  readonly maxRows: number;
  /** Finds how many numbers to keep beyond `width`, from the first line; default none. */
  readonly extra?: (header: readonly number[]) => number;
  /** Read until the end of the file, where nothing else may follow; default true. */
  readonly isWholeFile?: boolean;
}

/** A table as it was read. */
export interface Table {
  /** At most four numbers of the first line. */
  readonly header: readonly number[];
  readonly headerLine: number;
  /** Index of the first row, 0 or 1. */
  readonly base: number;
  /** `width` numbers per row. */
  readonly values: number[];
  /** What `extra` asked for, per row; rows that are too short give 0. */
  readonly extras: number[];
  /** Line of each row, for error messages. */
  readonly lines: number[];
}

/** Reads a line of counts and the rows it announces. */
export function readTable(scanner: TextScanner, options: TableOptions): Table {
  const { width, minRows, maxRows, extra, isWholeFile = true } = options;
  if (!scanner.nextLine()) scanner.failEnd('a line of counts');
  const header: number[] = [];
  for (let i = 0; i < Math.min(scanner.count, 4); i++) header.push(scanner.number(i));
  const headerLine = scanner.line;
  const rowCount = scanner.integer(0, minRows, maxRows);
  const extraCount = extra?.(header) ?? 0;
  const table: Table = { header, headerLine, base: 0, values: [], extras: [], lines: [] };
  let base = 0;
  while ((isWholeFile || table.lines.length < rowCount) && scanner.nextLine()) {
    if (table.lines.length === rowCount) scanner.fail(scanner.text(0), `only ${rowCount} rows were announced`);
    if (scanner.count < width + 1) scanner.fail(scanner.count, `a row needs ${width + 1} numbers`);
    const index = scanner.number(0);
    if (table.lines.length === 0) base = index;
    if ((base !== 0 && base !== 1) || index !== base + table.lines.length) {
      scanner.fail(index, 'rows must be numbered one after the other, from 0 or from 1');
    }
    for (let i = 1; i <= width; i++) table.values.push(scanner.number(i));
    for (let i = width + 1; i <= width + extraCount; i++) {
      table.extras.push(i < scanner.count ? scanner.number(i) : 0);
    }
    table.lines.push(scanner.line);
  }
  if (table.lines.length < rowCount) scanner.failEnd(`row ${table.lines.length} of ${rowCount}`);
  return { ...table, base };
}
