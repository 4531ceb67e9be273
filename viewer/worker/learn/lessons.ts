/** Scenes that can be learned in the page. */
import { buildReachingScene, LEARNED, reachingTask } from '../../../scenes/active/reaching.js';
import type { BodyDef, ControlDef, ControlGoal, SceneDef } from '../../../src/index.js';
import { ANEW, readLearned } from './learned-setting.js';

/** What can be learned in a scene. */
export interface Lesson {
  /** How many numbers are learned. */
  readonly size: number;
  /** The scene with these numbers, none of them where nothing has been learned yet. */
  readonly build: (values: readonly number[]) => SceneDef;
  readonly task: (body: BodyDef) => {
    readonly controls: readonly ControlDef[];
    readonly goal: ControlGoal;
    readonly start: readonly number[];
  };
}

const LESSONS: ReadonlyMap<string, Lesson> = new Map([
  ['reaching', { size: LEARNED.length, build: (values) => buildReachingScene({ values }), task: reachingTask }],
]);

/** The lesson of a scene, where it has one. */
export function lessonOf(scene: string): Lesson | undefined {
  return LESSONS.get(scene);
}

/** The scene as it is before the lesson, or after it; undefined where it plays what it came with, or the numbers are not those of its lesson. */
export function buildLearned(scene: string, learned: string): SceneDef | undefined {
  const lesson = lessonOf(scene);
  if (learned === ANEW) return lesson?.build([]);
  const values = readLearned(learned);
  return lesson && values.length === lesson.size ? lesson.build(values) : undefined;
}
