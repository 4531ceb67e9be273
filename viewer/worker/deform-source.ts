/** A model that somebody dropped on the page as a lattice that follows its bones: what `tendon deform` does, live. */
import { latticeOfCharacter } from '../../src/character/build/kinds/lattice-of.js';
import { latticeScene } from '../../src/character/load-character.js';
import type { BuiltSource } from './load-source.js';

/** As many cells as take about half a frame of 60 a second. */
const CELLS = 5000;

/** The same source as a lattice at rest; its clips move the bones. What has no bones stays as it is. */
export function deformSource(built: BuiltSource): BuiltSource {
  const { character } = built;
  if (character === undefined || character.skeleton.length === 0) return built;
  const lattice = latticeOfCharacter(character, { cells: CELLS });
  const scene = latticeScene(lattice);
  return {
    ...built,
    def: { ...scene, solver: { kind: 'lattice', mode: 'quasistatic', weight: false, selfContact: true } },
    skins: [{ skin: character.skin, embedding: lattice.embedding }],
    notes: [...built.notes, `deformed by a lattice of ${lattice.body.cells.length / 3} cells`],
  };
}
