/** The worker's end: hands commands to the simulation in the order they come, and sends pictures back. */
import { packError } from './error-data.js';
import type { AnyNews, Command, Hosted, Answer as LineAnswer, Progress } from './protocol.js';

/** Silence after which a worker that is busy says so [ms]; far less than what it is taken for dead after. */
const SILENCE = 500;

/** The part of a worker's global scope that is used here; the page's types know another `self`. */
interface WorkerScope<Spec, Action, Info, News> {
  onmessage: ((event: MessageEvent<Command<Spec, Action>>) => void) | null;
  postMessage(answer: LineAnswer<Info, News>, transfer?: Transferable[]): void;
}

/** Serves the page. `create` builds what was asked for; one that fails leaves the simulation before it running. */
export function serveSimulation<Spec, Info, Action, News extends AnyNews>(
  create: (spec: Spec, progress: Progress) => Promise<Hosted<Info, Action, News>>,
  answerAlways: (question: string) => unknown = () => undefined,
): void {
  const scope = globalThis as unknown as WorkerScope<Spec, Action, Info, News>;
  let hosted: Hosted<Info, Action, News> | undefined;
  let shared: Float32Array | undefined;
  // a character takes a while to build; what arrives meanwhile waits its turn
  let queue: Promise<void> = Promise.resolve();

  async function obey(command: Command<Spec, Action>): Promise<void> {
    switch (command.kind) {
      case 'load': {
        const next = await create(command.spec, (stage, share) =>
          scope.postMessage({ kind: 'progress', stage, share }),
        );
        hosted?.dispose();
        hosted = next;
        shared = undefined;
        scope.postMessage({ kind: 'loaded', info: hosted.info, length: hosted.length });
        break;
      }
      case 'share':
        shared = command.numbers;
        break;
      case 'act':
        hosted?.act(command.action);
        break;
      case 'advance': {
        if (!hosted) return;
        const given = shared ?? command.numbers;
        const numbers = given?.length === hosted.length ? given : new Float32Array(hosted.length);
        const news = hosted.advance(command.steps, command.phase, numbers, sayAlive(scope));
        if (numbers === shared) scope.postMessage({ kind: 'frame', news });
        else scope.postMessage({ kind: 'frame', news, numbers }, [numbers.buffer as ArrayBuffer]);
        break;
      }
      case 'ask': {
        const answer = answerAlways(command.question) ?? hosted?.answer(command.question);
        scope.postMessage({ kind: 'answer', answer });
        break;
      }
    }
  }

  scope.onmessage = ({ data }) => {
    queue = queue
      .then(() => obey(data))
      .catch((error: unknown) => scope.postMessage({ kind: 'failed', during: data.kind, error: packError(error) }));
  };
}

/** Tells the page that steps go on, where they take long. */
function sayAlive(scope: { postMessage(answer: { readonly kind: 'alive' }): void }): () => void {
  let said = performance.now();
  return () => {
    if (performance.now() - said < SILENCE) return;
    scope.postMessage({ kind: 'alive' });
    said = performance.now();
  };
}
