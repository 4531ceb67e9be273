/** The order of the test files: the longest first, so that no core is idle at the end while another is at a long one. */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest, longest first; what is not named here comes after it. */
const SLOWEST = [
  'scenes/determinism',
  // first of the pages: it packs dist, into which tests of the documents write for a while
  'browser/three-packed',
  'browser/viewer-scenes',
  'scenes/characters',
  'scenes/contact-scenes',
  'browser/viewer-tools',
  'browser/viewer-motion',
  'scenes/matrix',
  'physics/coupled/coupled-proofs',
  'worlds/cast',
  'physics/contact/contact-rest',
  'physics/contact/contact-mass-ratio',
  'cli/bake',
  'worlds/viewer-simulation',
  'browser/viewer-files',
  'physics/contact/contact-incline',
  'physics/contact/contact',
  'physics/coupled/coupled-world',
  'fuzz/readers',
  'cli/cli',
].map((name) => `test/${name}.test.ts`);

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification): number => {
      const found = SLOWEST.indexOf(relative(project.config.root, moduleId));
      return found < 0 ? SLOWEST.length : found;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
