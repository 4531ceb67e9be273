/** Scenes of [Shinar2008] for the coupled solver: the incline (Fig. 8), the stack (2), the row of balls (3), the chain that is wound (1). */
import type { Vec3 } from '../../src/body/body-def.js';
import type { AnyBodyDef } from '../../src/body/kinds/any-body-def.js';
import type { RigidBodyDef } from '../../src/body/kinds/rigid-def.js';
import { cos, sin } from '../../src/math/trig.js';
import type { AnySceneDef, PlacementDef } from '../../src/scene/scene-def.js';
import { buildLoop, buildSoftBall, buildSoftBox, buildSoftTorus, FIRM, rigidBody } from '../cast/coupled-bodies.js';

type Placed = PlacementDef<AnyBodyDef>;

/** What every one of these scenes has. */
function scene(
  name: string,
  description: string,
  substeps: number,
  rest: Pick<AnySceneDef, 'bodies' | 'obstacles' | 'drives'>,
  more: { readonly incompressible?: boolean } = {},
): AnySceneDef {
  return { name, description, solver: { kind: 'coupled', substeps, ...more }, dt: 1 / 60, iterations: 10, ...rest };
}

const FLOOR = { name: 'floor', shape: { kind: 'plane' }, friction: 0.6 } as const;

/** Angle of the slope [rad], its friction, and how long the box that is led goes down it [s]: nearly to its end. */
const SLOPE = Math.PI / 6;
const SLOPE_FRICTION = 0.2;
const SLIDING = 2.1;

/**
 * A rigid box, a soft box and a small one side by side on a slope of 30°, friction 0.2, and beside them a box that is led as all should
 * slide: by (sin α − μ cos α) g t²/2 [Shinar2008 Fig. 8: the analytic solution].
 */
export function buildInclineScene(): AnySceneDef {
  const angle = SLOPE;
  const [s, c] = [sin(angle), cos(angle)];
  const rotation = [0, 0, sin(-angle / 2), cos(angle / 2)] as const;
  const on = (z: number, above: number) => [above * s - 1.5 * c, above * c + 1.5 * s, z] as const;
  const shape = { kind: 'box', halfExtents: [0.15, 0.1, 0.1] } as const;
  const led: RigidBodyDef = { kind: 'rigid', name: 'led box', parts: [{ name: 'led box', shape, kinematic: true }] };
  const bodies: Placed[] = [
    { body: led, position: on(-0.45, 0.1), rotation },
    { body: rigidBody('box', shape), position: on(-0.15, 0.1), rotation },
    { body: buildSoftBox('soft box', [3, 2, 2], 0.1), position: on(0.15, 0.1), rotation },
    { body: rigidBody('slab', { kind: 'box', halfExtents: [0.05, 0.02, 0.05] }), position: on(0.45, 0.02), rotation },
  ];
  const times = Array.from({ length: Math.round(60 * SLIDING) + 1 }, (_, n) => n / 60);
  const gone = times.map((time) => 0.5 * 9.81 * (s - SLOPE_FRICTION * c) * time * time);
  const offsets = gone.map((way): Vec3 => [way * c, -way * s, 0]);
  const slab = { kind: 'box', halfExtents: [4, 0.1, 1] } as const;
  const position: Vec3 = [2 * c - 0.1 * s, -2 * s - 0.1 * c, 0];
  return scene('incline', 'Three boxes slide down a slope, level with one that is led as all should slide.', 2, {
    bodies,
    obstacles: [{ name: 'slope', shape: slab, position, rotation, friction: SLOPE_FRICTION }],
    drives: [{ kind: 'pose', body: 'led box', bone: 'led box', times, offsets }],
  });
}

/** Rigid and soft boxes by turns, and a ball that strikes the lowest. */
export function buildMixedStackScene(): AnySceneDef {
  const half = 0.15;
  const hard = rigidBody('box', { kind: 'box', halfExtents: [half, half, half] });
  const soft = buildSoftBox('soft box', [2, 2, 2], half, { ...FIRM, youngModulus: 5e6 });
  const stack = Array.from({ length: 8 }, (_, i): Placed => {
    const body = i % 2 === 0 ? hard : soft;
    return { name: `${body.name} ${i}`, body, position: [0, half + 2 * half * i, 0] };
  });
  const ball = rigidBody('ball', { kind: 'sphere', radius: 0.2 }, 4000);
  const bodies: Placed[] = [...stack, { body: ball, position: [-4.5, 0.2, 0.02], velocity: [6, 0, 0] }];
  return scene('mixed-stack', 'Rigid and soft boxes stand on each other until a ball strikes.', 4, {
    bodies,
    obstacles: [FLOOR],
  });
}

/** Rigid balls and incompressible soft ones in a row, and one that runs into them. */
export function buildBallRowScene(): AnySceneDef {
  const radius = 0.1;
  const hard = rigidBody('ball', { kind: 'sphere', radius });
  const soft = buildSoftBall('soft ball', radius, 0.07, { ...FIRM, youngModulus: 1e6 });
  const row = Array.from({ length: 7 }, (_, i): Placed => {
    const body = i % 2 === 0 ? hard : soft;
    return { name: `${body.name} ${i}`, body, position: [0.205 * i, radius + 0.001, 0], friction: 0.1 };
  });
  const striker: Placed = { name: 'striker', body: hard, position: [-1, radius, 0], velocity: [3, 0, 0] };
  const obstacles = [{ ...FLOOR, friction: 0.1 }];
  const description = 'A ball runs into a row of rigid ones and of soft ones that keep their volume.';
  return scene('ball-row', description, 4, { bodies: [...row, striker], obstacles }, { incompressible: true });
}

const LINK = 0.1;
const WIRE = 0.022;
/** Quarters of a turn that it is wound by, and how long each takes [s]. */
const QUARTERS = 16;
const QUARTER_TIME = 0.4;
/** How far the crank comes nearer meanwhile [m]: a chain that is wound gets shorter, and between ends that stay where they are its links are pressed into each other. */
const APPROACH = 0.8;

/** Rings of all kinds in each other; the first is fixed, the last is turned, comes nearer as it winds up the chain, and goes back. */
export function buildWindingChainScene(): AnySceneDef {
  const held = (name: string): RigidBodyDef => {
    const shape = { kind: 'torus', radius: LINK, tubeRadius: WIRE } as const;
    return { kind: 'rigid', name, parts: [{ name, shape, kinematic: true }] };
  };
  const ring = rigidBody('ring', { kind: 'torus', radius: LINK, tubeRadius: WIRE });
  const soft = buildSoftTorus('soft ring', LINK, 0.024);
  const loop = buildLoop('loop', 6, LINK + 0.012, WIRE - 0.004);
  const links = Array.from({ length: 11 }, (_, i): AnyBodyDef => [ring, soft, loop][i % 3]);
  const order: AnyBodyDef[] = [held('anchor'), ...links, held('crank')];
  const bodies = order.map((body, i): Placed => {
    // rings lie flat and stand by turns
    const rotation = i % 2 === 0 ? ([0, 0, 0, 1] as const) : ([Math.SQRT1_2, 0, 0, Math.SQRT1_2] as const);
    return { name: `${body.name} ${i}`, body, position: [0.14 * i, 1, 0], rotation, friction: 0.3 };
  });
  const times = Array.from({ length: 2 * QUARTERS + 1 }, (_, i) => i * QUARTER_TIME);
  // one way, and back
  const wound = times.map((_, i) => (i <= QUARTERS ? i : 2 * QUARTERS - i));
  const turns = wound.map((n) => [sin((Math.PI / 4) * n), 0, 0, cos((Math.PI / 4) * n)] as const);
  // the more it is wound, the more a turn takes of its length
  const offsets = wound.map((n) => [-APPROACH * (n / QUARTERS) * Math.sqrt(n / QUARTERS), 0, 0] as const);
  const crank = `crank ${order.length - 1}`;
  const drives = [{ kind: 'pose', body: crank, bone: 'crank', times, turns, offsets, loop: true } as const];
  return scene('winding-chain', 'A chain of rigid and soft rings and loops is wound up by four turns and unwound.', 4, {
    bodies,
    obstacles: [],
    drives,
  });
}
