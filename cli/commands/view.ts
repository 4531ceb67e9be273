/** `tendon view [SCENE|FILE]`: serves the viewer to this machine and opens it. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { sceneNames } from '../../scenes/index.js';
import { TendonError } from '../../src/index.js';
import { writeScene } from '../../src/scene-file-index.js';
import { findScene, isSceneFile } from '../files/find-scene.js';
import { openBrowser } from '../open-browser.js';
import { startViewerServer } from '../server.js';

interface ViewOptions {
  readonly port: string;
  readonly open: boolean;
}

const DEFAULT_PORT = 8017;

/** Adds the command. */
export function registerView(program: Command): void {
  program
    .command('view')
    .description('look at scenes in the browser and pull at them')
    .argument('[scene]', 'name of a scene, a scene file (.json), or a model (.glb, .obj, ...) to make soft')
    .option('--port <n>', 'port to listen on; another one where it is taken, 0 for any', String(DEFAULT_PORT))
    .option('--no-open', 'do not open a browser')
    .addHelpText(
      'after',
      '\nExamples:\n  tendon view\n  tendon view ragdoll\n  tendon view my-scene.json\n  tendon view Fox.glb --port 0 --no-open',
    )
    .action(view);
}

async function view(scene: string | undefined, options: ViewOptions): Promise<void> {
  const isKnown = scene !== undefined && sceneNames().includes(scene);
  const file = scene === undefined || isKnown ? undefined : await readModel(scene);
  const port = Number(options.port);
  if (!/^\d{1,5}$/.test(options.port) || port > 65535) {
    throw new TendonError('E_RANGE', '--port', options.port, 'expected a port: 0 to 65535');
  }
  // Compiled, this file is dist/cli/commands/view.js.
  const root = fileURLToPath(new URL('../../viewer/', import.meta.url));
  if (!existsSync(root)) throw new TendonError('E_EMPTY', 'viewer', root, 'run "npm run build" first');
  const server = await startViewerServer({ root, port, file });
  const wanted = file ? `file:${encodeURIComponent(file.name)}` : scene;
  const address = wanted === undefined ? server.url : `${server.url}#${wanted}`;
  if (server.moved) console.log(`Port ${port} is taken; using ${server.port}.`);
  console.log(`Viewer at ${address}  (Ctrl+C ends it)`);
  if (options.open) openBrowser(address);
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  await server.close();
}

/** A file that the page is to open; `E_UNKNOWN` where the argument is neither a file nor a scene. */
async function readModel(path: string): Promise<{ name: string; body: Buffer }> {
  if (existsSync(path) && statSync(path).isFile()) {
    // the page gets one file: models that a scene names go into it
    const body = isSceneFile(path) ? Buffer.from(writeScene((await findScene(path)).scene)) : readFileSync(path);
    return { name: basename(path), body };
  }
  const advice = `no scene or file has this name; scenes are ${sceneNames().join(', ')}`;
  throw new TendonError('E_UNKNOWN', 'scene', path, advice);
}
