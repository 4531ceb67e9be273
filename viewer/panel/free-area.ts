/** How much of the window the cards over the picture cover, so that the camera can show the bodies between them. */
import { element } from './transport.js';

/** Shares of the window's height that are covered at the top and at the bottom, and of its width at the sides. */
export interface CoveredEdges {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** What a wide window keeps free over the bodies, and under them for the buttons and the hint. */
const [ABOVE, BELOW] = [0.047, 0.167];

/** Height of the folded certificate and of the hint above it [px]; unfolded they may cover the picture. */
const FOLDED = 64;
/** However small the window is, this share of it is for the picture. */
const LEAST_FREE = 0.3;

/** What is covered now: in wide windows by the columns at the sides, in narrow ones from above and below. */
export function coveredEdges(): CoveredEdges {
  if (matchMedia('(max-width: 960px)').matches) return { ...coveredEnds(), left: 0, right: 0 };
  const left = element('side').getBoundingClientRect().right / innerWidth;
  const right = 1 - element('right').getBoundingClientRect().left / innerWidth;
  return { top: ABOVE, bottom: BELOW, left, right };
}

function coveredEnds(): Pick<CoveredEdges, 'top' | 'bottom'> {
  const menu = element('menu').getBoundingClientRect();
  const short = menu.height > 0;
  const above = short ? menu.bottom : element('actions').getBoundingClientRect().bottom;
  const below = short
    ? element('transport').getBoundingClientRect().top
    : element('right').getBoundingClientRect().bottom - FOLDED;
  if (!(below - above > LEAST_FREE * innerHeight)) return { top: (1 - LEAST_FREE) / 2, bottom: (1 - LEAST_FREE) / 2 };
  return { top: above / innerHeight, bottom: 1 - below / innerHeight };
}
