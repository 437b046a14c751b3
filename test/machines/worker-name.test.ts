import { expect, it } from 'vitest';
import { sha256 } from '../../src/lib/digest.ts';
import { calledAs, machineOf, workerName } from '../../src/machines/worker-name.ts';

const nameOn = (machine: string, start = 'c04d11') =>
  workerName('build-1', { machine: sha256(machine, 'hex'), start });

it('tells ten thousand machines apart, whose workers are called the same', () => {
  const machines = Array.from({ length: 10_000 }, (_, n) => machineOf(nameOn(`machine ${n}`)));
  expect(new Set(machines).size).toBe(10_000);
});

it('is of one machine also once it was started anew, and told apart by its start', () => {
  const [one, other] = [nameOn('one'), nameOn('one', 'ab0000')];
  expect(one).not.toBe(other);
  expect(machineOf(one)).toBe(machineOf(other));
  expect(calledAs(one)).toBe('build-1');
});

it('of before says by four digits on which machine it was', () => {
  expect(machineOf('build-1/3f9ac04d11')).toBe('3f9a');
  expect(machineOf('build-1/3f9a')).toBe('build-1');
});
