/** How much of a narrow window the cards over the picture cover, so that the camera can show the bodies between them. */
import { element } from './transport.js';

/** Shares of the window's height that are covered at the top and at the bottom. */
export interface CoveredEdges {
  readonly top: number;
  readonly bottom: number;
}

/** Height of the folded certificate and of the hint above it [px]; unfolded they may cover the picture. */
const FOLDED = 64;
/** However small the window is, this share of it is for the picture. */
const LEAST_FREE = 0.3;

/** What is covered now; undefined in wide windows, where cards are at the sides. */
export function coveredEdges(): CoveredEdges | undefined {
  if (!matchMedia('(max-width: 960px)').matches) return undefined;
  const menu = element('menu').getBoundingClientRect();
  const short = menu.height > 0;
  const above = short ? menu.bottom : element('actions').getBoundingClientRect().bottom;
  const below = short
    ? element('transport').getBoundingClientRect().top
    : element('right').getBoundingClientRect().bottom - FOLDED;
  if (!(below - above > LEAST_FREE * innerHeight)) return { top: (1 - LEAST_FREE) / 2, bottom: (1 - LEAST_FREE) / 2 };
  return { top: above / innerHeight, bottom: 1 - below / innerHeight };
}
