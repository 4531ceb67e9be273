/** A 64-bit fingerprint of arrays. */

/** Two 32-bit multiply-and-rotate lanes over 32-bit words, mixed at the end; not for adversaries. */
export class Hash64 {
  #a = 0x9e3779b9;
  #b = 0x85ebca6b;

  /** Adds the bytes of an array whose length in bytes is a multiple of four. */
  add(array: Float64Array | Float32Array | Int32Array): void {
    const words = new Uint32Array(array.buffer, array.byteOffset, array.byteLength >> 2);
    let a = this.#a ^ words.length;
    let b = this.#b;
    for (let i = 0; i < words.length; i++) {
      a = Math.imul(rotate(a ^ words[i], 13), 0x2c1b3c6d);
      b = Math.imul(rotate(b + words[i], 17), 0x297a2d39) ^ a;
    }
    this.#a = a;
    this.#b = b;
  }

  toString(): string {
    return [mix(this.#a ^ rotate(this.#b, 7)), mix(this.#b ^ rotate(this.#a, 19))]
      .map((word) => word.toString(16).padStart(8, '0'))
      .join('');
  }
}

function rotate(x: number, bits: number): number {
  return (x << bits) | (x >>> (32 - bits));
}

function mix(x: number): number {
  let h = x;
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}
