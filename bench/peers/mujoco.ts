/** MuJoCo (Apache-2.0): joints in reduced coordinates, soft contacts; with its usual integrator and with Runge-Kutta. */
import { ARM, type ArmRun, busyMs, type Foreign, G, type Peer, PILE, type PileRun, pileCentres } from './peer.js';

/** MuJoCo, from its module. */
export async function mujocoPeers(module: Foreign): Promise<Peer[]> {
  const mujoco = await module.default();
  return ['Euler', 'RK4'].map((integrator) => ({
    name: `MuJoCo, ${integrator}`,
    arm: (h) => arm(mujoco, h, integrator),
    pile: (h) => pile(mujoco, h, integrator),
  }));
}

const option = (h: number, integrator: string): string =>
  `<option timestep="${h}" gravity="0 ${-G} 0" integrator="${integrator}"/>`;

function run(mujoco: Foreign, xml: string, steps: number): { data: Foreign; ms: number; free: () => void } {
  const model = mujoco.MjModel.from_xml_string(xml);
  const data = new mujoco.MjData(model);
  const began = busyMs();
  for (let n = 0; n < steps; n++) mujoco.mj_step(model, data);
  const ms = busyMs() - began;
  const free = (): void => {
    data.delete();
    model.delete();
  };
  return { data, ms, free };
}

async function arm(mujoco: Foreign, h: number, integrator: string): Promise<ArmRun> {
  const sides = `${ARM.length / 2} ${ARM.thick / 2} ${ARM.thick / 2}`;
  const bar = `<joint type="hinge" axis="0 0 1"/><geom type="box" size="${sides}" pos="0.5 0 0" density="${ARM.density}" contype="0" conaffinity="0"/>`;
  const bodies = `<body>${bar}<body pos="${ARM.length} 0 0">${bar}</body></body>`;
  const xml = `<mujoco>${option(h, integrator)}<worldbody>${bodies}</worldbody></mujoco>`;
  const { data, ms, free } = run(mujoco, xml, Math.round(ARM.seconds / h));
  const [first, second] = data.qpos;
  const elbow: [number, number] = [ARM.length * Math.cos(first), ARM.length * Math.sin(first)];
  const turn = first + second;
  const tip: [number, number] = [elbow[0] + ARM.length * Math.cos(turn), elbow[1] + ARM.length * Math.sin(turn)];
  free();
  // reduced coordinates have no gap
  return { elbow, elbowBelow: elbow, tip, ms };
}

async function pile(mujoco: Foreign, h: number, integrator: string): Promise<PileRun> {
  const half = PILE.side / 2;
  const friction = `friction="${PILE.friction} 0.005 0.0001"`;
  const cubes = pileCentres().map(
    (centre) =>
      `<body pos="${centre.join(' ')}"><freejoint/><geom type="box" size="${half} ${half} ${half}" density="${PILE.density}" ${friction}/></body>`,
  );
  // the plane's normal is its z axis
  const floor = `<geom type="plane" size="20 20 1" euler="-90 0 0" ${friction}/>`;
  const xml = `<mujoco>${option(h, integrator)}<worldbody>${floor}${cubes.join('')}</worldbody></mujoco>`;
  const { data, ms, free } = run(mujoco, xml, Math.round(PILE.seconds / h));
  const centres = cubes.flatMap((_, i) => [...data.qpos.subarray(7 * i, 7 * i + 3)]);
  free();
  return { centres, ms };
}
