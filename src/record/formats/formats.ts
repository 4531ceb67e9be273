/** The formats a motion can be baked to, by the ending of a file's name. */
import { TendonError } from '../../errors.js';
import { GLB } from '../glb/glb.js';
import type { BakeFormat } from './bake-format.js';
import { CSV } from './csv.js';
import { MDD } from './mdd.js';
import { OBJ_SEQUENCE } from './obj-sequence.js';
import { PC2 } from './pc2.js';
import { USDA } from './usda.js';
import { VTP_SEQUENCE } from './vtp-sequence.js';

/** Ending -> format. */
export const BAKE_FORMATS: Readonly<Record<string, BakeFormat>> = {
  glb: GLB,
  pc2: PC2,
  mdd: MDD,
  usda: USDA,
  csv: CSV,
  obj: OBJ_SEQUENCE,
  vtp: VTP_SEQUENCE,
};

/** The format of a file of that name; `E_UNKNOWN` lists those there are. */
export function findBakeFormat(path: string): BakeFormat {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  if (Object.hasOwn(BAKE_FORMATS, ending)) return BAKE_FORMATS[ending];
  const known = Object.keys(BAKE_FORMATS).map((name) => `.${name}`);
  throw new TendonError(
    'E_UNKNOWN',
    'output',
    path,
    `the file's ending says the format; there are ${known.join(', ')}`,
  );
}
