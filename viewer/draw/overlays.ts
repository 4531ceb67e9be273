/** What can be shown on top of, or instead of, the flesh. */
export interface Overlays {
  readonly tets: boolean;
  /** The mesh inside, cut open, instead of the skin. */
  readonly cut: boolean;
  readonly bones: boolean;
  readonly joints: boolean;
  readonly contacts: boolean;
  readonly strain: boolean;
  /** How hard muscles work, as colour. */
  readonly activation: boolean;
}

export const NO_OVERLAYS: Overlays = {
  tets: false,
  cut: false,
  bones: false,
  joints: false,
  contacts: false,
  strain: false,
  activation: false,
};
