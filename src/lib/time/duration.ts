import { dayText } from './clock-text.ts';

/** Milliseconds for people: `850 ms`, `4.2 s`, `3 m 20 s`, `2 h 5 m`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} m ${Math.floor((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}

/** When something happened, in the time zone of the reader: `14:03:22`. */
export function clockTime(time: string): string {
  return new Date(time).toTimeString().slice(0, 8);
}

/** The day it happened, in the time zone of the reader: `2026-03-01`. */
export function calendarDay(time: string): string {
  return dayText(new Date(time));
}
