/** What the procedural characters are made of. */
import type { MaterialDef } from '../../body/body-def.js';

/** Soft tissue, between fat and relaxed muscle: 70 kPa, nearly incompressible, as heavy as water. */
export const FLESH: MaterialDef = { model: 'corotated', youngModulus: 7e4, poissonRatio: 0.4, density: 1000 };
