/**
 * Compiles assembly/ to WebAssembly, once with plain memory and once with shared memory, and writes both as base64
 * into src/kernels/wasm-binary.generated.ts. Skipped while neither the sources nor the compiler have changed.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = fileURLToPath(new URL('..', import.meta.url));
const output = join(root, 'src/kernels/wasm-binary.generated.ts');
const compiler = JSON.parse(readFileSync(join(root, 'node_modules/assemblyscript/package.json'), 'utf8')).version;

// The pages are placeholders: the loader imports a memory of the size the world needs.
const FLAGS = [
  '--runtime',
  'stub',
  '--noAssert',
  '-O3',
  '--converge',
  '--importMemory',
  '--enable',
  'simd',
  '--initialMemory',
  '1',
  '--memoryBase',
  '1024',
  '--use',
  'abort=',
];
const VARIANTS = { plain: [], shared: ['--sharedMemory', '--maximumMemory', '65536', '--enable', 'threads'] };

const sources = readdirSync(join(root, 'assembly'))
  .filter((name) => name.endsWith('.ts'))
  .sort();
const hash = createHash('sha256')
  .update(compiler)
  .update(JSON.stringify([FLAGS, VARIANTS]));
for (const name of sources) hash.update(name).update(readFileSync(join(root, 'assembly', name)));
const stamp = `// sources ${hash.digest('hex')}`;

if (!existsSync(output) || !readFileSync(output, 'utf8').startsWith(stamp)) {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-wasm-'));
  const lines = [stamp];
  for (const [name, flags] of Object.entries(VARIANTS)) {
    const file = join(folder, `${name}.wasm`);
    const { error, stderr } = await asc.main([join(root, 'assembly/index.ts'), '-o', file, ...FLAGS, ...flags]);
    if (error) {
      console.error(stderr.toString());
      process.exit(1);
    }
    const bytes = readFileSync(file);
    console.log(`kernels, ${name} memory: ${(bytes.length / 1024).toFixed(1)} kB`);
    lines.push(
      `/** The kernels over ${name} memory, base64. */`,
      `export const ${name.toUpperCase()}_WASM = '${bytes.toString('base64')}';`,
    );
  }
  rmSync(folder, { recursive: true });
  writeFileSync(output, `${lines.join('\n')}\n`);
}
