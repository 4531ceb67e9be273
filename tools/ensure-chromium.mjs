/** Makes sure there is a Chromium for the browser tests: found, or installed by apt-get as root, or named in one line. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const PLACES = [
  process.env.TENDON_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const found = () => PLACES.find((place) => place && existsSync(place));

if (!found() && process.platform === 'linux' && process.getuid?.() === 0) {
  console.log('Installing chromium for the browser tests (apt-get) ...');
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  spawnSync('apt-get', ['update', '-qq'], options);
  spawnSync('apt-get', ['install', '-y', '-qq', 'chromium'], options);
}
if (!found()) {
  console.error(
    'The browser tests need Chromium: run "sudo apt-get install -y chromium", or set TENDON_CHROMIUM to its path.',
  );
  process.exit(1);
}
