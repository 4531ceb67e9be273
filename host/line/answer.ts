/** A promise that somebody else keeps: the picture that was asked for. */

/** What is waited for, and how it ends. */
export interface Answer {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: Error): void;
}

/** One that nobody has given yet. Whoever asks need not wait for it: that it fails is no error of its own. */
export function openAnswer(): Answer {
  let resolve = (): void => {};
  let reject = (_error: Error): void => {};
  const promise = new Promise<void>((good, bad) => {
    resolve = good;
    reject = bad;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
