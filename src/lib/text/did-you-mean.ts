import { closestMatch } from 'leven';

/** The end of a message about an unknown name: `; did you mean "args"?`, or nothing when no known one is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = closestMatch(name, known, {
    maxDistance: Math.min(Math.ceil(name.length / 3), name.length - 1),
  });
  return near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`;
}
