/** Words of a `.joint` file's lines, one after the other, with the checks each kind needs. Used by `readJointFile`. */
import type { TendonErrorCode } from '../errors.js';
import type { IoLimits } from './text/io-limits.js';
import { TextScanner } from './text/text-scanner.js';

/** Most that an angle may be [rad]: a full turn either way. */
const MAX_ANGLE = 2 * Math.PI;
/** Slack for angles that were rounded when they were written [rad]. */
const ANGLE_SLACK = 1e-6;
const MAX_REGION = 0x7fffffff;

/** Opens a file and checks its first line. */
export function openJointWords(contents: Uint8Array | string, firstLine: string, limits: IoLimits): JointWords {
  const scanner = new TextScanner(contents, { ...limits, file: '.joint', comment: '#', quotes: true });
  const isRight = scanner.nextLine() && scanner.count === 2 && firstLine === `${scanner.text(0)} ${scanner.text(1)}`;
  if (!isRight) scanner.fail(scanner.textFrom(0).slice(0, 80), `the first line must be "${firstLine}"`);
  return new JointWords(scanner);
}

/** A place in a line. */
export class JointWords {
  private readonly scanner: TextScanner;
  private word = 0;
  /** Radians per unit of the file's angles. */
  private unit = 1;

  constructor(scanner: TextScanner) {
    this.scanner = scanner;
  }

  /** Goes to the next statement; false at the end of the file. */
  nextLine(): boolean {
    this.word = 0;
    return this.scanner.nextLine();
  }

  /** Whether the line goes on. */
  hasMore(): boolean {
    return this.word < this.scanner.count;
  }

  /** Whether the next word is one of `keywords`, not in quotes. */
  isNext(keywords: readonly string[]): boolean {
    return keywords.some((keyword) => this.scanner.is(this.word, keyword));
  }

  /** Whether the next word starts like a number. */
  isNumberNext(): boolean {
    return this.hasMore() && /^[-+.\d]/.test(this.scanner.text(this.word)) && !this.isQuoted();
  }

  /** The next word. */
  text(what: string): string {
    if (!this.hasMore()) this.fail('the end of the line', `${what} was expected`);
    return this.scanner.text(this.word++);
  }

  /** The next word as the number of a region. */
  region(): number {
    return this.scanner.integer(this.word++, -MAX_REGION, MAX_REGION);
  }

  /** Three numbers. */
  vector(): [number, number, number] {
    return [this.number(), this.number(), this.number()];
  }

  /** Three numbers that are a direction. */
  axis(): [number, number, number] {
    const axis = this.vector();
    const length = Math.sqrt(axis.reduce((sum, x) => sum + x * x, 0));
    if (!(length > 1e-12 && length < 1e12)) this.fail(length, 'an axis must have a length', 'E_RANGE');
    return axis;
  }

  /** An angle in [low, high], in radians whatever the file uses. */
  angle(low: number, high: number): number {
    const angle = this.number() * this.unit;
    if (angle < low - ANGLE_SLACK || angle > high + ANGLE_SLACK) {
      this.fail(angle, `the angle must lie between ${low} and ${high} rad`, 'E_RANGE');
    }
    return angle;
  }

  /** A smallest and a largest angle [rad]. */
  angleRange(): [number, number] {
    const low = this.angle(-MAX_ANGLE, MAX_ANGLE);
    const high = this.angle(-MAX_ANGLE, MAX_ANGLE);
    if (low > high) this.fail(low, 'the smallest angle comes first', 'E_RANGE');
    return [low, high];
  }

  /** What angles are measured in from here on. */
  setAngles(unit: string): void {
    if (unit !== 'radians' && unit !== 'degrees') this.fail(unit, '"radians" or "degrees" was expected');
    this.unit = unit === 'degrees' ? Math.PI / 180 : 1;
  }

  /** Throws where `value` is known already, else makes it known. */
  unique<T>(known: Set<T>, value: T): void {
    if (known.has(value)) this.fail(value, 'this is there twice', 'E_DUPLICATE');
    known.add(value);
  }

  /** Throws where the line goes on. */
  end(): void {
    if (this.hasMore()) this.fail(this.text(''), 'the line should end here');
  }

  /** Throws an error about this line. */
  fail(value: unknown, advice: string, code: TendonErrorCode = 'E_FORMAT'): never {
    this.scanner.fail(value, advice, code);
  }

  private number(): number {
    return this.scanner.number(this.word++);
  }

  private isQuoted(): boolean {
    const [start, , bytes] = this.scanner.range(this.word);
    return bytes[start] === 34;
  }
}
