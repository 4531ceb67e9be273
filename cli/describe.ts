/** Bodies, characters and meshes in a few lines of text, for `build` and `inspect`. */
import type { BodyDef } from '../src/body/body-def.js';
import { buildModel } from '../src/body/model.js';
import type { Character } from '../src/character/character.js';
import type { MeshData } from '../src/io/read-mesh.js';
import { labelComponents } from '../src/mesh/components.js';
import { surfaceArea, surfaceVolume } from '../src/mesh/surface/surface.js';
import { countOpenEdges, weldVertices } from '../src/mesh/surface/triangle-mesh.js';
import { summarizeMesh } from '../src/mesh/tets/quality.js';
import type { TetMesh } from '../src/mesh/tets/tet-mesh.js';

/** Angles outside of these are worth a warning [degrees]. */
const ANGLES = [5, 170];
const DEGREES = 180 / Math.PI;

/** A character: its body, its skin, and what was odd about it. */
export function describeCharacter(character: Character): string[] {
  const { body, skeleton, limits, skin, clips, report } = character;
  const lines = [`${body.name}: character`, ...describeBody(body)];
  lines.push(
    `  skin: ${skin.positions.length / 3} vertices, ${skin.triangles.length / 3} triangles, ${skin.surfaces.length} surface(s)`,
  );
  if (skeleton.length > 0) {
    lines.push('  skeleton:');
    skeleton.forEach(({ name, parent, sources }, bone) => {
      const joint = (body.joints ?? []).find((one) => one.bones[1] === name);
      const limit = limits.find((one) => one.joint === joint?.name);
      const how = parent < 0 ? 'root' : `${joint?.type ?? 'no joint'} on ${skeleton[parent].name}`;
      const merged = sources.length > 1 ? `, with ${sources.slice(1).join(', ')}` : '';
      const range = limit === undefined ? '' : `, ${describeLimit(limit)}`;
      lines.push(`    ${name}: ${how}, ${body.bones?.[bone].vertices.length} vertices${range}${merged}`);
    });
  }
  for (const { name, duration, frameCount } of clips)
    lines.push(`  clip ${name}: ${duration.toFixed(2)} s, ${frameCount} frames`);
  for (const note of report.notes) lines.push(`  note: ${note}`);
  return lines;
}

function describeLimit({
  min,
  max,
  swing,
  swingAside = swing,
  twist = 0,
  twistRange = [-twist, twist],
  middle,
  from,
}: Character['limits'][number]): string {
  const degrees = (angle: number): string => (angle * DEGREES).toFixed(0);
  if (min !== undefined && max !== undefined) return `${degrees(min)} to ${degrees(max)} degrees (from ${from})`;
  if (swing === undefined || swingAside === undefined) return '';
  const cone = swing === swingAside ? degrees(swing) : `${degrees(swing)} by ${degrees(swingAside)}`;
  const away = middle ? ` about a middle ${degrees(2 * Math.acos(Math.min(1, Math.abs(middle[3]))))} from rest` : '';
  return `swings ${cone}${away}, twists ${twistRange.map(degrees).join(' to ')} degrees (from ${from})`;
}

/** A body: counts, sizes, the worst of its tetrahedra, and warnings. */
export function describeBody(body: BodyDef): string[] {
  const model = buildModel(body);
  const lines = describeTets({ positions: body.positions, tets: body.tets });
  lines.push(`  ${model.bones.count} bones, ${body.joints?.length ?? 0} joints, ${model.totalMass.toPrecision(4)} kg`);
  const rigid = model.bones.vertices.length;
  if (model.bones.count > 0) lines.push(`  ${rigid} of ${model.vertexCount} vertices are bone`);
  for (const { model: kind, youngModulus, poissonRatio, density } of body.materials) {
    lines.push(
      `  material: ${kind}, ${(youngModulus / 1000).toPrecision(3)} kPa, Poisson ratio ${poissonRatio}, ${density.toPrecision(4)} kg/m3`,
    );
  }
  model.bones.rank.forEach((rank, bone) => {
    if (rank < 3)
      lines.push(`  warning: bone ${model.bones.names[bone]} is ${rank === 2 ? 'flat' : 'a line or a point'}`);
  });
  return lines;
}

/** A mesh of tetrahedra. */
export function describeTets(mesh: TetMesh): string[] {
  const { vertexCount, tetCount, totalVolume, invertedCount, volume, dihedral, edgeLength } = summarizeMesh(mesh);
  const low = dihedral.min * DEGREES;
  const high = dihedral.max * DEGREES;
  const { count } = labelComponents(mesh);
  const lines = [
    `  ${vertexCount} vertices, ${tetCount} tets, ${describeSize(mesh.positions)}`,
    `  angles ${low.toFixed(1)} to ${high.toFixed(1)} degrees, edges ${edgeLength.min.toPrecision(3)} to ${edgeLength.max.toPrecision(3)} m`,
    `  volume ${totalVolume.toPrecision(4)} m3, of a tet ${volume.min.toExponential(2)} to ${volume.max.toExponential(2)} m3`,
  ];
  if (invertedCount > 0) lines.push(`  warning: ${invertedCount} tets have no or negative volume`);
  if (low < ANGLES[0] || high > ANGLES[1])
    lines.push(`  warning: angles below ${ANGLES[0]} or above ${ANGLES[1]} degrees`);
  if (count > 1) lines.push(`  warning: the mesh is in ${count} pieces`);
  return lines;
}

/** A mesh read from a file. */
export function describeMesh(mesh: MeshData): string[] {
  if (mesh.kind === 'tets') return describeTets(mesh.tets);
  const welded = weldVertices(mesh.surface.positions, mesh.surface.triangles);
  const open = countOpenEdges(welded);
  const lines = [
    `  surface: ${mesh.surface.positions.length / 3} vertices (${welded.positions.length / 3} after welding), ${mesh.surface.triangles.length / 3} triangles`,
    `  ${describeSize(mesh.surface.positions)}, area ${surfaceArea(welded.triangles, welded.positions).toPrecision(4)} m2`,
  ];
  const volume = surfaceVolume(welded.triangles, welded.positions);
  if (open === 0) lines.push(`  closed, volume ${Math.abs(volume).toPrecision(4)} m3`);
  else lines.push(`  warning: ${open} open edges`);
  if (open === 0 && volume < 0) lines.push('  warning: the surface faces inward');
  return lines;
}

function describeSize(positions: ArrayLike<number>): string {
  const sides = [0, 1, 2].map((k) => {
    let low = Infinity;
    let high = -Infinity;
    for (let i = k; i < positions.length; i += 3) {
      low = Math.min(low, positions[i]);
      high = Math.max(high, positions[i]);
    }
    return (high - low).toPrecision(3);
  });
  return `${sides.join(' x ')} m`;
}
