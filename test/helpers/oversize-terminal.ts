import { Writable } from 'node:stream';
import { Terminal } from '@xterm/headless';
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';

/** No screen that is drawn is as large. */
const COLUMNS = 360;
const ROWS = 110;

/**
 * A terminal for programs that believe it to be smaller than it is: what they draw beyond their size stands there to be seen,
 * where another terminal would wrap or scroll it.
 */
export class OversizeTerminal extends Writable {
  readonly isTTY = true;
  columns: number;
  rows: number;
  readonly #terminal = new Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true, scrollback: 0 });
  /** What was written since it was last looked at. */
  #isDirty = false;
  /** Nothing stands beyond the size, and nothing was written since that was looked for. */
  #isChecked = false;

  constructor(columns: number, rows: number) {
    super({ decodeStrings: false });
    this.columns = columns;
    this.rows = rows;
    this.#terminal.loadAddon(new UnicodeGraphemesAddon());
    this.#terminal.unicode.activeVersion = '15-graphemes';
  }

  override _write(chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    this.#terminal.write(String(chunk).replaceAll('\n', '\r\n'), () => this.#changed());
    done();
  }

  /** As when its window is dragged. */
  resizeTo(columns: number, rows: number): void {
    this.columns = columns;
    this.rows = rows;
    this.#isChecked = false;
    this.emit('resize');
  }

  /** Something was drawn since {@link lines} was last asked for. */
  get isDirty(): boolean {
    return this.#isDirty;
  }

  /** What is to be seen within the size that programs know. */
  get lines(): readonly string[] {
    this.#isDirty = false;
    return Array.from({ length: this.rows }, (_, row) => this.#row(row).slice(0, this.columns).trimEnd());
  }

  /** What stands beyond that size, if anything does. */
  get beyond(): string | undefined {
    if (this.#isChecked) return undefined;
    const beyond = this.#findBeyond();
    this.#isChecked = beyond === undefined;
    return beyond;
  }

  #findBeyond(): string | undefined {
    const { active } = this.#terminal.buffer;
    for (let row = 0; row < ROWS; row += 1) {
      const from = row < this.rows ? this.columns : 0;
      const text = active.getLine(row)?.translateToString(true, from).trimEnd() ?? '';
      if (text !== '') return `${this.columns}×${this.rows}, row ${row}, from column ${from}: ${text}`;
    }
    return undefined;
  }

  #changed(): void {
    this.#isDirty = true;
    this.#isChecked = false;
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  #row(row: number): string {
    return this.#terminal.buffer.active.getLine(row)?.translateToString(true) ?? '';
  }
}
