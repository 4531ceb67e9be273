/** What a soft body is made of, what can be done to it, and what it tells. All of it is plain data that can be posted. */
import type { BodyInfo } from '../host/frames/body-info.js';
import type { AnyNews, ErrorData } from '../host/line/protocol.js';
import type { Quality } from '../host/world/quality.js';
import type { BodyDef, Vec3 } from '../src/body/body-def.js';
import type { AnyBodyDef } from '../src/body/kinds/any-body-def.js';
import type { BuildOptions } from '../src/character/build/rigged.js';
import type { CharacterReport } from '../src/character/character.js';
import type { ObstacleDef } from '../src/collision/obstacles/obstacle.js';
import type { ContactEvent, ContactPhase } from '../src/contact/touch-events.js';
import type { AnySceneDef, PlacementDef } from '../src/scene/scene-def.js';
import type { BoneMode } from '../src/world/tracking/bone-modes.js';
import type { RootMode } from '../src/world/tracking/bone-tracker.js';
import type { Certificate, WorldOptions } from '../src/world/world.js';

/** A unit quaternion, x, y, z, w. */
export type Quat = readonly [number, number, number, number];

/** Which bones of a character are sent where the user wants them; the others follow from the physics. */
export type KinematicBones = 'root' | 'all' | 'none' | readonly string[];

/** The settings of a world that can be posted. */
export type WorldSettings = Pick<
  WorldOptions,
  'dt' | 'iterations' | 'bones' | 'integrator' | 'damping' | 'selfContact' | 'threads' | 'memoryLimit'
>;

/** How a character is made of a model, as far as it can be posted. */
export interface BuildSettings
  extends Pick<
    BuildOptions,
    'name' | 'cell' | 'tets' | 'detail' | 'material' | 'regions' | 'fat' | 'mass' | 'hardParts' | 'smoothed'
  > {
  /**
   * 'full' (default): 6000 tets and 10 iterations; 'auto': tets and iterations for steps of 8 ms on this machine, which is tried
   * out for about a second; a number: for steps of so many milliseconds.
   */
  readonly quality?: Quality;
}

/** The bytes of a character or of a rigged model, and how it is built, held and put. */
export interface CharacterSource {
  readonly bytes: Uint8Array;
  /** Outside files of a `.gltf`, by the address it has for them. */
  readonly resources?: ReadonlyMap<string, Uint8Array>;
  readonly build: BuildSettings;
  readonly kinematic: KinematicBones;
  /** Where the rest shape is put [m] and how it is turned. */
  readonly position?: Vec3;
  readonly rotation?: Quat;
}

/** What moves characters: flesh and bones solved together, a lattice of cells that follows the bones, or everything in one solve with rigid bodies and cloth. */
export type CharacterSolver = 'projective' | 'lattice' | 'coupled';

/** What is simulated: characters together, or a scene. */
export type SimulationSource =
  | {
      readonly kind: 'characters';
      readonly characters: readonly CharacterSource[];
      /** Further bodies, after them: rigid ones, cloth, flesh. */
      readonly bodies?: readonly PlacementDef<AnyBodyDef>[];
      /** Default 'projective'. */
      readonly solver?: CharacterSolver;
    }
  | {
      readonly kind: 'scene';
      readonly scene: AnySceneDef;
    };

/** Everything a simulation is made of: a worker that was lost is replaced from it. */
export interface SimulationSpec {
  readonly source: SimulationSource;
  /** On top of those of the scene. */
  readonly obstacles: readonly ObstacleDef[];
  /** Gravitational acceleration [m/s^2]; default the scene's. */
  readonly gravity?: Vec3;
  readonly world: WorldSettings;
}

/** What does not change while a simulation runs. */
export interface SimulationInfo {
  readonly name: string;
  /** Time step [s]. */
  readonly dt: number;
  readonly bodies: readonly BodyInfo[];
  /** Names of all obstacles; those of the scene come first. */
  readonly obstacles: readonly string[];
  /** Clips, and how it was made, of each body that is a character; none for scenes. */
  readonly characters: readonly CharacterInfo[];
}

/** What a character came with, and how it was made of its file. */
export interface CharacterInfo {
  readonly clips: readonly ClipInfo[];
  readonly report: CharacterReport;
}

/** A motion that can be played. */
export interface ClipInfo {
  readonly name: string;
  /** Length [s]. */
  readonly duration: number;
}

/** What can be done to a running simulation. Points are in its own space [m]. */
export type Action =
  | {
      readonly kind: 'grab';
      readonly id: number;
      readonly body: number;
      readonly point: Vec3;
      /** Vertices within this distance share the pull [m]; default 6 % of the body's size. */
      readonly radius?: number;
    }
  | { readonly kind: 'move'; readonly id: number; readonly target: Vec3 }
  | { readonly kind: 'release'; readonly id: number }
  /** `impulse` [N s] is given within one step to the flesh and bones around a point. */
  | {
      readonly kind: 'push';
      readonly body: number;
      readonly point: Vec3;
      readonly impulse: Vec3;
      readonly radius?: number;
    }
  | { readonly kind: 'kinematic'; readonly body: number; readonly bone: number; readonly kinematic: boolean }
  | {
      readonly kind: 'target';
      readonly body: number;
      readonly bone: number;
      /** Where the bone's centre of mass goes [m], and how its rest shape is turned. */
      readonly position: Vec3;
      readonly rotation: Quat;
    }
  | {
      readonly kind: 'play';
      readonly body: number;
      readonly clip: string;
      readonly speed: number;
      readonly fadeIn?: number;
      readonly strength?: number;
    }
  /** How hard bones follow [Hz] (all, or one), what one of them does, what holds the root; arrived at after `blend` [s]. */
  | {
      readonly kind: 'follow';
      readonly body: number;
      readonly bone?: number;
      readonly strength?: number | undefined;
      readonly mode?: BoneMode;
      readonly weight?: number;
      readonly blend?: number;
      readonly root?: RootMode;
    }
  | { readonly kind: 'stop'; readonly body: number }
  /** How far a morph target of a body's skin is on, by its number in `morphs` of the body. */
  | { readonly kind: 'morph'; readonly body: number; readonly morph: number; readonly value: number }
  /** Where an obstacle is to be by the end of the next steps, or, with `jump`, before them. */
  | {
      readonly kind: 'obstacle';
      readonly index: number;
      readonly position: Vec3;
      readonly rotation: Quat;
      readonly jump?: boolean;
    }
  /** Obstacles that come later: `index` is one that no obstacle has had yet, and stays its own. */
  | { readonly kind: 'addObstacle'; readonly index: number; readonly obstacle: ObstacleDef }
  | { readonly kind: 'removeObstacle'; readonly index: number }
  | { readonly kind: 'reset' };

/** A touch that began, went on or ended; places are in the simulation's space [m]. */
export type ContactNews = ContactEvent;

/** What comes with the numbers of a picture. */
export interface FrameNews extends AnyNews {
  readonly certificate: Certificate;
  /** Number of each grip and where the gripped point is, 4 numbers each [m]. */
  readonly grips: Float64Array;
  readonly contacts: readonly ContactNews[];
  readonly fault?: ErrorData;
}

export type { AnySceneDef, BodyDef, BodyInfo, BoneMode, ContactPhase, ObstacleDef, Quality, RootMode, Vec3 };
