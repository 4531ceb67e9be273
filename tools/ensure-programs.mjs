/**
 * Makes sure the programs the tests run are there: Chromium for the browser tests, TetGen and Gmsh for the meshers, FFmpeg for films. Found,
 * or installed by apt-get as root, or named in one line. Without Chromium nothing goes on; tests of a missing mesher, and films, are skipped. So are
 * those of the queue without Redis or BullMQ, which is no dependency and is put into dist/queue-packages.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';

const CHROMIUM = [
  process.env.TENDON_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const PROGRAMS = [
  { package: 'chromium', isThere: () => CHROMIUM.some((place) => place && existsSync(place)) },
  ...['tetgen', 'gmsh', 'ffmpeg', 'redis-server'].map((name) => ({
    package: name,
    isThere: () => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0,
  })),
];
const missing = () => PROGRAMS.filter(({ isThere }) => !isThere()).map((program) => program.package);

if (missing().length > 0 && process.platform === 'linux' && process.getuid?.() === 0) {
  console.log(`Installing for the tests (apt-get): ${missing().join(', ')} ...`);
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  spawnSync('apt-get', ['update', '-qq'], options);
  spawnSync('apt-get', ['install', '-y', '-qq', ...missing()], options);
}
if (missing().length > 0) {
  console.error(
    `Not installed: ${missing().join(', ')}. Run "sudo apt-get install -y ${missing().join(' ')}"` +
      ' (for Chromium, TENDON_CHROMIUM may name its path instead).',
  );
}
if (missing().includes('chromium')) process.exit(1);

const queue = new URL('../dist/queue-packages/', import.meta.url);
if (!existsSync(new URL('node_modules/bullmq/package.json', queue))) {
  mkdirSync(queue, { recursive: true });
  writeFileSync(new URL('package.json', queue), '{"private": true}\n');
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', 'bullmq@6.7.0', 'ioredis@6.0.0'];
  const { status } = spawnSync('npm', words, { cwd: queue, stdio: 'ignore' });
  if (status !== 0) console.error('BullMQ could not be installed: the queue is not tested.');
}
