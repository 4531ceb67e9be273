/** The page: puts its parts together and runs them, once per animation frame. */

import { Picture } from '../draw/picture.js';
import { CertificateView } from '../panel/certificate-view.js';
import { Gallery, readable } from '../panel/gallery.js';
import { toggleHelp } from '../panel/help.js';
import { connectMenu } from '../panel/menu.js';
import { Notice } from '../panel/notice.js';
import { Panel } from '../panel/panel.js';
import { Plots } from '../panel/plots.js';
import { Toolbar } from '../panel/toolbar.js';
import { element, Transport } from '../panel/transport.js';
import type { LearningNews } from '../worker/learn/learner.js';
import type { Source } from '../worker/protocol.js';
import type { Frame, SceneInfo } from '../worker/scene-info.js';
import { readAddress } from './address.js';
import { Drop } from './drop.js';
import { Inspector } from './inspect.js';
import { Links } from './links.js';
import { MotionRecorder } from './motion-recorder.js';
import { PointerTool } from './pointer-tool.js';
import { Recorder } from './recorder.js';
import { Session } from './session.js';

const canvas = element<HTMLCanvasElement>('canvas');
const narrow = matchMedia('(max-width: 960px)').matches;
/** A body that fell or drifted this many of its sizes away starts again. */
const FARTHEST = 25;

const notice = new Notice();
const picture = new Picture(canvas);
const { camera } = picture;
const inspector = new Inspector();
const certificate = new CertificateView(
  element('certificate'),
  element('verdict'),
  element('figures'),
  element('times'),
);
const plots = new Plots(element('plots'));
let info: SceneInfo | undefined;
let source: Source | undefined;
/** Said once the next picture is there. */
let remark: string | undefined;

const certificateCard = element<HTMLDetailsElement>('certificate');
const plotFold = element<HTMLDetailsElement>('plot-fold');
certificateCard.open = !narrow;
plotFold.open = !narrow && innerHeight > 940;

const session = new Session({
  scenes: (scenes) => {
    // Every new worker says this; only the first one is asked for what the address wants.
    const first = gallery.names.length === 0;
    gallery.fill(scenes);
    if (first) links.open(scenes[0].name);
  },
  loading: (next) => {
    pointer.cancel();
    inspector.info = undefined;
    motionRecorder.drop();
    gallery.mark(next.name);
    remark = undefined;
    notice.busy(`Building ${readable(next.name)} …`);
  },
  progress: (stageName, share) => notice.busy(`${readable(stageName)} …`, share < 1 ? share : undefined),
  loaded: showScene,
  frame: showFrame,
  recorded: (recording) => info && motionRecorder.save(recording, info),
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
  surfaces: () => picture.surfaces,
  size: () => inspector.frame?.lanes[0].certificate.bodySize ?? 1,
  grab: (body, point) => {
    element('hint').dataset.done = '';
    session.act({ kind: 'grab', body, point });
  },
  move: (target) => session.act({ kind: 'move', target }),
  release: () => session.act({ kind: 'release' }),
  pin: () => session.act({ kind: 'pin' }),
  push: (push) => session.act({ kind: 'push', push }),
});
picture.add(pointer.line);

const panel = new Panel(
  element('panel'),
  {
    change: (settings) => {
      session.set(settings);
      links.update();
    },
    rebuild: (settings) => source && session.load(source, settings),
    show: (overlays) => {
      want();
      picture.overlay(overlays);
    },
    play: (clip) => {
      session.act({ kind: 'play', clip });
      if (clip !== undefined) picture.jump();
    },
    morph: (morph, value) => session.act({ kind: 'morph', body: 0, morph, value }),
    hold: (body, bone, hold) => session.act({ kind: 'hold', body, bone, hold }),
  },
  narrow,
);

connectMenu();
const gallery = new Gallery(element('scenes'), (name) => session.load({ kind: 'scene', name }));

const links = new Links({
  shown: () => info && source && { info, source, settings: panel.settings },
  view: () => (camera.moved ? camera.place : undefined),
  isScene: (name) => gallery.names.includes(name),
  load: (next, settings) => session.load(next, settings),
  notice,
});

const recorder = new Recorder(canvas, {
  changed: (recording) => {
    toolbar.recording = recording;
  },
  saved: (name) => notice.remark(`Saved ${name}.`),
  failed: (message) => notice.failed(message),
});

const motionRecorder = new MotionRecorder({
  record: (on) => session.record(on),
  ending: () => panel.takeEnding,
  drawing: (share) => notice.busy('Drawing the pictures …', share),
  obstacles: () => picture.drawnObstacles,
  changed: (recording) => {
    toolbar.recordingMotion = recording;
  },
  saved: (name) => notice.remark(`Saved ${name}.`),
  failed: (message) => notice.failed(message),
});

const toolbar = new Toolbar({
  choose: (tool) => {
    pointer.tool = tool;
  },
  unpin: () => session.act({ kind: 'unpin' }),
  share: () => links.share(),
  record: () => recorder.toggle(info?.name ?? 'tendon'),
  recordMotion: () => motionRecorder.toggle(),
});

new Drop({
  // of the settings only the quality is about models in general
  open: (dropped) => session.load(dropped, { quality: panel.settings.quality }),
  refuse: (message) => notice.failed(message),
});

const transport = new Transport({
  toggle: () => setPlaying(!session.playing),
  step: () => take(1),
  reset,
  setSpeed: (speed) => {
    session.speed = speed;
  },
  keys: {
    g: () => panel.toggleGravity(),
    b: () => panel.toggleOverlay('bones'),
    j: () => panel.toggleOverlay('joints'),
    m: () => panel.toggleOverlay('tets'),
    x: () => panel.toggleOverlay('cut'),
    c: () => panel.toggleOverlay('contacts'),
    d: () => panel.toggleOverlay('strain'),
    a: () => panel.toggleOverlay('activation'),
    p: () => pointer.pin(),
    u: () => session.act({ kind: 'unpin' }),
    '?': toggleHelp,
    escape: () => notice.dismiss(),
  },
});
transport.playing = true;

inspector.publish({
  get settled() {
    return session.settled && picture.drawn;
  },
  get still() {
    return picture.still;
  },
  get heading() {
    return camera.heading;
  },
  take,
  positions: (body) => picture.surfaces[body]?.geometry.getAttribute('position').array ?? [],
  bones: (body = 0) => picture.poses(body),
  ghosts: (body = 0) => picture.ghosts(body),
  toScreen: (point) => picture.toScreen(point),
  camera: (place) => {
    if (place) camera.place = place;
    return camera.place;
  },
});

for (const fold of [certificateCard, plotFold]) fold.addEventListener('toggle', want);
addEventListener('hashchange', () => links.open());
requestAnimationFrame(tick);

function tick(now: number): void {
  requestAnimationFrame(tick);
  session.tick(now);
  // Of many single steps asked for at once only the last is looked at.
  if (!session.behind) picture.tick(now, !pointer.active);
  if (inspector.frames > 0 && picture.drawn) inspector.readyMs ??= performance.now();
}

function showScene(loaded: SceneInfo, from: Source): void {
  const same = info?.name === loaded.name && source?.kind === from.kind;
  const { camera: place, scene } = readAddress(location.hash);
  const again = same && info?.lanes.length === loaded.lanes.length;
  info = loaded;
  source = from;
  picture.prepare(loaded, panel.overlays, again, scene === loaded.name ? place : undefined);
  panel.show(loaded, same);
  plots.prepare(loaded);
  links.update();
  element('scene-description').textContent = loaded.description;
  // a longer description leaves less room for the list
  gallery.mark(loaded.name);
  document.title = `${readable(loaded.name)} – Tendon`;
  if (loaded.notes.length > 0) remark ??= loaded.notes.slice(0, 3).map(readable).join('\n');
  inspector.info = loaded;
  inspector.frames = 0;
  setPlaying(true);
}

function showFrame(frame: Frame): void {
  if (!info) return;
  picture.show(frame);
  pointer.show(frame.grabbed);
  toolbar.pins = frame.pins.length / 3 / info.lanes.length;
  certificate.show(frame, info, session.playing);
  plots.show(frame);
  motionRecorder.follow(frame);
  transport.showTime(frame.time, pace(frame));
  if (!motionRecorder.isDrawing && !frame.learning) notice.done();
  if (remark !== undefined) notice.remark(remark);
  remark = undefined;
  inspector.frame = frame;
  inspector.frames++;
  if (picture.middle.length() > FARTHEST * frame.lanes[0].certificate.bodySize && !pointer.active) reset();
  if (frame.learning) showLearning(frame.learning);
}

/** A lesson goes on, or is over: the world is then built with what was learned. */
function showLearning(news: LearningNews): void {
  const cost = news.costs.at(-1);
  const left = cost === undefined ? '' : `, ${cost.toPrecision(2)} left to the goal`;
  notice.busy(`Learning: rollout ${news.rollouts}${left}`);
  panel.learn(news);
  if (news.done) remark = `Learned in ${news.rollouts} rollouts${left}.`;
}

/** Simulated seconds per second of the clock while it runs; undefined while paused. */
function pace(frame: Frame): number | undefined {
  if (!session.playing || !info || frame.stepMs === 0) return undefined;
  return Math.min(session.speed, (1000 * info.dt) / frame.stepMs);
}

/** Tells the worker which numbers are looked at. */
function want(): void {
  const { strain, activation, contacts, cut } = panel.overlays;
  session.want({ strain, activation, contacts, cut, energy: plotFold.open && certificateCard.open });
}

function reset(): void {
  pointer.cancel();
  session.act({ kind: 'reset' });
  picture.jump();
}

function take(steps: number): void {
  session.take(steps);
  transport.playing = false;
}

function setPlaying(playing: boolean): void {
  session.playing = playing;
  transport.playing = playing;
}
