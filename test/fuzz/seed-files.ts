/** Small sound files of every format, with as many of its features as fit: what the fuzzer damages. */
import type { GltfModel } from '../../src/io/gltf/gltf.js';
import { writeGltf } from '../../src/io/gltf/gltf-write.js';
import { writePly } from '../../src/io/surfaces/ply.js';
import { writeStl } from '../../src/io/surfaces/stl.js';
import { writeGmsh } from '../../src/io/tets/gmsh.js';
import { writeMedit } from '../../src/io/tets/medit.js';
import { writeTetgen } from '../../src/io/tets/tetgen.js';
import { writeVtk } from '../../src/io/tets/vtk.js';
import { writeVtu } from '../../src/io/tets/vtu.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Two tetrahedra with a common face, and two triangles. */
export const TWO_TETS = {
  positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1.5),
  tets: Int32Array.of(0, 1, 2, 3, 1, 2, 3, 4),
  regions: Int32Array.of(1, 7),
  triangles: Int32Array.of(0, 2, 1, 1, 2, 4),
  triangleRegions: Int32Array.of(3, 4),
};
const SURFACE = {
  positions: TWO_TETS.positions.slice(0, 12),
  triangles: Int32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
  regions: Int32Array.of(0, 1, 1, 2),
};
const NORMALS = Float64Array.of(0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1);

/** A skinned tetrahedron with two joints, a clip, a texture and an extension. */
export const MODEL: GltfModel = {
  meshes: [
    {
      name: 'mesh',
      primitives: [
        {
          positions: Float32Array.from(SURFACE.positions),
          indices: Uint32Array.from(SURFACE.triangles),
          normals: Float32Array.from(NORMALS),
          uvs: [Float32Array.of(0, 0, 1, 0, 0, 1, 1, 1)],
          influenceCount: 4,
          joints: Uint16Array.of(0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0),
          weights: Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0),
          material: 0,
        },
      ],
    },
  ],
  skins: [
    {
      name: 'skin',
      joints: Uint32Array.of(1, 2),
      inverseBindMatrices: Float32Array.from({ length: 32 }, (_, i) => ((i % 16) % 5 === 0 ? 1 : 0)),
      skeleton: 1,
    },
  ],
  nodes: [
    { ...rest('body', -1), mesh: 0, skin: 0 },
    {
      ...rest('root', -1),
      children: Uint32Array.of(2),
      matrix: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1),
    },
    { ...rest('tip', 1), translation: Float64Array.of(0, 0.5, 0) },
  ],
  nodeOrder: Uint32Array.of(0, 1, 2),
  scenes: [{ name: 'scene', nodes: Uint32Array.of(0, 1) }],
  scene: 0,
  clips: [
    {
      name: 'wave',
      channels: [
        {
          node: 2,
          path: 'rotation',
          interpolation: 'LINEAR',
          times: Float32Array.of(0, 1),
          values: Float32Array.of(0, 0, 0, 1, 0, 0, 1, 0),
        },
      ],
    },
  ],
  look: {
    materials: [{ name: 'm', pbrMetallicRoughness: { baseColorTexture: { index: 0 }, metallicFactor: 0 } }],
    textures: [{ source: 0, sampler: 0 }],
    samplers: [{ wrapS: 10497 }],
    images: [{ name: 'i', mimeType: 'image/png', bytes: Uint8Array.of(137, 80, 78, 71) }],
  },
  extensions: [{ name: 'TENDON_test', json: { answer: 42 }, views: [Uint8Array.of(1, 2, 3, 4)] }],
  asset: { generator: 'test', version: '2.0' },
  warnings: [],
};

/** A `.gltf` with its buffer inside, a strip, and a sparse accessor. */
export const GLTF_TEXT = JSON.stringify({
  asset: { version: '2.0' },
  buffers: [
    {
      byteLength: 64,
      uri: 'data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAACAPwAAgD8AAAAAAQACAAAAAAAAAEBAAAAAQA==',
    },
  ],
  bufferViews: [
    { buffer: 0, byteLength: 48 },
    { buffer: 0, byteOffset: 48, byteLength: 4 },
    { buffer: 0, byteOffset: 52, byteLength: 12 },
  ],
  accessors: [
    {
      bufferView: 0,
      componentType: 5126,
      count: 4,
      type: 'VEC3',
      sparse: { count: 1, indices: { bufferView: 1, byteOffset: 0, componentType: 5123 }, values: { bufferView: 2 } },
    },
  ],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 }, mode: 5 }] }],
  nodes: [
    { mesh: 0, children: [1] },
    { translation: [1, 2, 3], rotation: [0, 0, 0, 1] },
  ],
  scenes: [{ nodes: [0] }],
});

const OBJ = `# cube part
mtllib a.mtl
o thing
v 0 0 0
v 1 0 0
v 1 1 0 1.0
v 0 1 0 0.5 0.5 0.5
vt 0 0
vt 1 0
vn 0 0 1
g side front
usemtl red paint
f 1/1/1 2/2/1 3//1 4
f -4 -3 \\
 -2
s off
l 1 2
`;
const SMESH = `# nodes
4 3 0 0
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
# facets
2 1
4 1 2 3 4 5
3 1 2
 4 6
1
1 .2 .2 .2
2
1 .1 .1 .1 1 0.5
2 .3 .3 .3 2
`;
const GMSH4 = `$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
1
3 9 "flesh"
$EndPhysicalNames
$Entities
1 0 1 1
1 0 0 0 0
1 0 0 0 1 1 1 1 4 0
1 0 0 0 1 1 1 1 9 1 1
$EndEntities
$Nodes
2 4 1 4
0 1 0 1
1
0 0 0
3 1 0 3
2
3
4
1 0 0
0 1 0
0 0 1
$EndNodes
$Elements
3 3 1 3
0 1 15 1
1 1
2 1 2 1
2 1 2 3
3 1 4 1
3 1 2 3 4
$EndElements
`;
const VTK5 = `# vtk DataFile Version 5.1
title
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 4 float
0 0 0 1 0 0 0 1 0 0 0 1
CELLS 3 7
OFFSETS vtktypeint64
0 3 7
CONNECTIVITY vtktypeint64
0 1 2 0 1 2 3
CELL_TYPES 2
5
10
CELL_DATA 2
FIELD FieldData 2
pressure 1 2 double
1 2
region 1 2 int
4 5
`;
const BVH = `HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Chest
  {
    OFFSET 0 5.2 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 4 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.033333
0 1 2 3 4 5 6 7 8
0 1 2 3 4 5 6 7.5 8
`;
/** Every kind of statement. */
export const JOINTS = `tendon-joints 1
# an arm
angles degrees
region 1 flesh
bone trunk region 2
bone "upper arm" region 3 4 group "Upper Arm" kinematic
bone forearm region 5
joint neck fixed trunk anchor 0 1 0
joint shoulder ball trunk "upper arm" anchor 1 0 0 axis 1 0 0 cone 80 twist -45 45
joint elbow hinge "upper arm" forearm anchor 2 0 0 axis 0 0 1 limit 0 150
joint wrist universal forearm trunk anchor 3 0 0 axis 0 0 1 second-axis 0 1 0 limit -30 30 second-limit -80 70
`;

/** A format and its small files; `.node` and `.ele` are damaged one at a time. */
export interface SeedFormat {
  readonly name: string;
  readonly files: readonly Uint8Array[];
}

/** All formats. */
export async function makeSeedFormats(): Promise<SeedFormat[]> {
  const { node, ele, face } = writeTetgen(TWO_TETS);
  return [
    { name: 'obj', files: [bytes(OBJ)] },
    { name: 'stl', files: [writeStl({ ...SURFACE, names: ['a', 'b c', ''] }, 'ascii'), writeStl(SURFACE)] },
    {
      name: 'ply',
      files: [
        writePly({ ...SURFACE, normals: NORMALS }, 'ascii'),
        writePly({ ...SURFACE, uvs: Float64Array.of(0, 0, 1, 0, 0, 1, 1, 1) }, 'binary_little_endian'),
        writePly(SURFACE, 'binary_big_endian'),
      ],
    },
    { name: 'mesh', files: [writeMedit(TWO_TETS)] },
    { name: 'node', files: [node] },
    { name: 'ele', files: [ele] },
    { name: 'face', files: [face!] },
    { name: 'smesh', files: [bytes(SMESH)] },
    { name: 'msh', files: [writeGmsh(TWO_TETS, '2.2'), writeGmsh(TWO_TETS, '4.1'), bytes(GMSH4)] },
    { name: 'vtk', files: [writeVtk(TWO_TETS), bytes(VTK5)] },
    { name: 'vtu', files: [writeVtu(TWO_TETS)] },
    { name: 'glb', files: [await writeGltf(MODEL)] },
    { name: 'gltf', files: [bytes(GLTF_TEXT)] },
    { name: 'bvh', files: [bytes(BVH)] },
    { name: 'joint', files: [bytes(JOINTS)] },
  ];
}

function rest(name: string, parent: number): GltfModel['nodes'][number] {
  return {
    name,
    parent,
    children: new Uint32Array(0),
    translation: new Float64Array(3),
    rotation: Float64Array.of(0, 0, 0, 1),
    scale: Float64Array.of(1, 1, 1),
  };
}
