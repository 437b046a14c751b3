const MINUTE_MS = 60_000;

/** A time that was measured, as exact as it matters: `850 ms`, `4.2 s`, `42 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(measuredMs: number): string {
  if (measuredMs < 999.5) return `${Math.round(measuredMs)} ms`;
  const unitMs = measuredMs < 9_950 ? 100 : 1_000;
  const ms = Math.round(measuredMs / unitMs) * unitMs;
  if (ms < MINUTE_MS) return `${ms / 1_000} s`;
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % MINUTE_MS) / 1_000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A time that somebody waits, with less detail the longer it is, rounded down: `3 s`, `12 min`, `2 h 5 min`, `3 d`. */
export function waitedText(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 1) return `${Math.max(0, Math.floor(ms / 1_000))} s`;
  if (minutes < 60) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours >= 24) return `${Math.floor(hours / 24)} d`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** A time that somebody has set, in the largest unit that says it in full, of two or more: `60 s`, `10 min`, `250 ms`. */
export function spanText(ms: number): string {
  const units = [['h', 60 * MINUTE_MS] as const, ['min', MINUTE_MS] as const, ['s', 1_000] as const];
  const [name, unitMs] = units.find(([, each]) => ms >= 2 * each && ms % each === 0) ?? ['ms', 1];
  return `${ms / unitMs} ${name}`;
}
