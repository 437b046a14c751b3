import { z } from 'zod';

const headers = {
  3: z.strictObject({
    version: z.literal(3),
    term: z.strictObject({ cols: z.int().positive(), rows: z.int().positive(), type: z.string() }),
    timestamp: z.int().positive(),
    title: z.string().min(1),
  }),
  2: z.strictObject({
    version: z.literal(2),
    width: z.int().positive(),
    height: z.int().positive(),
    timestamp: z.int().positive(),
    title: z.string().min(1),
    env: z.strictObject({ TERM: z.string() }),
  }),
};
const codes = { 3: z.enum(['o', 'm', 'x']), 2: z.enum(['o', 'm']) };

/** An event of a cast: its time in seconds as it is written, its code, and what it says. */
export type StrictEvent = readonly [number, string, string];

/** Reads a cast as a player that forgives nothing would. @throws where it is not one. */
export function strictCast(text: string, version: 2 | 3): { title: string; events: StrictEvent[] } {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const [first = '', ...lines] = text.slice(0, -1).split('\n');
  const { title } = headers[version].parse(JSON.parse(first));
  const event = z.tuple([z.number().nonnegative(), codes[version], z.string()]);
  const events = lines.map((line): StrictEvent => event.parse(JSON.parse(line)));
  let last = 0;
  for (const [at, [time, code, data]] of events.entries()) {
    if (!data.isWellFormed()) throw new Error(`event ${at} has half a character`);
    if (code === 'o' && /(?<!\r)\n/.test(data)) throw new Error(`event ${at} has a newline without return`);
    if (version === 2 && time < last) throw new Error(`event ${at} goes back in time`);
    if (code === 'x' && (at !== events.length - 1 || !/^\d+$/.test(data)))
      throw new Error(`event ${at} is no end`);
    last = time;
  }
  return { title, events };
}

/** All that a cast shows. */
export function shownBy(events: readonly StrictEvent[]): string {
  return events.map(([, code, data]) => (code === 'o' ? data : '')).join('');
}

/** Its markers. */
export function markersOf(events: readonly StrictEvent[]): string[] {
  return events.filter(([, code]) => code === 'm').map(([, , label]) => label);
}
