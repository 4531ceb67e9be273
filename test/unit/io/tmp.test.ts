import { readFileSync } from 'node:fs';
import { it } from 'vitest';
import { readGltf } from '../../../src/io/gltf.js';
it('x', async () => {
  for (const n of ['hand','CesiumMan','Fox','RiggedSimple']) {
    const t = performance.now();
    const m = await readGltf(readFileSync(`/work/shared/assets/${n}.glb`));
    console.log(n, performance.now()-t, m.meshes.map(x=>x.primitives.map(p=>[p.positions.length/3,p.indices.length/3,p.influenceCount, p.uvs.length])), m.skins.map(s=>s.joints.length), m.nodes.length, m.nodeOrder.length, m.clips.map(c=>[c.name,c.channels.length]), m.look.images.map(i=>[i.mimeType,i.bytes.length]), m.warnings);
  }
});
