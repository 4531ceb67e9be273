"""Reads a baked .glb in Blender and compares every vertex of every frame with the point cache of the same run.

    tendon simulate Fox.glb --clip Run --seconds 2 --fps 30 -o fox-soft.glb -o fox-soft.pc2
    blender -b --factory-startup --python-exit-code 1 -P test/manual/blender-bake.py -- fox-soft.glb fox-soft.pc2 30 [TOLERANCE] [PICTURE.png]

TOLERANCE [m] is how far a vertex may be off; without one it is only measured. Fails where a mesh is not found. The picture is of the middle frame.
"""
import struct
import sys

import bpy
import numpy as np

np.bool = bool  # the importer of 3.4 uses a name that newer numpy has dropped

glb, cache, fps, *more = sys.argv[sys.argv.index("--") + 1 :]
with open(cache, "rb") as file:
    data = file.read()
points, _, _, frames = struct.unpack("<i f f i", data[16:32])
truth = np.frombuffer(data[32:], dtype="<f4").reshape(frames, points, 3).astype(float)

bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = int(fps)
bpy.ops.import_scene.gltf(filepath=glb)
objects = [o for o in bpy.data.objects if o.type == "MESH" and o.users_collection and not o.name.startswith("Icosphere")]


def placed(obj):
    """Vertices in metres, y up."""
    mesh = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    co = np.empty(3 * len(mesh.data.vertices))
    mesh.data.vertices.foreach_get("co", co)
    matrix = np.array(mesh.matrix_world)
    co = co.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
    return co @ np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])


def show(frame):
    bpy.context.scene.frame_set(frame)


# files in centimetres or z up stay so: one similarity from Blender's numbers to metres, found on the first frame
show(0)
start = {o.name: placed(o) for o in objects}
everything = np.concatenate(list(start.values()))
scale = np.ptp(truth[0], axis=0).max() / np.ptp(everything, axis=0).max()
scale = min((1, 0.01, 0.001), key=lambda unit: abs(np.log(scale / unit)))
found = {}
size = np.ptp(truth[0], axis=0).max()
for name, co in start.items():
    errors = [np.abs(co * scale - truth[0][o : o + len(co)]).max() for o in range(points - len(co) + 1)] or [np.inf]
    if min(errors) < 0.05 * size:
        found[name] = np.arange(len(co)) + int(np.argmin(errors))
        continue
    # Blender leaves out vertices that no triangle has: the others are found one by one, by where they are first
    away = np.linalg.norm(co[:, None] * scale - truth[0][None], axis=2)
    if away.min(axis=1).max() < 1e-3 * size:
        found[name] = away.argmin(axis=1)
        print(f"{name}: {len(co)} vertices, each by the place it has first")
    else:
        print(f"{name}: {len(co)} vertices, nearest {min(errors):.3g} m off")
covered = sum(len(start[name]) for name in found)
worst, squares, count = 0.0, 0.0, 0
for frame in range(frames):
    show(frame)
    for name, members in found.items():
        co = placed(bpy.data.objects[name]) * scale
        off = np.linalg.norm(co - truth[frame][members], axis=1)
        worst, squares, count = max(worst, off.max()), squares + (off**2).sum(), count + len(off)
bones = sum(len(o.data.bones) for o in bpy.data.objects if o.type == "ARMATURE")
keys = sum(len(k.key_blocks) - 1 for k in bpy.data.shape_keys)
print(
    f"{glb}: {len(found)} of {len(objects)} meshes found, {covered} of {points} vertices, {frames} frames, {bones} bones, {keys} shape keys, "
    f"materials {sorted(m.name for m in bpy.data.materials)}, actions {len(bpy.data.actions)}: "
    f"off by at most {1000 * worst:.3f} mm, {1000 * (squares / max(1, count)) ** 0.5:.4f} mm in the mean"
)
if len(more) > 1:
    show(frames // 2)
    centre = (everything.min(0) + everything.max(0)) / 2
    size = np.ptp(everything, axis=0).max()
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location = (centre[0] + 1.3 * size, -centre[2] - 1.6 * size, centre[1] + 0.7 * size)
    target = bpy.data.objects.new("target", None)
    target.location = (centre[0], -centre[2], centre[1])
    look = camera.constraints.new("TRACK_TO")
    look.target = target
    camera.data.clip_end = 100 * size
    for obj in (camera, target):
        bpy.context.scene.collection.objects.link(obj)
    scene = bpy.context.scene
    scene.camera = camera
    # the other engines need a graphics card
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 48
    scene.cycles.use_denoising = False
    scene.view_settings.view_transform = "Standard"
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy = 3
    sun.data.angle = 0.2
    sun.rotation_euler = (0.7, 0.2, 0.6)
    scene.collection.objects.link(sun)
    scene.world = bpy.data.worlds.new("world")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.87, 0.83, 0.78, 1)
    scene.render.resolution_x, scene.render.resolution_y = 640, 480
    scene.render.filepath = more[1]
    bpy.ops.render.render(write_still=True)
if len(found) != len(objects) or (more and worst > float(more[0])):
    sys.exit(1)
