import { expect, it } from 'vitest';
import { letMonkeyPlay } from '../helpers/screen-monkey.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
const first = Number(process.env['SEED'] ?? 2);
const keys = Number(process.env['KEYS'] ?? 400);
const isTwice = process.env['TWICE'] === '1';
it.each(Array.from({ length: Number(process.env['SEEDS'] ?? 1) }, (_, at) => first + at))('seed %i', async (seed) => {
  const steps = async () => {
    const { project, stream } = await projectWithSprint({ tasks: ['parser', 'docs', 'schema'] });
    const t = performance.now();
    const trip = await letMonkeyPlay(project, { stream, seed, keys });
    console.log(seed, trip.keys, Math.round(performance.now() - t), JSON.stringify(Object.fromEntries(trip.decided)));
    return trip.steps;
  };
  const one = await steps();
  if (isTwice) { const two = await steps(); const i = one.findIndex((x, n) => x !== two[n]); console.log('DIFF', i); if (i >= 0) console.log(one.slice(i - 5, i + 2).map(x=>x.slice(0,80)), two.slice(i, i + 2)); expect(i).toBe(-1); }
}, 1200000);
