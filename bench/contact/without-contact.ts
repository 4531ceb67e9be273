/** Scenes as [Li2019, Table 1] times them: the body by itself. */
import type { AnyBodyDef, SceneDef } from '../../src/index.js';

/** The first body of a scene, with nothing to touch. */
export function withoutContact<Body extends AnyBodyDef>(scene: SceneDef<Body>): SceneDef<Body> {
  return { ...scene, bodies: scene.bodies.slice(0, 1), obstacles: [], contact: 'none' };
}
