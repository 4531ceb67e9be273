/** The human of [Li2019, Fig. 11] hanging by the wrists, swinging, as on two silks. */
import type { BodyDef, JointDef } from '../src/body/body-def.js';
import { buildHuman } from '../src/character/human.js';
import { WRIST } from '../src/character/human-parts.js';
import type { SceneDef } from '../src/scene/scene-def.js';

/** Builds the scene. The body has the human's eight joints and two more that hold its forearms in the air. */
export function buildAerialSilkScene(): SceneDef {
  const human = buildHuman();
  const [x, y, z] = WRIST;
  const holds: JointDef[] = [
    { name: 'silkLeft', type: 'ball', bones: ['forearmLeft'], anchor: [x, y, z] },
    { name: 'silkRight', type: 'ball', bones: ['forearmRight'], anchor: [-x, y, z] },
  ];
  const body: BodyDef = { ...human, name: 'acrobat', joints: [...(human.joints ?? []), ...holds] };
  return {
    name: 'aerial-silk',
    description: 'A human hanging by the wrists, falling from standing height into the hold.',
    bodies: [{ body, position: [0, 1.5, 0] }],
    dt: 0.033,
    iterations: 20,
  };
}
