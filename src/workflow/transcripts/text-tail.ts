import { closeSync, fstatSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { openIfThere } from './cast-lines.ts';

/** Reads a transcript of before they were casts: the bytes as the agent printed them. */
export class TextTail {
  readonly #path: string;
  readonly #backlogBytes: number;
  readonly #decoder = new StringDecoder('utf8');
  #position: number | undefined;

  /** @param path - Absolute. */
  constructor(path: string, backlogBytes: number) {
    this.#path = path;
    this.#backlogBytes = backlogBytes;
  }

  /** The text that came since the last call. */
  read(): string {
    const fd = openIfThere(this.#path);
    if (fd === undefined) return '';
    try {
      const { size } = fstatSync(fd);
      this.#position ??= Math.max(0, size - this.#backlogBytes);
      const bytes = Buffer.allocUnsafe(Math.max(0, size - this.#position));
      const read = readSync(fd, bytes, 0, bytes.length, this.#position);
      this.#position += read;
      return this.#decoder.write(bytes.subarray(0, read));
    } finally {
      closeSync(fd);
    }
  }
}
