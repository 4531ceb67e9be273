/** The page's worker. */
import { serveSimulation } from '../../host/line/worker-loop.js';
import { SCENES } from '../../scenes/index.js';
import type { SceneTitle } from './scene-info.js';
import { Simulation } from './simulation.js';

serveSimulation(Simulation.create, (question) => {
  return question === 'scenes'
    ? [...SCENES].map(([name, { description }]): SceneTitle => ({ name, description }))
    : undefined;
});
