/** Khronos' validator: what it finds wrong with a file. Information and hints, about our own extension mostly, do not count. */
import { validateBytes } from 'gltf-validator';

/** Errors and warnings, one line each. */
export async function validateGltf(bytes: Uint8Array): Promise<string[]> {
  const { issues } = await validateBytes(bytes, { maxIssues: 1000 });
  return issues.messages
    .filter(({ severity }) => severity < 2)
    .map(({ code, message, pointer }) => `${code} ${pointer ?? ''}: ${message}`);
}
