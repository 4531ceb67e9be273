/** Stages of the layered step that reports time. */
export const LAYERED_STAGES: readonly string[] = ['free', 'detection', 'contact', 'finish'];
