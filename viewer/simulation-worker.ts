/** The worker's end: hands commands to the simulation and frames to the page, in the order they come. */
import { SCENES } from '../scenes/index.js';
import { type Answer, type Command, NOTHING_WANTED, type Wanted } from './protocol.js';
import { Simulation } from './simulation.js';

/** The part of a worker's global scope that is used here; the page's types know another `self`. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<Command>) => void) | null;
  postMessage(answer: Answer, transfer?: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope;
let simulation: Simulation | undefined;
let load = 0;
let wanted: Wanted = NOTHING_WANTED;
// A scene takes a while to build; what arrives meanwhile waits its turn.
let queue: Promise<void> = Promise.resolve();

scope.onmessage = ({ data }) => {
  queue = queue.then(() => obey(data)).catch((error: unknown) => fail(error));
};

scope.postMessage({
  kind: 'scenes',
  scenes: [...SCENES].map(([name, { description }]) => ({ name, description })),
});

async function obey(command: Command): Promise<void> {
  switch (command.kind) {
    case 'load': {
      load = command.load;
      const next = await Simulation.create(command.source, command.settings, (stage, share) => {
        scope.postMessage({ kind: 'progress', load: command.load, stage, share });
      });
      simulation?.dispose();
      simulation = next;
      simulation.wanted = wanted;
      scope.postMessage({ kind: 'loaded', load, info: simulation.info });
      break;
    }
    case 'advance': {
      if (!simulation) return;
      const frame = simulation.advance(command);
      scope.postMessage({ kind: 'frame', load, frame }, [frame.buffer.buffer]);
      break;
    }
    case 'record': {
      if (!simulation) return;
      const recording = simulation.record(command.on);
      const states = recording?.states.map(({ buffer }) => buffer);
      if (recording) scope.postMessage({ kind: 'recording', load, recording }, states);
      break;
    }
    case 'want':
      wanted = command.wanted;
      if (simulation) simulation.wanted = wanted;
      break;
    case 'set':
      simulation?.set(command.settings);
      break;
    case 'reset':
      simulation?.reset();
      break;
    case 'grab':
      simulation?.handling.grab(command.body, command.point);
      break;
    case 'move':
      simulation?.handling.move(command.target);
      break;
    case 'release':
      simulation?.handling.release();
      break;
    case 'pin':
      simulation?.handling.pin();
      break;
    case 'unpin':
      simulation?.handling.unpin();
      break;
    case 'push':
      simulation?.handling.push(command.push);
      break;
    case 'play':
      simulation?.play(command.clip);
      break;
    case 'hold':
      simulation?.handling.hold(command.body, command.bone, command.hold);
      break;
  }
}

function fail(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  scope.postMessage({ kind: 'failed', load, message, running: simulation !== undefined });
}
