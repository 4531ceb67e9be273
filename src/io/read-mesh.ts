/** Reading and writing meshes by the ending of the file's name. For commands that take any format. */
import { TendonError } from '../errors.js';
import { extractSurface, gatherSurfacePositions } from '../mesh/surface/surface.js';
import { readGltf } from './gltf/gltf.js';
import { gltfSurface } from './gltf/gltf-surface.js';
import { writeGltf } from './gltf/gltf-write.js';
import type { SurfaceData, TetData } from './mesh-data.js';
import { readObj, writeObj } from './surfaces/obj.js';
import { readPly, writePly } from './surfaces/ply.js';
import { readStl, writeStl } from './surfaces/stl.js';
import { surfaceModel } from './surfaces/surface-model.js';
import { readGmsh, writeGmsh } from './tets/gmsh.js';
import { readMedit, writeMedit } from './tets/medit.js';
import { readSmesh, writeSmesh } from './tets/smesh.js';
import { readTetgen, writeTetgen } from './tets/tetgen.js';
import { readVtk, writeVtk } from './tets/vtk.js';
import { readVtu, writeVtu } from './tets/vtu.js';
import type { IoLimits } from './text/io-limits.js';

/** A surface, or a volume that may have triangles beside its tetrahedra. */
export type MeshData =
  | { readonly kind: 'surface'; readonly surface: SurfaceData }
  | { readonly kind: 'tets'; readonly tets: TetData };

/** What `readMesh` may be told. */
export interface MeshReadOptions extends IoLimits {
  /**
   * Contents of files that belong to this one, by name: `a.ele` (and `a.face`) for `a.node`, `a.node` for `a.ele`, and
   * what a `.gltf` asks for.
   */
  readonly resources?: ReadonlyMap<string, Uint8Array>;
}

type Bytes = Uint8Array;
const SURFACE_READERS = new Map<string, (bytes: Bytes, limits: IoLimits) => SurfaceData>([
  ['.obj', readObj],
  ['.stl', readStl],
  ['.ply', readPly],
  ['.smesh', readSmesh],
]);
const TET_READERS = new Map<string, (bytes: Bytes, limits: IoLimits) => TetData>([
  ['.mesh', readMedit],
  ['.msh', readGmsh],
  ['.vtk', readVtk],
  ['.vtu', readVtu],
]);
const SURFACE_WRITERS = new Map<string, (surface: SurfaceData) => Bytes>([
  ['.obj', writeObj],
  ['.stl', (surface) => writeStl(surface)],
  ['.ply', (surface) => writePly(surface)],
  ['.smesh', writeSmesh],
]);
const TET_WRITERS = new Map<string, (tets: TetData) => Bytes>([
  ['.mesh', writeMedit],
  ['.msh', (tets) => writeGmsh(tets)],
  ['.vtk', writeVtk],
  ['.vtu', writeVtu],
]);

/** Endings that `readMesh` and `writeMesh` know. */
export const MESH_ENDINGS: readonly string[] = [
  ...SURFACE_READERS.keys(),
  ...TET_READERS.keys(),
  '.node',
  '.ele',
  '.glb',
  '.gltf',
];

/** Reads a mesh in the format its name ends with. Volume files without tetrahedra give a surface. */
export async function readMesh(name: string, bytes: Uint8Array, options: MeshReadOptions = {}): Promise<MeshData> {
  const [stem, ending] = splitName(name);
  const surfaceReader = SURFACE_READERS.get(ending);
  if (surfaceReader) return { kind: 'surface', surface: surfaceReader(bytes, options) };
  if (ending === '.glb' || ending === '.gltf') {
    return { kind: 'surface', surface: gltfSurface(await readGltf(bytes, options)) };
  }
  const tetReader = TET_READERS.get(ending);
  if (tetReader) return asMesh(tetReader(bytes, options));
  if (ending !== '.node' && ending !== '.ele') failEnding(name);
  const partner = (other: string): Uint8Array => {
    const found = options.resources?.get(`${stem}${other}`);
    if (!found) throw new TendonError('E_FORMAT', name, `${stem}${other}`, 'this file is needed too');
    return found;
  };
  const node = ending === '.node' ? bytes : partner('.node');
  const ele = ending === '.ele' ? bytes : partner('.ele');
  return asMesh(readTetgen(node, ele, { ...options, face: options.resources?.get(`${stem}.face`) }));
}

/**
 * Writes a mesh in the format `name` ends with; gives the files by name, as `.node` comes with an `.ele`. Surface formats
 * get the boundary of a volume; volume formats get a surface as triangles.
 */
export async function writeMesh(name: string, mesh: MeshData): Promise<Map<string, Uint8Array>> {
  const [stem, ending] = splitName(name);
  const surfaceWriter = SURFACE_WRITERS.get(ending);
  if (surfaceWriter) return new Map([[name, surfaceWriter(toSurface(mesh))]]);
  if (ending === '.glb') return new Map([[name, await writeGltf(surfaceModel(toSurface(mesh), stem))]]);
  const tetWriter = TET_WRITERS.get(ending);
  if (tetWriter) return new Map([[name, tetWriter(toTets(mesh))]]);
  if (ending !== '.node' && ending !== '.ele') failEnding(name);
  if (mesh.kind === 'surface') throw new TendonError('E_EMPTY', name, 0, 'this format needs tetrahedra');
  const { node, ele, face } = writeTetgen(mesh.tets);
  const files = new Map([
    [`${stem}.node`, node],
    [`${stem}.ele`, ele],
  ]);
  return face ? files.set(`${stem}.face`, face) : files;
}

function asMesh(tets: TetData): MeshData {
  if (tets.tets.length > 0) return { kind: 'tets', tets };
  const { positions, triangles = new Int32Array(0), triangleRegions } = tets;
  return { kind: 'surface', surface: { positions, triangles, ...(triangleRegions && { regions: triangleRegions }) } };
}

function toSurface(mesh: MeshData): SurfaceData {
  if (mesh.kind === 'surface') return mesh.surface;
  const surface = extractSurface(mesh.tets);
  const positions = new Float64Array(3 * surface.vertices.length);
  gatherSurfacePositions(surface, mesh.tets.positions, positions);
  return { positions, triangles: surface.triangles };
}

function toTets(mesh: MeshData): TetData {
  if (mesh.kind === 'tets') return mesh.tets;
  const { positions, triangles, regions } = mesh.surface;
  return { positions, tets: new Int32Array(0), triangles, ...(regions && { triangleRegions: regions }) };
}

/** Name without its ending, and the ending in lower case. */
function splitName(name: string): [stem: string, ending: string] {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot).toLowerCase()];
}

function failEnding(name: string): never {
  throw new TendonError(
    'E_FORMAT',
    name,
    splitName(name)[1],
    `the name must end with one of ${MESH_ENDINGS.join(', ')}`,
  );
}
