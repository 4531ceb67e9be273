/** The page: puts its parts together and runs them, once per animation frame. */
import { Vector3 } from 'three';
import { readAddress, writeAddress } from './address.js';
import { Camera } from './camera.js';
import { CertificateView } from './certificate-view.js';
import { Gallery, readable } from './gallery.js';
import { GrabTool } from './grab-tool.js';
import { Inspector } from './inspect.js';
import { Panel } from './panel.js';
import { Plots } from './plots.js';
import type { Frame, SceneInfo, Settings } from './protocol.js';
import { SceneView } from './scene-view.js';
import { Session } from './session.js';
import { Stage } from './stage.js';
import { element, Transport } from './transport.js';

const canvas = element<HTMLCanvasElement>('canvas');
const narrow = matchMedia('(max-width: 860px)').matches;
/** A body that fell or drifted this many of its sizes away starts again. */
const FARTHEST = 25;

const stage = new Stage(canvas);
const inspector = new Inspector();
const camera = new Camera(canvas);
const certificate = new CertificateView(element('certificate'), element('verdict'), element('figures'));
const plots = new Plots(element('plots'));
const notice = element('notice');
const middle = new Vector3();
let info: SceneInfo | undefined;
let view: SceneView | undefined;
let jump = false;
/** Something changed since the last picture. */
let stale = true;

element<HTMLDetailsElement>('certificate').open = !narrow;

const session = new Session({
  scenes: (scenes) => {
    // Every new worker says this; only the first one is asked for what the address wants.
    const first = gallery.names.length === 0;
    gallery.fill(scenes);
    if (first) openAddress(scenes[0].name);
  },
  loading: (scene) => {
    grabTool.cancel();
    inspector.info = undefined;
    gallery.mark(scene);
    say(`Building ${readable(scene)} …`);
  },
  loaded: showScene,
  frame: showFrame,
  failed: (message) => say(message, 'failed'),
});

const grabTool = new GrabTool({
  canvas,
  camera: camera.camera,
  surfaces: () => view?.surfaces ?? [],
  grab: (body, point) => {
    element('hint').dataset.done = '';
    session.grab(body, point);
  },
  move: (target) => session.moveGrab(target),
  release: () => session.release(),
});
stage.scene.add(grabTool.marker);

const panel = new Panel(
  element('panel'),
  {
    change: (settings) => {
      session.set(settings);
      updateAddress();
    },
    rebuild: (settings) => info && session.load(info.name, settings),
    showBones: (show) => {
      if (view) view.showBones = show;
      stale = true;
    },
  },
  narrow,
);

const gallery = new Gallery(element('scenes'), choose);

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
  toggleGravity: () => panel.toggleGravity(),
});
transport.playing = true;

inspector.publish(
  (body) => view?.surfaces[body]?.geometry.getAttribute('position').array ?? [],
  (point) => {
    const { x, y } = new Vector3(...point).project(camera.camera);
    return [((x + 1) / 2) * canvas.clientWidth, ((1 - y) / 2) * canvas.clientHeight];
  },
);

addEventListener('hashchange', () => openAddress());
canvas.addEventListener('webglcontextrestored', () => {
  stale = true;
});
new ResizeObserver(() => {
  camera.resize(stage.resize());
  stale = true;
}).observe(canvas);
camera.controls.addEventListener('change', () => {
  stale = true;
});
stage.onThemeChange = () => {
  stale = true;
};
requestAnimationFrame(tick);

let before = performance.now();

function tick(now: number): void {
  requestAnimationFrame(tick);
  session.tick(now);
  const seconds = Math.min(0.1, (now - before) / 1000);
  before = now;
  if (view && !grabTool.active) camera.follow(middle, seconds);
  camera.controls.update();
  if (!stale) return;
  stale = false;
  stage.renderer.render(stage.scene, camera.camera);
}

function showScene(loaded: SceneInfo): void {
  if (view) {
    stage.scene.remove(view);
    view.dispose();
  }
  const again = info?.name === loaded.name;
  info = loaded;
  view = new SceneView(loaded);
  view.showBones = panel.bonesShown;
  view.visible = false;
  stage.scene.add(view);
  stage.prepare(loaded.stage);
  if (!again) camera.frame(loaded.stage);
  jump = true;
  panel.show(loaded.settings);
  updateAddress();
  element('scene-description').textContent = loaded.description;
  document.title = `${readable(loaded.name)} – Tendon`;
  inspector.info = loaded;
  inspector.frames = 0;
  setPlaying(true);
}

function showFrame(frame: Frame): void {
  if (!view || !info) return;
  stale = true;
  view.update(frame.buffer);
  view.visible = true;
  view.measure(middle);
  if (jump && frame.stepCount <= 4) {
    camera.jumpTo(middle);
    jump = false;
  }
  if (info.stage.free) stage.follow(middle);
  grabTool.show(frame.grabbed);
  certificate.show(frame, info);
  plots.show(frame);
  transport.showTime(frame.time, pace(frame));
  notice.hidden ||= notice.dataset.kind !== 'failed';
  inspector.frame = frame;
  inspector.frames++;
  inspector.readyMs ??= performance.now();
  if (middle.length() > FARTHEST * frame.certificate.bodySize && !grabTool.active) reset();
}

/** Simulated seconds per second of the clock while it runs; undefined while paused. */
function pace(frame: Frame): number | undefined {
  if (!session.playing || !info || frame.stepMs === 0) return undefined;
  return Math.min(session.speed, (1000 * info.dt) / frame.stepMs);
}

function reset(): void {
  grabTool.cancel();
  session.reset();
  jump = true;
}

function setPlaying(playing: boolean): void {
  session.playing = playing;
  transport.playing = playing;
}

function choose(name: string, settings: Partial<Settings> = {}): void {
  session.load(name, settings);
}

/** Shows what the address asks for, or else the scene given. */
function openAddress(otherwise?: string): void {
  const { scene, settings } = readAddress(location.hash);
  if (gallery.names.includes(scene)) choose(scene, settings);
  else if (otherwise !== undefined) choose(otherwise);
}

/** Keeps the address fit to be copied. */
function updateAddress(): void {
  if (!info) return;
  const address = writeAddress(info.name, panel.settings, info.usualSettings);
  if (location.hash !== address) history.replaceState(null, '', address);
}

function say(text: string, kind = ''): void {
  notice.textContent = text;
  notice.dataset.kind = kind;
  notice.hidden = false;
}
