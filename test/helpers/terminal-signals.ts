import { Terminal } from '@xterm/headless';

/** What a terminal has seen beside text, in order. */
export type TerminalSignals = {
  readonly bells: number;
  /** As `9;text`, `777;notify;title;text`, `99;…`. */
  readonly notifications: readonly string[];
  /** Every title, the one that was there before first. */
  readonly titles: readonly string[];
  /** As `state;percent`. */
  readonly progress: readonly string[];
  /** What is on the screen, without blank lines. */
  readonly lines: readonly string[];
};

/** Reads bytes as a terminal does that has titles to go back to. `title`: the one it has before. */
export async function readSignals(bytes: string, { title = 'shell' } = {}): Promise<TerminalSignals> {
  const terminal = new Terminal({
    cols: 80,
    rows: 24,
    allowProposedApi: true,
    windowOptions: { pushTitle: true, popTitle: true },
  });
  const notifications: string[] = [];
  const progress: string[] = [];
  const titles: string[] = [];
  let bells = 0;
  terminal.onBell(() => (bells += 1));
  terminal.onTitleChange((now) => void titles.push(now));
  for (const code of [9, 99, 777]) {
    terminal.parser.registerOscHandler(code, (data) => {
      if (code === 9 && data.startsWith('4;')) progress.push(data.slice(2));
      else notifications.push(`${code};${data}`);
      return true;
    });
  }
  await new Promise<void>((resolve) => terminal.write(`\u001B]0;${title}\u0007${bytes}`, resolve));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: terminal.rows }, (_, row) =>
    (active.getLine(active.viewportY + row)?.translateToString(true) ?? '').trimEnd(),
  );
  terminal.dispose();
  return { bells, notifications, titles, progress, lines: lines.filter((line) => line !== '') };
}
