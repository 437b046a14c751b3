/** An instant as a person who waits for it reads it, in their time zone: `14:05`, on another day `2026-03-01 14:05`. */
export function clockText(at: number, now: number): string {
  const [date, today] = [at, now].map((ms) => new Date(ms));
  if (!date || !today) return '';
  const time = clockMinutes(date);
  return date.toDateString() === today.toDateString() ? time : `${dayText(date)} ${time}`;
}

/** The time of day in the time zone of the reader: `14:05`. */
export function clockMinutes(date: Date): string {
  return date.toTimeString().slice(0, 5);
}

/** The day of an instant in the time zone of the reader: `2026-03-01`. */
function dayText(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** When something happened, in the time zone of the reader: `14:03:22`. */
export function clockTime(time: string): string {
  return new Date(time).toTimeString().slice(0, 8);
}

/** Both: `2026-03-01 14:03:22`. */
export function dayAndTime(time: string): string {
  return `${calendarDay(time)} ${clockTime(time)}`;
}

/** Both, to the millisecond: `2026-03-01 14:03:22.045`. */
export function exactTime(time: string): string {
  return `${dayAndTime(time)}.${String(new Date(time).getMilliseconds()).padStart(3, '0')}`;
}

/** The day it happened, in the time zone of the reader: `2026-03-01`. */
export function calendarDay(time: string): string {
  return dayText(new Date(time));
}

/** The time zone of the reader at an instant, as what it is ahead: `UTC+02:00`; `UTC`. */
export function zoneText(time: string): string {
  const minutes = -new Date(time).getTimezoneOffset();
  if (minutes === 0) return 'UTC';
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0');
  return `UTC${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}
