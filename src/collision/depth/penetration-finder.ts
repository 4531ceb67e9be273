/**
 * Contacts for penalty forces [Li2019 §4]: only what is inside something at the start of the step, with its depth. In
 * obstacles the depth is the signed distance; in bodies it is the consistent one, and the second side of the contact is
 * the place in the tet where the vertex is, so that force and reaction meet in one point.
 */
import type { ContactBuffer } from '../contact-buffer.js';
import { intoObstacle, type ObstacleSet } from '../obstacles/obstacle.js';
import { ObstacleContacts } from '../obstacles/obstacle-contacts.js';
import { obstacleBounds } from '../obstacles/obstacle-motion.js';
import type { ContactDetection, ContactScene } from '../search/contact-finder.js';
import { probeShape, ShapeProbe } from '../shapes/shape.js';
import type { SurfaceMotion } from '../surface/surface-motion.js';
import { findVertexNeighbours, type VertexNeighbours } from '../surface/tet-edges.js';
import { EdgeCrossings } from './edge-crossings.js';
import { PenetrationDepth } from './penetration-depth.js';
import { VerticesInside } from './vertices-inside.js';

/** Owns what detection needs from step to step. */
export class PenetrationFinder implements ContactDetection {
  readonly #bodies: readonly SurfaceMotion[];
  readonly #selfContact: boolean;
  readonly #edges: readonly VertexNeighbours[];
  readonly #obstacles = new ObstacleContacts();
  readonly #inside = new VerticesInside();
  readonly #crossings = new EdgeCrossings();
  readonly #depth = new PenetrationDepth();
  readonly #bounds = new Float64Array(6);
  readonly #probe = new ShapeProbe();

  constructor(bodies: readonly SurfaceMotion[], selfContact: boolean) {
    this.#bodies = bodies;
    this.#selfContact = selfContact;
    const known = new Map<SurfaceMotion['model'], VertexNeighbours>();
    this.#edges = bodies.map((body) => {
      const { model } = body;
      const edges = known.get(model) ?? findVertexNeighbours(model.tets, model.vertexCount);
      known.set(model, edges);
      this.#inside.prepare(body);
      this.#crossings.prepare(edges);
      this.#depth.prepare(body);
      return edges;
    });
  }

  /** Adds a contact for every vertex that is inside something. */
  find({ obstacles }: ContactScene, _h: number, out: ContactBuffer): void {
    const bodies = this.#bodies;
    for (let a = 0; a < bodies.length; a++) {
      bodies[a].update();
      for (let i = 0; i < obstacles.count; i++) this.#findInObstacle(a, obstacles, i, out);
    }
    if (!this.#selfContact && bodies.length < 2) return;
    for (let a = 0; a < bodies.length; a++) {
      bodies[a].sort();
      this.#inside.sort(bodies[a]);
    }
    for (let a = 0; a < bodies.length; a++) {
      for (let b = 0; b < bodies.length; b++) {
        if (a === b ? this.#selfContact : overlap(bodies[a].box, bodies[b].box)) this.#findInBody(a, b, out);
      }
    }
  }

  /** Nothing follows: explicit forces are known before the step. */
  follow(): void {}

  /** Explicit forces are felt by what is inside: nothing else is looked at. */
  turnedDepth(): number {
    return 0;
  }

  creaseDepth(): number {
    return 0;
  }

  keptTets(): undefined {}

  measureWatched(): void {}

  turnedIn(): number {
    return 0;
  }

  /** How far the sides of contact c are apart now, along the direction found before the step; negative inside [m]. */
  measure({ obstacles }: ContactScene, contacts: ContactBuffer, c: number): number {
    const first = this.#bodies[contacts.body[c * 2]].positions;
    if (contacts.obstacle[c] >= 0) return this.#obstacles.measure(first, obstacles, contacts, c);
    const second = this.#bodies[contacts.body[c * 2 + 1]].positions;
    let gap = -contacts.offset[c];
    for (let k = 0; k < 3; k++) {
      let way = first[contacts.feature[c] * 3 + k];
      for (let n = c * 8 + 4; n < c * 8 + 8; n++) way -= contacts.weights[n] * second[contacts.vertices[n] * 3 + k];
      gap += contacts.normal[c * 3 + k] * way;
    }
    return gap;
  }

  #findInObstacle(a: number, obstacles: ObstacleSet, i: number, out: ContactBuffer): void {
    const { model, positions, box } = this.#bodies[a];
    obstacleBounds(obstacles, i, this.#bounds);
    if (!overlap(box, this.#bounds)) return;
    const { shape } = obstacles.defs[i];
    const probe = this.#probe;
    probe.reach[0] = 0;
    for (let v = 0; v < model.vertexCount; v++) {
      if (model.pinned[v]) continue;
      intoObstacle(obstacles, i, positions, v * 3, probe.at);
      probeShape(shape, probe);
      const distance = probe.distance[0];
      if (!(distance < 0)) continue;
      const c = out.add(a, v, -1, i);
      if (c < 0) continue;
      out.setVertex(c, 0, 0, v, 1);
      const from = i * 9;
      for (let k = 0; k < 3; k++) {
        let sum = 0;
        for (let j = 0; j < 3; j++) sum += obstacles.rotations[from + k * 3 + j] * probe.normal[j];
        out.normal[c * 3 + k] = sum;
      }
      this.#describe(c, positions, v, -distance, out);
    }
  }

  /** Vertices of body a in body b. */
  #findInBody(a: number, b: number, out: ContactBuffer): void {
    const points = this.#bodies[a];
    const solid = this.#bodies[b];
    const inside = this.#inside;
    const depth = this.#depth;
    inside.search(points, solid);
    if (inside.count === 0) return;
    this.#crossings.find(points, this.#edges[a], inside, solid);
    depth.find(points, this.#edges[a], inside, this.#crossings);
    // a vertex without a way out (no edge of its piece of the body crosses the surface) is told of, not passed over
    out.dropped += inside.count - depth.count;
    for (let n = 0; n < depth.count; n++) {
      const v = depth.vertices[n];
      const c = out.add(a, v, b, -1);
      if (c < 0) continue;
      out.setVertex(c, 0, 0, v, 1);
      const tet = inside.tets[v] * 4;
      for (let k = 0; k < 4; k++) out.setVertex(c, 1, k, solid.model.tets[tet + k], inside.weights[v * 4 + k]);
      for (let k = 0; k < 3; k++) out.normal[c * 3 + k] = depth.directions[v * 3 + k];
      this.#describe(c, undefined, v, depth.depths[v], out);
    }
  }

  /** What follows from a contact's depth. `positions`: where r starts, undefined where both sides are in one point. */
  #describe(c: number, positions: Float64Array | undefined, v: number, depth: number, out: ContactBuffer): void {
    out.gap[c] = -depth;
    out.offset[c] = depth;
    out.friction[c] = 0;
    for (let k = 0; k < 3; k++) {
      const r = positions ? positions[v * 3 + k] : 0;
      out.stuck[c * 3 + k] = r;
      out.offset[c] += out.normal[c * 3 + k] * r;
    }
  }
}

function overlap(a: Float64Array, b: Float64Array): boolean {
  for (let k = 0; k < 3; k++) if (a[k] > b[3 + k] || b[k] > a[3 + k]) return false;
  return true;
}
