/** Which parts of a benchmark are asked for: all, or one by its name; a name that there is not is told with those that there are. */
import { TendonError } from '../src/errors.js';

/** `place`: the option that names one. */
export function only(names: Iterable<string>, wanted: string | undefined, place: string): readonly string[] {
  const all = [...names];
  if (wanted === undefined) return all;
  if (!all.includes(wanted)) throw new TendonError('E_UNKNOWN', place, wanted, `use one of ${all.join(', ')}`);
  return [wanted];
}
