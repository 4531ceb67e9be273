/** Which nodes of a skin are tested for contact, and the skin each of them stands for. Called when a model is built. */
import type { LayerDef } from '../../../body/kinds/layer-def.js';
import { requireInRange, TendonError } from '../../../errors.js';
import { largestExtent } from '../../../mesh/tets/tet-mesh.js';
import type { CarriedSkin } from '../bones/bone-masses.js';
import { spreadNodes } from './node-clusters.js';
import { linkNodes, type NodeLinks, type NodePatches, patchNodes } from './node-patches.js';

/** Share of the depth within which nodes touch as one. */
const CONTACT_SPACING = 0.8;
/** The same between characters. */
const MEETING_SPACING = 1;
/** Depths below this share of the size count as this there: thin limbs would have as many nodes as all the rest. */
const LEAST_MEETING_DEPTH = 0.02;
/** Nodes by what they are for. */
export interface ChosenNodes {
  readonly all: Int32Array;
  /** Those that can touch obstacles; fewer that can touch other characters; and 1 for those whose skin is felt by others. */
  readonly touching: Int32Array;
  readonly meeting: Int32Array;
  readonly canTouch: Uint8Array;
  readonly pins: Int32Array;
  readonly links: NodeLinks;
  readonly patches: NodePatches;
  readonly meetingPatches: NodePatches;
}

/** Chooses nodes by how deep the skin is. */
export function chooseNodes(
  def: LayerDef,
  { positions, triangles, areas, depths }: CarriedSkin,
  path: string,
): ChosenNodes {
  const spacing = requireInRange(def.contactSpacing ?? CONTACT_SPACING, 0, 10, `${path}/contactSpacing`);
  const meetingSpacing = requireInRange(def.meetingSpacing ?? MEETING_SPACING, 0, 10, `${path}/meetingSpacing`);
  const all = Int32Array.from(areas.keys());
  const least = LEAST_MEETING_DEPTH * largestExtent(positions);
  const touchingSpacing = depths.map((depth) => spacing * depth);
  const touching = spreadNodes(positions, touchingSpacing, all);
  const wider = depths.map((depth) => meetingSpacing * Math.max(depth, least));
  const meeting = spreadNodes(positions, wider, touching);
  const pins = checkPins(def, path);
  const canTouch = new Uint8Array(areas.length);
  for (const node of touching) canTouch[node] = 1;
  // pins move each other through the skin as contacts do
  for (const node of pins) canTouch[node] = 1;
  const links = linkNodes(triangles, areas.length);
  const patches = patchNodes(positions, areas, links, touching, new Uint8Array(areas.length).fill(1));
  const meetingPatches = patchNodes(positions, areas, links, meeting, canTouch);
  return { all, touching, meeting, canTouch, pins, links, patches, meetingPatches };
}

function checkPins({ pins = [], positions }: LayerDef, path: string): Int32Array {
  const nodeCount = positions.length / 3;
  const nodes = [...new Set(Array.from(pins))].sort((a, b) => a - b);
  nodes.forEach((node, i) => {
    if (Number.isInteger(node) && node >= 0 && node < nodeCount) return;
    throw new TendonError('E_INDEX', `${path}/pins/${i}`, node, `there are ${nodeCount} nodes`);
  });
  return Int32Array.from(nodes);
}
