/** `--region bone:thigh*=fat`: which part of the flesh is made of what. */
import type { RegionWish } from '../../src/character/build/regions.js';
import { LIVING_FLESH } from '../../src/character/build/rigged.js';
import { TendonError } from '../../src/errors.js';
import { MATERIALS } from '../../src/index.js';

const PATTERN = /^(bone|mesh|group):(.+)=([^=]+)$/;

/** Reads one region: a material by name, or flesh of a stiffness in pascals. */
export function readRegion(text: string): RegionWish {
  const [, kind, name, what] = PATTERN.exec(text) ?? [];
  if (kind === undefined) {
    const advice = `write bone:NAME=MATERIAL, mesh:NAME=MATERIAL or group:NAME=MATERIAL`;
    throw new TendonError('E_FORMAT', '--region', text, advice);
  }
  return { [kind]: name, material: readMaterial(what) };
}

function readMaterial(what: string): RegionWish['material'] {
  const names = Object.keys(MATERIALS) as (keyof typeof MATERIALS)[];
  const named = names.find((name) => name === what);
  if (named !== undefined) return named;
  const youngModulus = Number(what);
  if (youngModulus > 0) return { ...LIVING_FLESH, youngModulus };
  throw new TendonError('E_UNKNOWN', '--region', what, `use ${names.join(', ')}, or a stiffness in pascals`);
}
