import { spawn, type ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';

/**
 * Reads `+ group` and `- group` until its stdin ends, which is when Clifford is gone, however it went. Then it
 * ends the groups that are left: they have seen their own stdin end and get a second for it.
 */
const SCRIPT = `
trap '' HUP INT TERM
groups=' '
while read -r change group; do
  case $change in
    +) groups="$groups$group " ;;
    -) case $groups in *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;; esac ;;
  esac
done
[ "$groups" = "\${groups#* [0-9]}" ] && exit 0
sleep 1
for group in $groups; do kill -TERM "-$group" 2>/dev/null; done
sleep 1
for group in $groups; do kill -KILL "-$group" 2>/dev/null; done
`;

/** Restarted no more often than this, in ms. */
const RESTART_AFTER_MS = 1_000;

/**
 * Ends process groups of ours when we no longer can: a small shell that notices the death of this process. Where
 * there is no `/bin/sh` (Windows) servers have to notice the end of their stdin themselves.
 */
export class Watchdog {
  readonly #report: (problem: string) => void;
  readonly #groups = new Set<number>();
  #shell: ChildProcess | undefined;
  #startedAt = -Infinity;

  constructor(report: (problem: string) => void) {
    this.#report = report;
  }

  add(group: number): void {
    this.#groups.add(group);
    if (this.#shell === undefined) this.#start();
    else this.#tell(`+ ${group}\n`);
  }

  remove(group: number): void {
    if (!this.#groups.delete(group)) return;
    this.#tell(`- ${group}\n`);
    if (this.#groups.size === 0) this.#dismiss();
  }

  #start(): void {
    if (process.platform === 'win32') return;
    this.#startedAt = performance.now();
    // A group of its own: what kills ours is what it is there for.
    const shell = spawn('/bin/sh', ['-c', SCRIPT], {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    this.#shell = shell;
    shell.on('error', (error) => this.#gone(shell, error.message));
    shell.on('exit', (code, signal) => this.#gone(shell, `it ended with ${signal ?? code}`));
    // There is none where the system has no more files to open: `error` says so.
    const { stdin }: { stdin: Writable | null | undefined } = shell;
    // Nobody is left to read: `exit` says the rest.
    stdin?.on('error', (error) => this.#gone(shell, error.message));
    shell.unref();
    for (const group of this.#groups) this.#tell(`+ ${group}\n`);
  }

  #tell(line: string): void {
    this.#shell?.stdin?.write(line);
  }

  #dismiss(): void {
    this.#shell?.stdin?.end();
    this.#shell = undefined;
  }

  #gone(shell: ChildProcess, why: string): void {
    if (this.#shell !== shell) return;
    this.#shell = undefined;
    if (this.#groups.size === 0) return;
    if (performance.now() - this.#startedAt >= RESTART_AFTER_MS) this.#start();
    else
      this.#report(
        `what it has started is not stopped if Clifford is killed: the watchdog is not running (${why})`,
      );
  }
}
