const UNITS_MS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
};

/** `retry after 1h2m3.5s`, `will reset in 45m`. */
const DELAY = /(?:retry|resets?) (?:after|in) ((?:\d+(?:\.\d+)?(?:ms|[dhms])\s*)+)/i;

/** The delay that a message about a limit tells, in ms. `undefined`: it tells none. */
export function delayIn(message: string): number | undefined {
  const [, text] = DELAY.exec(message) ?? [];
  if (text === undefined) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/gi)];
  return Math.ceil(
    parts.reduce(
      (sum, [, number = '0', unit = '']) => sum + Number(number) * (UNITS_MS[unit.toLowerCase()] ?? 0),
      0,
    ),
  );
}
