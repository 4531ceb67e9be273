/** Pictures and films as a process: what the browser drew is a picture of the body, and FFmpeg made a film of it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { ROOT } from '../support/source-rules.js';

const MAIN = join(ROOT, 'dist/cli/main.js');
const hasFfmpeg = ['/usr/bin/ffmpeg', '/usr/local/bin/ffmpeg'].some((path) => existsSync(path));
if (!hasFfmpeg) console.log('skipped: films, FFmpeg is not there');

/** Number of different colours in a PNG, by its unpacked bytes: an empty picture has a few. */
function variety(path: string): { width: number; height: number; bytes: number } {
  const png = readFileSync(path);
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  return {
    width: png.readUInt32BE(16),
    height: png.readUInt32BE(20),
    bytes: new Set(inflateSync(Buffer.concat(parts))).size,
  };
}

it('pictures are drawn frame by frame, and put together to a film', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-film-test-'));
  try {
    const films = hasFfmpeg ? ['-o', join(folder, 'a.webm')] : [];
    const words = ['bar', '--seconds', '0.2', '--fps', '10', '--size', '160x120', '--set', 'iterations=2'];
    const run = spawnSync(process.execPath, [MAIN, 'simulate', ...words, '-o', join(folder, 'a.png'), ...films], {
      encoding: 'utf8',
    });
    expect(run.stderr).not.toContain('E_');
    expect(run.status).toBe(0);
    const names = readdirSync(folder).filter((name) => name.endsWith('.png'));
    expect(names).toEqual(['a.0000.png', 'a.0001.png', 'a.0002.png']);
    const first = variety(join(folder, names[0]));
    expect([first.width, first.height]).toEqual([160, 120]);
    expect(first.bytes).toBeGreaterThan(64);
    // it falls: no two pictures are the same
    expect(readFileSync(join(folder, names[0])).equals(readFileSync(join(folder, names[2])))).toBe(false);
    if (!hasFfmpeg) return;
    const probe = ['-v', 'error', '-count_frames', '-show_entries', 'stream=nb_read_frames,width', '-of', 'csv=p=0'];
    const said = execFileSync('ffprobe', [...probe, join(folder, 'a.webm')], { encoding: 'utf8' });
    expect(said.trim()).toBe('160,3');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
