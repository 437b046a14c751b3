import { closestMatch } from 'leven';

/** The known name that an unknown one may mean. `undefined`: none is near. */
export function nearestOf(name: string, known: readonly string[]): string | undefined {
  return closestMatch(name, known, {
    maxDistance: Math.min(Math.ceil(name.length / 3), name.length - 1),
  });
}

/** The end of a message about an unknown name: `; did you mean "args"?`, or nothing when no known one is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  return meant(nearestOf(name, known));
}

/** The same of what was found near. */
export function meant(near: string | undefined): string {
  return near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`;
}

/** What there is in place of an unknown name: `the known ones are args, env; did you mean "args"?`. At least one is known. */
export function knownOnes(name: string, known: readonly string[]): string {
  return `the known ones are ${known.join(', ')}${didYouMean(name, known)}`;
}
