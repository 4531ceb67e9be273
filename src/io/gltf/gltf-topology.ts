/** Strips and fans of triangles to plain triangles, with the winding glTF prescribes. Part of `readGltf`. */

/** Each further corner makes a triangle with the two before it; every other one is turned around. */
export function stripsToTriangles(corners: Uint32Array): Uint32Array {
  const count = Math.max(0, corners.length - 2);
  const triangles = new Uint32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const odd = i & 1;
    triangles[3 * i] = corners[i];
    triangles[3 * i + 1] = corners[i + 1 + odd];
    triangles[3 * i + 2] = corners[i + 2 - odd];
  }
  return dropRepeats(triangles);
}

/** Each further corner makes a triangle with the one before it and the first. */
export function fansToTriangles(corners: Uint32Array): Uint32Array {
  const count = Math.max(0, corners.length - 2);
  const triangles = new Uint32Array(3 * count);
  for (let i = 0; i < count; i++) {
    triangles[3 * i] = corners[i + 1];
    triangles[3 * i + 1] = corners[i + 2];
    triangles[3 * i + 2] = corners[0];
  }
  return dropRepeats(triangles);
}

/** Without the triangles that have a corner twice: strips use them to jump. */
function dropRepeats(triangles: Uint32Array): Uint32Array {
  let kept = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [triangles[i], triangles[i + 1], triangles[i + 2]];
    if (a === b || b === c || c === a) continue;
    triangles[kept] = a;
    triangles[kept + 1] = b;
    triangles[kept + 2] = c;
    kept += 3;
  }
  return triangles.slice(0, kept);
}
