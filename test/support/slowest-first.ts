/** The order of the test files: the longest first, so that no core is idle at the end while another is at a long one. */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest, longest first; what is not named here comes after it. */
const SLOWEST = [
  'browser/viewer-scenes',
  'scenes/determinism',
  'scenes/matrix',
  'browser/viewer-tools',
  'physics/contact/contact-rest',
  'scenes/contact-scenes',
  'physics/coupled/coupled-proofs',
  'scenes/characters',
  'browser/viewer-motion',
  'browser/three-packed',
  'browser/viewer-files',
  'physics/contact/contact-mass-ratio',
  'cli/cli',
  'physics/contact/contact-incline',
  'physics/contact/contact',
  'physics/coupled/coupled-world',
  'fuzz/readers',
  'cli/bake',
  'browser/viewer-matrix',
  'browser/react',
  'browser/three-obstacles',
  'browser/viewer-robust',
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
