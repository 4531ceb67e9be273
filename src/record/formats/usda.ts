/** USD as text: one mesh whose points have a sample per frame. Read by Houdini, Maya, Omniverse and newer Blenders. */
import { formatNumber } from '../../io/text/number-text.js';
import type { BakeInfo, StreamFormat } from './bake-format.js';

const text = new TextEncoder();

export const USDA: StreamFormat = {
  kind: 'stream',
  header({ name, fps, firstFrame, triangles }: BakeInfo, times) {
    const counts = new Array(triangles.length / 3).fill('3').join(', ');
    const last = firstFrame + Math.max(0, times.length - 1);
    return text.encode(
      [
        '#usda 1.0',
        '(',
        `    defaultPrim = "${identifier(name)}"`,
        '    metersPerUnit = 1',
        '    upAxis = "Y"',
        `    timeCodesPerSecond = ${formatNumber(fps)}`,
        `    startTimeCode = ${firstFrame}`,
        `    endTimeCode = ${last}`,
        ')',
        '',
        `def Mesh "${identifier(name)}"`,
        '{',
        `    int[] faceVertexCounts = [${counts}]`,
        `    int[] faceVertexIndices = [${Array.from(triangles).join(', ')}]`,
        '    uniform token subdivisionScheme = "none"',
        '    point3f[] points.timeSamples = {',
        '',
      ].join('\n'),
    );
  },
  frame({ firstFrame, vertexCount }, { positions }, index) {
    const points: string[] = [];
    for (let v = 0; v < 3 * vertexCount; v += 3) {
      const [x, y, z] = [0, 1, 2].map((k) => formatNumber(Math.fround(positions[v + k])));
      points.push(`(${x}, ${y}, ${z})`);
    }
    return text.encode(`        ${firstFrame + index}: [${points.join(', ')}],\n`);
  },
  footer: () => text.encode('    }\n}\n'),
};

/** A name as USD allows it: letters, digits and underscores, not beginning with a digit. */
function identifier(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_]/g, '_');
  return /^[0-9]/.test(plain) || plain === '' ? `_${plain}` : plain;
}
