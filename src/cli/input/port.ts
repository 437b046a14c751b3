import { InvalidArgumentError } from 'commander';

/** Reads a port of the command line; 0: any that is free. */
export function port(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('It is not a port, 0 to 65535.');
}
