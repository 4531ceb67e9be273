/**
 * Which way the surface faces, region by region: a coarse hashed grid over a body's surface vertices that holds, per cell, a cone
 * around their normals. A triangle whose surroundings all face the way it does has nothing of its own body in front of
 * it, and most triangles are like that.
 */

/** In a box of more cells than this something faces every way. */
const MOST_CELLS = 64;

/** Cones of one body's surface normals. */
export class NormalCones {
  readonly #mask: number;
  /** Cell of each bucket (x, y, z), and whether it is taken in this round; open addressing. */
  readonly #cells: Int32Array;
  readonly #round: Int32Array;
  /** Sum of the normals, made a unit vector, and the least cosine of any of them with it: 4 per bucket. */
  readonly #cones: Float64Array;
  readonly #bucketOf: Int32Array;
  readonly #origin = new Float64Array(3);
  #size = 1;
  #now = 0;

  constructor(capacity: number) {
    let buckets = 16;
    while (buckets < 2 * capacity) buckets *= 2;
    this.#mask = buckets - 1;
    this.#cells = new Int32Array(buckets * 3);
    this.#round = new Int32Array(buckets);
    this.#cones = new Float64Array(buckets * 4);
    this.#bucketOf = new Int32Array(capacity);
  }

  /** Takes up points and their unit normals, 3 numbers each, in cells of this size counted from `origin`. */
  fill(points: Float64Array, normals: Float64Array, count: number, size: number, origin: ArrayLike<number>): void {
    this.#now++;
    this.#size = size;
    for (let k = 0; k < 3; k++) this.#origin[k] = origin[k];
    const cones = this.#cones;
    for (let i = 0; i < count; i++) {
      const bucket = this.#take(
        this.#cellOf(points[i * 3], 0),
        this.#cellOf(points[i * 3 + 1], 1),
        this.#cellOf(points[i * 3 + 2], 2),
      );
      this.#bucketOf[i] = bucket;
      for (let k = 0; k < 3; k++) cones[bucket * 4 + k] += normals[i * 3 + k];
    }
    for (let bucket = 0; bucket <= this.#mask; bucket++) {
      if (this.#round[bucket] !== this.#now) continue;
      const o = bucket * 4;
      const length = Math.sqrt(cones[o] * cones[o] + cones[o + 1] * cones[o + 1] + cones[o + 2] * cones[o + 2]);
      for (let k = 0; k < 3; k++) cones[o + k] /= length > 0 ? length : 1;
      cones[o + 3] = 1;
    }
    for (let i = 0; i < count; i++) {
      const o = this.#bucketOf[i] * 4;
      let cosine = 0;
      for (let k = 0; k < 3; k++) cosine += cones[o + k] * normals[i * 3 + k];
      cones[o + 3] = Math.min(cones[o + 3], cosine);
    }
  }

  /** Whether anything in a box (lowest x, y, z, then highest) may make a cosine of at most `facing` with normal n[o..o + 3). */
  mayFace(box: Float64Array, n: Float64Array, o: number, facing: number): boolean {
    const lowX = this.#cellOf(box[0], 0);
    const lowY = this.#cellOf(box[1], 1);
    const lowZ = this.#cellOf(box[2], 2);
    const highX = this.#cellOf(box[3], 0);
    const highY = this.#cellOf(box[4], 1);
    const highZ = this.#cellOf(box[5], 2);
    if ((highX - lowX + 1) * (highY - lowY + 1) * (highZ - lowZ + 1) > MOST_CELLS) return true;
    for (let x = lowX; x <= highX; x++) {
      for (let y = lowY; y <= highY; y++) {
        for (let z = lowZ; z <= highZ; z++) {
          const bucket = this.#find(x, y, z);
          if (bucket >= 0 && this.#coneMayFace(bucket * 4, n, o, facing)) return true;
        }
      }
    }
    return false;
  }

  /** cos(a + b) at most `facing`, with a between the normal and the cone's axis and b the cone's half angle. */
  #coneMayFace(c: number, n: Float64Array, o: number, facing: number): boolean {
    const cones = this.#cones;
    const cosA = cones[c] * n[o] + cones[c + 1] * n[o + 1] + cones[c + 2] * n[o + 2];
    const cosB = cones[c + 3];
    if (cosB <= 0) return true;
    const sines = Math.sqrt(Math.max(0, 1 - cosA * cosA) * Math.max(0, 1 - cosB * cosB));
    return cosA * cosB - sines <= facing;
  }

  #find(x: number, y: number, z: number): number {
    let bucket = this.#bucket(x, y, z);
    while (this.#round[bucket] === this.#now) {
      const o = bucket * 3;
      if (this.#cells[o] === x && this.#cells[o + 1] === y && this.#cells[o + 2] === z) return bucket;
      bucket = (bucket + 1) & this.#mask;
    }
    return -1;
  }

  /** Bucket of a cell, taken now if it was not yet. */
  #take(x: number, y: number, z: number): number {
    const known = this.#find(x, y, z);
    if (known >= 0) return known;
    let bucket = this.#bucket(x, y, z);
    while (this.#round[bucket] === this.#now) bucket = (bucket + 1) & this.#mask;
    this.#round[bucket] = this.#now;
    this.#cells[bucket * 3] = x;
    this.#cells[bucket * 3 + 1] = y;
    this.#cells[bucket * 3 + 2] = z;
    this.#cones.fill(0, bucket * 4, bucket * 4 + 4);
    return bucket;
  }

  #cellOf(x: number, k: number): number {
    return Math.max(-1e6, Math.min(1e6, Math.floor((x - this.#origin[k]) / this.#size)));
  }

  #bucket(x: number, y: number, z: number): number {
    return (Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791)) & this.#mask;
  }
}
