/** Opens an address in the user's browser where there is one; says nothing where there is none. */
import { spawn } from 'node:child_process';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  // "start" is a word of the command shell; this is the program behind it.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Starts the browser and does not wait for it. */
export function openBrowser(address: string): void {
  const hasScreen = process.env.DISPLAY !== undefined || process.env.WAYLAND_DISPLAY !== undefined;
  const opener = OPENERS[process.platform] ?? (hasScreen ? ['xdg-open'] : undefined);
  if (!opener) return;
  const [program, ...first] = opener;
  const child = spawn(program, [...first, address], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
