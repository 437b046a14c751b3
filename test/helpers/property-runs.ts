/**
 * How many random cases of a property are tried: all that it is worth by `npm run test:faults`, a quarter of them, each
 * time others, by `npm test`.
 */
export function propertyRuns(all: number): number {
  return process.env['PROPERTY_RUNS'] === 'all' ? all : Math.ceil(all / 4);
}
