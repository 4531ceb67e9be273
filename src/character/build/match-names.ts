/** Bones, meshes and groups by name, where `*` stands for any letters. Used by what names places of a character. */
import { TendonError } from '../../errors.js';

/** Numbers of the entries one of whose names fits a pattern, large letters or small. */
export function matchNames(pattern: string, names: readonly (readonly string[])[]): ReadonlySet<number> {
  const fits = new RegExp(`^${pattern.split('*').map(escapeText).join('.*')}$`, 'i');
  return new Set(names.flatMap((list, i) => (list.some((name) => fits.test(name)) ? [i] : [])));
}

/** The same; `E_UNKNOWN` lists the names there are where none fits. */
export function chooseByName(
  pattern: string,
  names: readonly (readonly string[])[],
  place: string,
): ReadonlySet<number> {
  const chosen = matchNames(pattern, names);
  if (chosen.size > 0) return chosen;
  const known = [...new Set(names.map(([first]) => first))].join(', ') || 'none';
  throw new TendonError('E_UNKNOWN', place, pattern, `there are: ${known}`);
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
