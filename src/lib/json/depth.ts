/** Whether the lists and objects of a JSON value are at most so deep in each other; a text alone is 0 deep. */
export function isWithinDepth(json: unknown, most: number): boolean {
  let level: unknown[] = [json];
  for (let depth = 0; level.length > 0; depth += 1) {
    level = level.filter((value) => typeof value === 'object' && value !== null);
    if (level.length > 0 && depth >= most) return false;
    level = level.flatMap((value) => Object.values(value as object));
  }
  return true;
}
