/** The materials of a character and what it weighs. Part of `buildRigged`. */
import type { MaterialDef } from '../../body/body-def.js';
import { requireInRange } from '../../errors.js';
import { meshVolume, type TetMesh, tetVolume } from '../../mesh/tets/tet-mesh.js';
import { assignRegions, type MaterialWish, type RegionSite, type RegionWish, resolveMaterial } from './regions.js';

/** Masses beyond these [kg] are worth a word: mice and elephants are within. */
const LIGHT = 0.02;
const HEAVY = 4000;

/** What the flesh is made of, which region each tetrahedron is in, and the mass [kg]. */
export interface Flesh {
  readonly materials: readonly MaterialDef[];
  readonly regions?: Int32Array;
  readonly mass: number;
}

/** What is asked for: see `BuildOptions`. */
export interface FleshWishes {
  readonly material: MaterialWish;
  readonly regions?: readonly RegionWish[];
  readonly fat?: boolean | number;
  readonly mass?: number;
}

/** Makes the flesh; `solidVolume`: volume inside the skin [m^3]. */
export function makeFlesh(site: RegionSite, wishes: FleshWishes, solidVolume: number, notes: string[]): Flesh {
  const { material, regions = [], fat = false, mass: wanted } = wishes;
  const made = assignRegions(resolveMaterial(material, 'material'), regions, fat, site);
  const { mass, materials } = weigh(site.mesh, made, solidVolume, wanted);
  if (wanted === undefined && !(mass > LIGHT && mass < HEAVY)) {
    const by = `${Number(mass.toPrecision(3))} kg at ${site.size.toPrecision(3)} m`;
    notes.push(`it weighs ${by}: if that is not meant, say what it weighs (--mass, build.mass), or scale the model`);
  }
  return { ...made, materials, mass };
}

/** The lattice is larger than what is inside the skin: its materials are lighter by as much, so that the whole weighs what it should. */
function weigh(
  mesh: TetMesh,
  { materials, regions }: { readonly materials: readonly MaterialDef[]; readonly regions?: Int32Array },
  solidVolume: number,
  wanted: number | undefined,
): { readonly materials: readonly MaterialDef[]; readonly mass: number } {
  const inside = solidVolume / meshVolume(mesh);
  let sum = 0;
  for (let t = 0; t < mesh.tets.length / 4; t++) sum += materials[regions?.[t] ?? 0].density * tetVolume(mesh, t);
  const mass = requireInRange(wanted ?? inside * sum, 1e-9, 1e9, 'mass');
  return { mass, materials: materials.map((one) => ({ ...one, density: one.density * (mass / sum) })) };
}
