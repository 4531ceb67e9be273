"""What Blender makes of our files, printed as JSON, one line per file; with FILE.glb.json beside a file, vertex by vertex.

    blender -b --python-exit-code 1 -P test/manual/blender_glb.py -- FILE.glb ...

FILE.glb.json holds {"states": [[time, [x, y, z, ...]], ...]} in metres, y up.
"""
import json
import os
import sys

import bpy
import numpy as np

np.bool = bool  # the importer of 3.4 uses a name that newer numpy has dropped


def evaluated(obj, frame):
    bpy.context.scene.frame_set(int(np.floor(frame)), subframe=frame - np.floor(frame))
    mesh = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = np.empty(3 * len(mesh.data.vertices))
    mesh.data.vertices.foreach_get('co', points)
    matrix = np.array(mesh.matrix_world)
    points = points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
    return points @ np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])  # from z up to y up


for path in sys.argv[sys.argv.index('--') + 1 :]:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=path)
    objects = bpy.data.objects
    report = {
        'file': os.path.basename(path),
        'meshes': {o.name: len(o.data.vertices) for o in objects if o.type == 'MESH' and o.users_collection},
        'armatures': {o.name: len(o.data.bones) for o in objects if o.type == 'ARMATURE'},
        'shape keys': {k.name: [b.name for b in k.key_blocks][:4] for k in bpy.data.shape_keys},
        'materials': sorted(m.name for m in bpy.data.materials),
        'images': sorted(f'{i.name} {i.size[0]}x{i.size[1]}' for i in bpy.data.images),
        'cameras': len(bpy.data.cameras),
        'lights': len(bpy.data.lights),
        'actions': sorted(a.name for a in bpy.data.actions),
    }
    expected = path + '.json'
    if os.path.exists(expected):
        wanted = json.load(open(expected))
        # a skinned mesh is named after its data
        count = len(wanted['states'][0][1]) // 3
        obj = next(o for o in objects if o.type == 'MESH' and len(o.data.vertices) == count)
        worst = 0.0
        for time, places in wanted['states']:
            points = evaluated(obj, time * bpy.context.scene.render.fps)
            worst = max(worst, float(np.abs(points - np.array(places).reshape(-1, 3)).max()))
        report['off by'] = worst
    print(json.dumps(report))
