/** The worker's end: hands commands to the simulation in the order they come, and sends pictures back. */
import { packError } from './error-data.js';
import type { Answer, Command } from './protocol.js';
import { SimulationCore } from './simulation-core.js';

/** The part of a worker's global scope that is used here; the page's types know another `self`. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<Command>) => void) | null;
  postMessage(answer: Answer, transfer?: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope;
let core: SimulationCore | undefined;
let shared: Float32Array | undefined;
// A character takes a while to build; what arrives meanwhile waits its turn.
let queue: Promise<void> = Promise.resolve();

scope.onmessage = ({ data }) => {
  queue = queue
    .then(() => obey(data))
    .catch((error: unknown) => scope.postMessage({ kind: 'failed', during: data.kind, error: packError(error) }));
};

async function obey(command: Command): Promise<void> {
  if (command.kind === 'load') {
    core?.dispose();
    core = undefined;
    core = await SimulationCore.create(command.spec, (stage, share) => {
      scope.postMessage({ kind: 'progress', stage, share });
    });
    scope.postMessage({ kind: 'loaded', info: core.info });
    return;
  }
  if (!core) return;
  switch (command.kind) {
    case 'share':
      shared = command.numbers;
      break;
    case 'act':
      core.act(command.action);
      break;
    case 'advance': {
      const numbers = shared ?? command.numbers ?? new Float32Array(core.layout.length);
      const news = core.advance(command.steps, command.phase, numbers);
      if (shared) scope.postMessage({ kind: 'frame', news });
      else scope.postMessage({ kind: 'frame', news, numbers }, [numbers.buffer as ArrayBuffer]);
      break;
    }
    case 'hash':
      scope.postMessage({ kind: 'hash', hash: core.hash() });
      break;
  }
}
