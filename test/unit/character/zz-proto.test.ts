import { it } from 'vitest';
import { writeFileSync } from 'node:fs';
import { readAsset } from '../../support/assets.js';
import { readGltf } from '../../../src/io/gltf.js';
import { readObj } from '../../../src/io/obj.js';
import { buildRigged } from '../../../src/character/rigged.js';
import { prepareTwoSurfaces } from '../../../src/character/two-surface.js';
import { buildTwoSurfaceCharacter } from '../../../src/character/two-surface-character.js';
import { capsuleSurface, namedParts } from '../../support/capsules.js';
import { meshWithGmsh, meshWithTetgen } from '../../../cli/mesher.js';
import { dihedralAngles } from '../../../src/mesh/quality.js';
import { createWorld, stepWorld } from '../../../src/index.js';
import { characterScene } from '../../../src/load-character.js';
import { distanceToSurface } from '../../../src/mesh/triangle-distance.js';
const D = 180 / Math.PI;
const stat = (m: any) => { const a = dihedralAngles(m); let lo=9e9,hi=0,bad=0; for (let i=0;i<a.length;i++){ lo=Math.min(lo,a[i]*D); hi=Math.max(hi,a[i]*D);} for (let i=0;i<a.length;i+=6){ if (Math.min(...a.subarray(i,i+6))*D<5||Math.max(...a.subarray(i,i+6))*D>170) bad++; } return `${lo.toFixed(2)}..${hi.toFixed(2)} bad ${bad}`; };
async function go(label: string, skin: any, skeleton: any, joints: any) {
  let t0 = performance.now(); let two;
  try { two = prepareTwoSurfaces(skin, skeleton, joints); } catch (e) { console.log(label, 'REFUSED', String(e).slice(0, 900)); return; }
  console.log(label, skin.triangles.length/3, skeleton ? skeleton.triangles.length/3 : 0, 'checks', (performance.now()-t0).toFixed(0), two.notes);
  for (const [n, m] of [['tetgen', meshWithTetgen], ['gmsh', meshWithGmsh]] as const) {
    try {
      t0 = performance.now(); const cut = process.env.CUT === '1'; const tets = await m(two, { cut }); const ms = performance.now()-t0;
      t0 = performance.now(); const ch = buildTwoSurfaceCharacter(two, tets); 
      console.log(label, n, ms.toFixed(0), 'ms', tets.tets.length/4, stat(tets), '| built', (performance.now()-t0).toFixed(0), ch.body.tets.length/4, stat(ch.body), ch.report.notes);
      const w = await createWorld(characterScene(ch)); let worst = 0; t0 = performance.now();
      for (let i=0;i<60;i++){ stepWorld(w, 1/60); worst = Math.max(worst, w.certificate.inverted); if (w.fault) { console.log('FAULT', String(w.fault)); break; } }
      console.log(label, n, 'sim', (performance.now()-t0).toFixed(0), 'ms gap', w.certificate.jointGap, 'inv', worst);
    } catch (e) { console.log(label, n, 'FAILED', String(e).slice(0, 500)); }
  }
}
it('p', async () => {
  for (const name of ['hand.glb', 'CesiumMan.glb', 'Fox.glb', 'RiggedSimple.glb']) {
    const model = await readGltf(readAsset(name));
    const ch = buildRigged(model, {});
    const skin = { positions: Float64Array.from(ch.skin.positions), triangles: Int32Array.from(ch.skin.triangles) };
    const distance = distanceToSurface(skin);
    const bones: any[] = [];
    for (const b of ch.skeleton) {
      const at = (t: number) => [0,1,2].map((k) => b.place[k] + t*(b.tip[k]-b.place[k])) as any;
      const inside = [0.3,0.4,0.5,0.6,0.7].map((t) => { const [x,y,z]=at(t); return -distance(x,y,z); });
      const r = Math.min(...inside) * 0.4; const L = Math.hypot(...[0,1,2].map((k)=>b.tip[k]-b.place[k]));
      if (r > 1e-4 && L > 0.01 && 0.3*L > 0.5*r) bones.push([b.name, capsuleSurface(at(0.3), at(0.7), Math.min(r, 0.2*L))]);
    }
    const names = bones.map(([n]) => n);
    const joints = { regions: [], bones: names.map((name: string) => ({ name, regions: [] })), joints: (ch.body.joints ?? []).filter((j) => j.bones.every((b) => names.includes(b))) };
    console.log(name, bones.length, 'bones of', ch.skeleton.length, joints.joints.length);
    await go(name, skin, bones.length ? namedParts(bones) : undefined, bones.length ? joints : undefined);
  }
  await go('spot', readObj(readAsset('spot.obj')), undefined, undefined);
}, 280000);
