/** How much of a file the readers are willing to read. Every reader takes these as its options. */
import { TendonError } from '../../errors.js';

/** Limits beyond which a file is refused rather than read. */
export interface IoLimits {
  /** Size of a file [bytes]; default 512 MiB. Also bounds what a compressed or shared encoding may unfold to. */
  readonly maxBytes?: number;
  /** Default 5e6. */
  readonly maxVertices?: number;
  /** Triangles, tetrahedra, or numbers of motion data; default 2e7. */
  readonly maxElements?: number;
  /** Length of a line of text [characters]; default 1 MiB. */
  readonly maxLineLength?: number;
  /** How deep things may be nested in JSON, XML and skeletons; default 64. */
  readonly maxDepth?: number;
}

/** What applies where an option is left out. */
export const IO_LIMITS_DEFAULTS: Required<IoLimits> = {
  maxBytes: 512 * 1024 * 1024,
  maxVertices: 5e6,
  maxElements: 2e7,
  maxLineLength: 1024 * 1024,
  maxDepth: 64,
};

/** Fills in the defaults, field by field: a caller's object may carry other options too. */
export function resolveLimits(limits: IoLimits = {}): Required<IoLimits> {
  const d = IO_LIMITS_DEFAULTS;
  return {
    maxBytes: limits.maxBytes ?? d.maxBytes,
    maxVertices: limits.maxVertices ?? d.maxVertices,
    maxElements: limits.maxElements ?? d.maxElements,
    maxLineLength: limits.maxLineLength ?? d.maxLineLength,
    maxDepth: limits.maxDepth ?? d.maxDepth,
  };
}

/** Throws `E_RANGE` where a file is larger than allowed. */
export function requireFileSize(byteLength: number, limits: Required<IoLimits>, file: string): void {
  if (byteLength > limits.maxBytes) {
    throw new TendonError('E_RANGE', `${file} size`, byteLength, `the file may have at most ${limits.maxBytes} bytes`);
  }
}
