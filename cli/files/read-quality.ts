/** `--quality`: a word, or milliseconds a step. */
import type { Quality } from '../../host/world/quality.js';
import { TendonError } from '../../src/errors.js';

/** Reads the option; nothing means full. */
export function readQuality(text = 'full'): Quality {
  if (text === 'full' || text === 'auto') return text;
  const budget = Number(text);
  if (budget > 0 && budget < Number.POSITIVE_INFINITY) return budget;
  throw new TendonError('E_RANGE', '--quality', text, 'use full, auto, or milliseconds a step');
}
