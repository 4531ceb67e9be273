import { it } from 'vitest';
import { writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { readAsset } from '../../support/assets.js';
import { readGltf } from '../../../src/io/gltf.js';
import { gltfSurface } from '../../../src/io/gltf-surface.js';
import { buildRigged } from '../../../src/character/rigged.js';
import { writeSmesh } from '../../../src/io/smesh.js';
import { weldVertices } from '../../../src/mesh/triangle-mesh.js';
import { prepareTwoSurfaces } from '../../../src/character/two-surface.js';
it('p', async () => {
  for (const name of ['CesiumMan.glb', 'Fox.glb']) {
    const model = await readGltf(readAsset(name));
    const ch = buildRigged(model, {});
    for (const [k, s] of [['rest', { positions: Float64Array.from(ch.skin.positions), triangles: Int32Array.from(ch.skin.triangles) }], ['raw', gltfSurface(model)]] as const) {
      const w = weldVertices(s.positions, s.triangles);
      writeFileSync(`/tmp/tg/${name}.${k}.smesh`, writeSmesh({ positions: w.positions, triangles: w.triangles }));
      try { prepareTwoSurfaces(s); console.log(name, k, 'fine'); } catch (e: any) { console.log(name, k, String(e).slice(0, 300), JSON.stringify(e.value)); }
    }
  }
}, 100000);
