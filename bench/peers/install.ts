/** Other engines, installed into a folder outside the package when they are first asked for. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TendonError } from '../../src/errors.js';
import type { Foreign } from './peer.js';

/** Packages and the versions that were tried. */
export const PACKAGES = {
  rapier: ['@dimforge/rapier3d-compat', '0.21.0'],
  jolt: ['jolt-physics', '1.1.0'],
  mujoco: ['@mujoco/mujoco', '3.14.0'],
} as const;

/** A package by its short name. */
export type PeerName = keyof typeof PACKAGES;

/** Where they go unless said otherwise. */
export function peersFolder(into?: string): string {
  return into ?? join(homedir(), '.cache', 'tendon', 'peers');
}

/** Installs what is missing of the packages named. */
export function installPeers(folder: string, names: readonly PeerName[]): void {
  const missing = names.map((name) => PACKAGES[name]).filter(([name, version]) => versionIn(folder, name) !== version);
  if (missing.length === 0) return;
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
  const wanted = missing.map(([name, version]) => `${name}@${version}`);
  console.error(`installing ${wanted.join(', ')} into ${folder}`);
  try {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', ...wanted], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  } catch (cause) {
    throw new TendonError('E_PROGRAM', 'npm', String(cause), `the packages cannot be installed into ${folder}`);
  }
}

/** The module of a package, undefined (and said so) where it is not there. */
export async function loadPeer(folder: string, peer: PeerName): Promise<Foreign> {
  const [name] = PACKAGES[peer];
  if (versionIn(folder, name) === undefined) {
    console.error(`${name} is not in ${folder}: left out`);
    return undefined;
  }
  const path = createRequire(join(folder, 'package.json')).resolve(name);
  return import(pathToFileURL(path).href);
}

function versionIn(folder: string, name: string): string | undefined {
  const file = join(folder, 'node_modules', name, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined;
}
