/**
 * Edges of soft bodies against edges, of another body or of the same: what vertices and faces let through, two ridges across each other. Of each edge of the first body
 * the nearest one of the second counts. Flesh says by its faces which side is out; a sheet stays on the side that the contact before was on.
 */
import type { ContactList } from '../contacts/contact-list.js';
import { CLUSTER, FeatureBoxes } from '../soft/feature-boxes.js';
import type { SoftBodies } from '../soft/soft-bodies.js';
import type { SoftSides } from '../soft/soft-sides.js';
import { crossOf } from '../soft/soft-surface.js';
import type { RestApart } from './rest-apart.js';
import { crossSegments } from './segments.js';
import { edgesOf, type SoftEdges } from './soft-edges.js';

/** How deep edges are found in another body, as a share of half its longest side. */
const DEEPEST = 0.1;
/** A shorter way has no direction [m]. */
const NO_WAY = 1e-9;

/** Finds where edges cross. */
export class EdgePairs {
  readonly #soft: SoftBodies;
  readonly #sides: SoftSides;
  readonly #firstSoft: number;
  readonly #edges: readonly SoftEdges[];
  readonly #boxes: FeatureBoxes;
  readonly #cross = new Float64Array(5);
  /** Of the nearest so far: how far along both edges, normal from the second to the first (3), distance. */
  readonly #best = new Float64Array(6);
  readonly #face = new Float64Array(3);

  constructor(soft: SoftBodies, sides: SoftSides, firstSoft: number) {
    this.#soft = soft;
    this.#sides = sides;
    this.#firstSoft = firstSoft;
    const known = new Map(soft.models.map((model) => [model, edgesOf(model.triangles)]));
    this.#edges = soft.models.map((model) => known.get(model) as SoftEdges);
    this.#boxes = new FeatureBoxes(
      soft,
      this.#edges.map(({ ends }) => ends),
      2,
    );
  }

  begin(): void {
    this.#boxes.begin();
  }

  /** Contacts of edges of body a with those of body b, nearer than `margin`; `apart`: which of them may touch where both are one. */
  find(contacts: ContactList, a: number, b: number, margin: number, firstKey: number, apart?: RestApart): void {
    const { firstVertex, models } = this.#soft;
    this.#boxes.refresh(b);
    const radii = models[a].radius + models[b].radius;
    const deepest = apart ? apart.deepest : DEEPEST * Math.min(models[a].reach, models[b].reach);
    const reach = Math.max(margin + radii, models[a].isSheet || models[b].isSheet ? 0 : deepest);
    const { count, ends } = this.#edges[a];
    for (let i = 0; i < count; i++) {
      const p = (firstVertex[a] + ends[i * 2]) * 3;
      const q = (firstVertex[a] + ends[i * 2 + 1]) * 3;
      const before = contacts.indexOfOld(firstKey + i);
      const j = this.#nearest(contacts, a, i, p, q, b, reach, before, apart);
      if (j < 0) continue;
      const gap = this.#best[5] - radii;
      if (gap >= margin || gap < -reach) continue;
      this.#add(contacts, firstKey + i, a, i, b, j, gap);
    }
  }

  #nearest(
    contacts: ContactList,
    a: number,
    i: number,
    p: number,
    q: number,
    b: number,
    reach: number,
    before: number,
    apart: RestApart | undefined,
  ): number {
    const { x, firstVertex } = this.#soft;
    const { ends, count } = this.#edges[b];
    const boxes = this.#boxes;
    const cross = this.#cross;
    let found = -1;
    let least = reach;
    for (let cluster = boxes.first[b]; cluster < boxes.first[b + 1]; cluster++) {
      if (boxes.isBeyond(cluster, x, p, q, least)) continue;
      const from = (cluster - boxes.first[b]) * CLUSTER;
      for (let j = from; j < Math.min(count, from + CLUSTER); j++) {
        if (apart && (j <= i || !this.#mayTouch(a, i, j, apart))) continue;
        const r = (firstVertex[b] + ends[j * 2]) * 3;
        const s = (firstVertex[b] + ends[j * 2 + 1]) * 3;
        if (!crossSegments(x, p, q, r, s, cross)) continue;
        const length = Math.sqrt(cross[2] * cross[2] + cross[3] * cross[3] + cross[4] * cross[4]);
        if (!(length < least && length > NO_WAY)) continue;
        const side = this.#sideOf(contacts, a, i, b, j, before);
        if (side === 0) continue;
        found = j;
        least = length;
        this.#best[0] = cross[0];
        this.#best[1] = cross[1];
        for (let k = 0; k < 3; k++) this.#best[2 + k] = (side * cross[2 + k]) / length;
        this.#best[5] = side * length;
      }
    }
    return found;
  }

  #mayTouch(a: number, i: number, j: number, apart: RestApart): boolean {
    const { ends } = this.#edges[a];
    for (let m = 0; m < 2; m++) {
      if (!apart.isApart(ends[i * 2 + m], ends[j * 2]) || !apart.isApart(ends[i * 2 + m], ends[j * 2 + 1]))
        return false;
    }
    return true;
  }

  /** 1 where the way in `cross` leads out of b and towards a, -1 where they are in each other, 0 where neither can be said. */
  #sideOf(contacts: ContactList, a: number, i: number, b: number, j: number, before: number): number {
    const { models } = this.#soft;
    const cross = this.#cross;
    if (models[a].isSheet || models[b].isSheet) {
      if (before < 0) return 1;
      const o = before * 3;
      const n = contacts.oldNormal;
      return cross[2] * n[o] + cross[3] * n[o + 1] + cross[4] * n[o + 2] < 0 ? -1 : 1;
    }
    const outOfB = this.#along(b, j);
    const outOfA = -this.#along(a, i);
    return outOfB > 0 && outOfA > 0 ? 1 : outOfB < 0 && outOfA < 0 ? -1 : 0;
  }

  /** How much the way in `cross` leads out of an edge of flesh, by the two faces beside it: positive only if out of both. */
  #along(s: number, edge: number): number {
    const { x, firstVertex, models } = this.#soft;
    const { beside } = this.#edges[s];
    const { triangles } = models[s];
    const cross = this.#cross;
    const face = this.#face;
    let sum = 0;
    for (let m = 0; m < 2; m++) {
      const t = beside[edge * 2 + m] * 3;
      const first = firstVertex[s];
      crossOf(x, (first + triangles[t]) * 3, (first + triangles[t + 1]) * 3, (first + triangles[t + 2]) * 3, face);
      const along = face[0] * cross[2] + face[1] * cross[3] + face[2] * cross[4];
      if (m === 1 && along * sum < 0) return 0;
      sum += along;
    }
    return sum;
  }

  #add(contacts: ContactList, key: number, a: number, i: number, b: number, j: number, gap: number): void {
    const ends = this.#edges[a].ends;
    const others = this.#edges[b].ends;
    const s = this.#best[0];
    const t = this.#best[1];
    const sideB = this.#sides.add(b, others[j * 2], others[j * 2 + 1], others[j * 2], 1 - t, t, 0);
    const sideA = sideB < 0 ? -1 : this.#sides.add(a, ends[i * 2], ends[i * 2 + 1], ends[i * 2], 1 - s, s, 0);
    const c = sideA < 0 ? -1 : contacts.add(key, this.#firstSoft + a, this.#firstSoft + b);
    if (c < 0) {
      contacts.missed++;
      return;
    }
    contacts.sideA[c] = sideA;
    contacts.sideB[c] = sideB;
    contacts.gap[c] = gap;
    for (let k = 0; k < 3; k++) contacts.normal[c * 3 + k] = this.#best[2 + k];
  }
}
