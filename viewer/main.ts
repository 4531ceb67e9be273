/** The page: puts its parts together and runs them, once per animation frame. */
import { Vector3 } from 'three';
import { readAddress, writeAddress } from './address.js';
import { Camera } from './camera.js';
import { CertificateView } from './certificate-view.js';
import { Drop, filesSource } from './drop.js';
import { Gallery, readable } from './gallery.js';
import { Inspector } from './inspect.js';
import { LaneLabels } from './lane-labels.js';
import { Notice } from './notice.js';
import { Panel } from './panel.js';
import { PinView } from './pin-view.js';
import { Plots } from './plots.js';
import { PointerTool } from './pointer-tool.js';
import type { Frame, SceneInfo, Source } from './protocol.js';
import { Recorder } from './recorder.js';
import { SceneView } from './scene-view.js';
import { Session } from './session.js';
import { Stage } from './stage.js';
import { copyText, Toolbar } from './toolbar.js';
import { element, Transport } from './transport.js';

const canvas = element<HTMLCanvasElement>('canvas');
const narrow = matchMedia('(max-width: 860px)').matches;
/** A body that fell or drifted this many of its sizes away starts again. */
const FARTHEST = 25;
/** Scenes of this name are a file that the server was given. */
const FILE_PREFIX = 'file:';

const notice = new Notice();
const stage = new Stage(canvas);
const inspector = new Inspector();
const camera = new Camera(canvas);
const certificate = new CertificateView(
  element('certificate'),
  element('verdict'),
  element('figures'),
  element('times'),
);
const plots = new Plots(element('plots'));
const labels = new LaneLabels(element('lanes'));
const pins = new PinView();
const middle = new Vector3();
let info: SceneInfo | undefined;
let source: Source | undefined;
let view: SceneView | undefined;
let jump = false;
/** Said once the next picture is there. */
let remark: string | undefined;
/** Something changed since the last picture. */
let stale = true;
const redraw = () => {
  stale = true;
};

element<HTMLDetailsElement>('certificate').open = !narrow;
element<HTMLDetailsElement>('plot-fold').open = !narrow && innerHeight > 940;

const session = new Session({
  scenes: (scenes) => {
    // Every new worker says this; only the first one is asked for what the address wants.
    const first = gallery.names.length === 0;
    gallery.fill(scenes);
    if (first) openAddress(scenes[0].name);
  },
  loading: (next) => {
    pointer.cancel();
    inspector.info = undefined;
    gallery.mark(next.name);
    remark = undefined;
    notice.busy(`Building ${readable(next.name)} …`);
  },
  progress: (stageName, share) => notice.busy(`${readable(stageName)} …`, share < 1 ? share : undefined),
  loaded: showScene,
  frame: showFrame,
  failed: (message) => {
    inspector.info = info;
    if (source) gallery.mark(source.name);
    transport.playing = session.playing;
    notice.failed(message);
  },
  restarted: (message) => {
    remark = message;
    inspector.restarts++;
  },
});

const pointer = new PointerTool({
  canvas,
  camera: camera.camera,
  surfaces: () => view?.surfaces ?? [],
  size: () => inspector.frame?.lanes[0].certificate.bodySize ?? 1,
  grab: (body, point) => {
    element('hint').dataset.done = '';
    session.grab(body, point);
  },
  move: (target) => session.moveGrab(target),
  release: () => session.release(),
  pin: () => session.pin(),
  push: (push) => session.push(push),
});
stage.scene.add(pointer.line, pins);

const panel = new Panel(
  element('panel'),
  {
    change: (settings) => {
      session.set(settings);
      updateAddress();
    },
    rebuild: (settings) => source && session.load(source, settings),
    show: (overlays) => {
      session.want({ strain: overlays.strain, contacts: overlays.contacts });
      view?.show(overlays);
      redraw();
    },
    hold: (body, bone, hold) => session.hold(body, bone, hold),
  },
  narrow,
);

const gallery = new Gallery(element('scenes'), (name) => session.load({ kind: 'scene', name }));

const recorder = new Recorder(canvas, {
  changed: (recording) => {
    toolbar.recording = recording;
  },
  saved: (name) => notice.remark(`Saved ${name}.`),
  failed: (message) => notice.failed(message),
});

const toolbar = new Toolbar({
  choose: (tool) => {
    pointer.tool = tool;
  },
  unpin: () => session.unpin(),
  share,
  record: () => recorder.toggle(info?.name ?? 'tendon'),
});

new Drop({ open: (dropped) => session.load(dropped), refuse: (message) => notice.failed(message) });

const transport = new Transport({
  toggle: () => setPlaying(!session.playing),
  step: () => {
    session.stepOnce();
    transport.playing = false;
  },
  reset,
  setSpeed: (speed) => {
    session.speed = speed;
  },
  keys: {
    g: () => panel.toggleGravity(),
    b: () => panel.toggleOverlay('bones'),
    j: () => panel.toggleOverlay('joints'),
    m: () => panel.toggleOverlay('tets'),
    c: () => panel.toggleOverlay('contacts'),
    d: () => panel.toggleOverlay('strain'),
    p: () => pointer.pin(),
    u: () => session.unpin(),
  },
});
transport.playing = true;

inspector.publish(
  (body) => view?.surfaces[body]?.geometry.getAttribute('position').array ?? [],
  (point) => {
    const { x, y } = new Vector3(...point).project(camera.camera);
    return [((x + 1) / 2) * canvas.clientWidth, ((1 - y) / 2) * canvas.clientHeight];
  },
  (place) => {
    if (place) camera.place = place;
    return camera.place;
  },
);

addEventListener('hashchange', () => openAddress());
canvas.addEventListener('webglcontextrestored', redraw);
new ResizeObserver(() => {
  camera.resize(stage.resize());
  redraw();
}).observe(canvas);
camera.controls.addEventListener('change', redraw);
stage.onThemeChange = redraw;
requestAnimationFrame(tick);

let before = performance.now();

function tick(now: number): void {
  requestAnimationFrame(tick);
  session.tick(now);
  const seconds = Math.min(0.1, Math.max(0, now - before) / 1000);
  before = now;
  if (view && !pointer.active) camera.follow(middle, seconds);
  camera.controls.update();
  if (!stale) return;
  stale = false;
  stage.renderer.render(stage.scene, camera.camera);
  labels.place(camera.camera, canvas.clientWidth, canvas.clientHeight);
}

function showScene(loaded: SceneInfo, from: Source): void {
  if (view) {
    stage.scene.remove(view);
    view.dispose();
  }
  const same = info?.name === loaded.name && source?.kind === from.kind;
  const again = same && info?.lanes.length === loaded.lanes.length;
  info = loaded;
  source = from;
  view = new SceneView(loaded, redraw);
  view.show(panel.overlays);
  view.visible = false;
  stage.scene.add(view);
  stage.prepare(loaded.stage);
  if (!again) camera.frame(loaded.stage);
  jump = true;
  panel.show(loaded, same);
  labels.prepare(loaded);
  plots.prepare(loaded);
  const { camera: place, scene } = readAddress(location.hash);
  if (!again && place && scene === loaded.name) {
    camera.place = place;
    jump = false;
  }
  updateAddress();
  element('scene-description').textContent = loaded.description;
  document.title = `${readable(loaded.name)} – Tendon`;
  if (loaded.notes.length > 0) remark ??= loaded.notes.slice(0, 3).map(readable).join('\n');
  inspector.info = loaded;
  inspector.frames = 0;
  setPlaying(true);
}

function showFrame(frame: Frame): void {
  if (!view || !info) return;
  redraw();
  view.update(frame);
  view.visible = true;
  view.measure(middle);
  if (jump && frame.stepCount <= 4) {
    camera.jumpTo(middle);
    jump = false;
  }
  if (info.stage.free) stage.follow(middle);
  pointer.show(frame.grabbed);
  pins.update(frame.pins, camera.camera);
  toolbar.pins = frame.pins.length / 3 / info.lanes.length;
  certificate.show(frame, info);
  labels.write(frame, info);
  plots.show(frame);
  transport.showTime(frame.time, pace(frame));
  notice.done();
  if (remark !== undefined) notice.remark(remark);
  remark = undefined;
  inspector.frame = frame;
  inspector.frames++;
  inspector.readyMs ??= performance.now();
  if (middle.length() > FARTHEST * frame.lanes[0].certificate.bodySize && !pointer.active) reset();
}

/** Simulated seconds per second of the clock while it runs; undefined while paused. */
function pace(frame: Frame): number | undefined {
  if (!session.playing || !info || frame.stepMs === 0) return undefined;
  return Math.min(session.speed, (1000 * info.dt) / frame.stepMs);
}

function reset(): void {
  pointer.cancel();
  session.reset();
  jump = true;
}

function setPlaying(playing: boolean): void {
  session.playing = playing;
  transport.playing = playing;
}

/** Shows what the address asks for, or else the scene given. */
function openAddress(otherwise?: string): void {
  const { scene, settings } = readAddress(location.hash);
  if (gallery.names.includes(scene)) session.load({ kind: 'scene', name: scene }, settings);
  else if (scene.startsWith(FILE_PREFIX)) openServed(scene.slice(FILE_PREFIX.length));
  else if (otherwise !== undefined) session.load({ kind: 'scene', name: otherwise });
}

/** A file that `tendon view FILE` serves beside the page. */
async function openServed(name: string): Promise<void> {
  notice.busy(`Fetching ${name} …`);
  try {
    const response = await fetch(`./file/${encodeURIComponent(name)}`);
    if (!response.ok) throw new Error(`the server answers ${response.status}`);
    session.load(filesSource([{ name, bytes: new Uint8Array(await response.arrayBuffer()) }]));
  } catch (error) {
    notice.failed(`${name} cannot be fetched: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Keeps the address fit to be copied. */
function updateAddress(): void {
  if (!info || source?.kind !== 'scene') return;
  const address = writeAddress(info.name, panel.settings, info.usualSettings);
  if (location.hash !== address) history.replaceState(null, '', address);
}

async function share(): Promise<void> {
  if (!info || source?.kind !== 'scene') {
    notice.remark('A link can hold a scene of the gallery, not a file of yours.');
    return;
  }
  const place = camera.moved ? camera.place : undefined;
  const hash = writeAddress(info.name, panel.settings, info.usualSettings, place);
  history.replaceState(null, '', hash);
  if (await copyText(location.href)) notice.remark('The link to this scene, its settings and this view is copied.');
  else notice.offer('Copy this link:', location.href);
}
