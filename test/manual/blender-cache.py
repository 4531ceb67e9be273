"""Reads a baked point cache through Blender's Mesh Cache modifier and compares every vertex of every frame with the file.

    tendon simulate bar --seconds 1 -o out.obj -o out.pc2 -o out.mdd
    blender --background --factory-startup --python test/manual/blender-cache.py -- out.0000.obj out.pc2 out.mdd
"""
import struct
import sys

import bpy

mesh_file, *caches = sys.argv[sys.argv.index("--") + 1 :]


def read_pc2(data):
    points, first, _, samples = struct.unpack("<i f f i", data[16:32])
    numbers = struct.unpack(f"<{3 * points * samples}f", data[32:])
    return points, [numbers[3 * points * n : 3 * points * (n + 1)] for n in range(samples)]


def read_mdd(data):
    samples, points = struct.unpack(">2i", data[:8])
    numbers = struct.unpack(f">{3 * points * samples}f", data[8 + 4 * samples :])
    return points, [numbers[3 * points * n : 3 * points * (n + 1)] for n in range(samples)]


bpy.ops.object.select_all(action="SELECT")
bpy.ops.object.delete()
# y up and z forward stay as they are in the file, so that numbers can be compared
bpy.ops.import_scene.obj(filepath=mesh_file, split_mode="OFF", axis_forward="Y", axis_up="Z")
body = bpy.context.selected_objects[0]
failed = False
for path in caches:
    kind = path.rsplit(".", 1)[1].lower()
    with open(path, "rb") as file:
        points, frames = (read_pc2 if kind == "pc2" else read_mdd)(file.read())
    assert len(body.data.vertices) == points, (len(body.data.vertices), points)
    body.modifiers.clear()
    cache = body.modifiers.new("cache", "MESH_CACHE")
    cache.cache_format = kind.upper()
    cache.filepath = path
    cache.frame_start = 0
    worst = 0.0
    for number, expected in enumerate(frames):
        bpy.context.scene.frame_set(number)
        shown = body.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
        for vertex in shown.vertices:
            for k in range(3):
                worst = max(worst, abs(vertex.co[k] - expected[3 * vertex.index + k]))
    good = worst < 1e-6
    failed = failed or not good
    print(f"{kind}: {points} vertices, {len(frames)} frames, worst difference {worst:.1e} m: {'same' if good else 'DIFFERENT'}")
sys.exit(1 if failed else 0)
