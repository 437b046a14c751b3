/** Hexadecimal digits behind the name of a worker: those of its machine, of which a million are told apart, and those of its start. */
const MACHINE_LENGTH = 12;
const START_LENGTH = 6;
/** Workers of before had four of their machine. */
const OLD_MACHINE_LENGTH = 4;
const WITH_MACHINE = new RegExp(
  `/([\\da-f]{${MACHINE_LENGTH}}|[\\da-f]{${OLD_MACHINE_LENGTH}})[\\da-f]{${START_LENGTH}}$`,
);

/**
 * How the log names a worker: `build-1/3f9a2c07be51c04d11`. Two that are called the same are told apart, by their machine, and each start of one by
 * the rest.
 *
 * @param digits - Hexadecimal, of what is of this machine alone, and of this start.
 */
export function workerName(
  name: string,
  digits: { readonly machine: string; readonly start: string },
): string {
  return `${name}/${digits.machine.slice(0, MACHINE_LENGTH)}${digits.start.slice(0, START_LENGTH)}`;
}

/** What is the same of all workers of one machine, whatever they are called: `3f9a2c07be51`. Those of before are told by the name alone. */
export function machineOf(worker: string): string {
  return WITH_MACHINE.exec(worker)?.[1] ?? calledAs(worker);
}

/** What is the same of one each time it is started: what it is called, and its machine. Two of one machine have folders of their own. */
export function placeOf(worker: string): string {
  return `${calledAs(worker)}/${machineOf(worker)}`;
}

/** What whoever started it calls it. */
export function calledAs(worker: string): string {
  return worker.replace(/\/[^/]*$/, '');
}
