/** `tendon inspect FILE|scene:NAME`: says what is in it, and draws it. */
import type { Command } from 'commander';
import { type AnyBodyDef, buildAnyModel, isFlesh, kindOfBody } from '../../src/body/kinds/any-body-def.js';
import type { Character } from '../../src/character/character.js';
import type { BodyDef } from '../../src/index.js';
import { extractSurface } from '../../src/mesh/surface/surface.js';
import { describeBody, describeCharacter, describeMesh } from '../describe.js';
import { describeLimits } from '../describe-limits.js';
import { type Loaded, loadInput, sceneTets } from '../files/load-input.js';
import { writeOutput } from '../files/write-file.js';
import { encodePng } from '../png.js';
import { type DrawnLine, type DrawnSurface, drawViews } from '../rasterise.js';

const COLOURS: readonly (readonly [number, number, number])[] = [
  [200, 30, 30],
  [30, 90, 200],
  [20, 150, 60],
  [200, 140, 0],
  [150, 40, 170],
];

/** Adds the command. */
export function registerInspect(program: Command): void {
  program
    .command('inspect')
    .description('counts, sizes, worst angles and volumes, bones, joints and warnings of a file or a scene')
    .argument('<input>', 'a file of any known format, or scene:NAME')
    .option('--png <file>', 'draw front and side view, bones shown')
    .addHelpText('after', '\nExamples:\n  tendon inspect man-body.glb --png man.png\n  tendon inspect scene:ragdoll')
    .action(inspect);
}

async function inspect(input: string, options: { readonly png?: string }): Promise<void> {
  const loaded = await loadInput(input);
  for (const line of describe(loaded, input)) console.log(line);
  if (options.png === undefined) return;
  const { surface, lines } = drawing(loaded);
  const { width, height, rgb } = drawViews(surface, lines);
  writeOutput(options.png, encodePng(width, height, rgb));
  console.log(`wrote ${options.png}: ${width} x ${height}, front and side`);
}

function describe(loaded: Loaded, input: string): string[] {
  if (loaded.kind === 'mesh') return [`${input}: mesh`, ...describeMesh(loaded.mesh)];
  if (loaded.kind === 'character') {
    const lines = describeCharacter(loaded.character);
    return loaded.built ? ['not a character yet; as tendon build would make it:', ...lines] : lines;
  }
  const { name, description, bodies } = loaded.scene;
  const seen = new Set<AnyBodyDef>();
  const lines = [`scene ${name}: ${description}`];
  for (const { body } of bodies) {
    if (seen.has(body)) continue;
    seen.add(body);
    const times = bodies.filter((placement) => placement.body === body).length;
    lines.push(`${body.name}${times > 1 ? ` (${times} times)` : ''}`);
    if (isFlesh(body)) lines.push(...describeBody(body));
    else lines.push(`  ${kindOfBody(body)}`);
    const names =
      body.kind === 'layer' || body.kind === 'lattice'
        ? (body.bones ?? []).map(({ name }) => name)
        : buildAnyModel(body, body.name).bones.names;
    if (names.length > 0) lines.push(`  bones: ${names.join(', ')}`);
    for (const joint of ('joints' in body ? body.joints : undefined) ?? [])
      lines.push(`  joint ${joint.name}: ${joint.type}, ${joint.bones.join(' - ')}${describeLimits(joint)}`);
    for (const muscle of ('muscles' in body ? body.muscles : undefined) ?? [])
      lines.push(
        `  muscle ${muscle.name}: ${muscle.kind}${muscle.follows ? `, works with ${muscle.follows.joint}` : ''}`,
      );
  }
  return lines;
}

function drawing(loaded: Loaded): { surface: DrawnSurface; lines: DrawnLine[] } {
  if (loaded.kind === 'character') return { surface: loaded.character.skin, lines: skeletonLines(loaded.character) };
  if (loaded.kind === 'mesh' && loaded.mesh.kind === 'surface') return { surface: loaded.mesh.surface, lines: [] };
  const tets =
    loaded.kind === 'scene' ? sceneTets(loaded.scene) : loaded.mesh.kind === 'tets' ? loaded.mesh.tets : undefined;
  if (tets === undefined) return { surface: { positions: [], triangles: [] }, lines: [] };
  const { triangles, vertices } = extractSurface(tets);
  const surface = { positions: tets.positions, triangles: triangles.map((v) => vertices[v]) };
  return {
    surface,
    lines:
      loaded.kind === 'scene' ? loaded.scene.bodies.flatMap(({ body }) => (isFlesh(body) ? boneLines(body) : [])) : [],
  };
}

/** From each bone to those that hang on it, or to its end. */
function skeletonLines({ skeleton }: Character): DrawnLine[] {
  return skeleton.flatMap(({ place, tip }, bone) => {
    const ends = skeleton.filter(({ parent }) => parent === bone).map((child) => child.place);
    return (ends.length > 0 ? ends : [tip]).map((to) => ({ from: place, to, colour: COLOURS[bone % COLOURS.length] }));
  });
}

/** The longest way through each bone's vertices, for bodies that know no more of their bones. */
function boneLines({ bones = [], positions }: BodyDef): DrawnLine[] {
  const at = (v: number): number[] => [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]];
  const farthest = (from: number[], vertices: ArrayLike<number>): number[] => {
    let best = from;
    for (let i = 0; i < vertices.length; i++) {
      const place = at(vertices[i]);
      if (distanceSq(place, from) > distanceSq(best, from)) best = place;
    }
    return best;
  };
  return bones.map(({ vertices }, bone) => {
    const from = farthest(at(vertices[0]), vertices);
    return { from, to: farthest(from, vertices), colour: COLOURS[bone % COLOURS.length] };
  });
}

function distanceSq(a: readonly number[], b: readonly number[]): number {
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}
