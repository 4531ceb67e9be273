/** Bones, joint forces and contacts as a table for spreadsheets and notebooks: one row each, frame after frame. */
import { formatNumber } from '../../io/text/number-text.js';
import type { BakeFrame, BakeInfo, StreamFormat } from './bake-format.js';
import { NO_BYTES } from './bake-format.js';

const text = new TextEncoder();
const COLUMNS = 'time,what,body,name,x,y,z,qx,qy,qz,qw,fx,fy,fz';

export const CSV: StreamFormat = {
  kind: 'stream',
  header: () => text.encode(`${COLUMNS}\n`),
  frame: (info, frame) => text.encode([...bones(info, frame), ...joints(info, frame), ...contacts(frame)].join('')),
  footer: () => NO_BYTES,
};

function bones({ bones: names }: BakeInfo, { time, poses }: BakeFrame): string[] {
  return names.map(({ body, bone }, i) => {
    const o = 7 * i;
    const place = numbers(poses, o + 4, 3);
    return `${formatNumber(time)},bone,${quoted(body)},${quoted(bone)},${place},${numbers(poses, o, 4)},,,\n`;
  });
}

function joints({ joints: names }: BakeInfo, { time, jointForces }: BakeFrame): string[] {
  return names.map(({ body, joint }, i) => {
    const force = numbers(jointForces, 3 * i, 3);
    return `${formatNumber(time)},joint,${quoted(body)},${quoted(joint)},,,,,,,,${force}\n`;
  });
}

function contacts({ time, contacts: all }: BakeFrame): string[] {
  return Array.from({ length: all.length / 6 }, (_, c) => {
    return `${formatNumber(time)},contact,,${c},${numbers(all, 6 * c, 3)},,,,,${numbers(all, 6 * c + 3, 3)}\n`;
  });
}

function numbers(values: ArrayLike<number>, from: number, count: number): string {
  return Array.from({ length: count }, (_, i) => formatNumber(values[from + i])).join(',');
}

/** Names with commas or quotes are quoted as RFC 4180 has it; what a spreadsheet would run as a formula is made plain text. */
function quoted(name: string): string {
  const plain = /^[=+\-@\t\r]/.test(name) ? `'${name}` : name;
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
