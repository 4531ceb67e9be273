/**
 * JSON from strangers: the depth is checked before anything is parsed (a deep text overflows the stack of whoever
 * walks it), and keys that reach an object's prototype are refused. Used by the glTF reader.
 */
import { TendonError } from '../../errors.js';
import type { JsonObject, JsonValue } from '../gltf/gltf-model.js';

/** Parses a JSON object. `place` names the file in errors; the offset in it is counted in characters. */
export function parseJsonObject(text: string, place: string, maxDepth: number): JsonObject {
  requireDepth(text, place, maxDepth);
  let value: JsonValue;
  try {
    value = JSON.parse(text, refuseKey) as JsonValue;
  } catch (error) {
    if (error instanceof TendonError) throw error;
    throw new TendonError('E_FORMAT', place, (error as Error).message, 'this is not JSON');
  }
  if (!isObject(value)) throw new TendonError('E_FORMAT', place, value, 'an object was expected');
  return value;

  function refuseKey(key: string, member: JsonValue): JsonValue {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') {
      throw new TendonError('E_FORMAT', place, key, 'this key is not allowed');
    }
    return member;
  }
}

/** True for a JSON object, not for arrays and null. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Throws where brackets nest deeper than allowed; brackets in strings do not count. */
function requireDepth(text: string, place: string, maxDepth: number): void {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 92) i++;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 91 || code === 123) {
      depth++;
      if (depth > maxDepth) {
        throw new TendonError('E_RANGE', `${place} offset ${i}`, depth, `at most ${maxDepth} levels may be nested`);
      }
    } else if (code === 93 || code === 125) depth--;
  }
}
