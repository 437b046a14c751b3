import { execFileSync } from 'node:child_process';
import { constants, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';
import { joinSprint, type AgentSession } from './agent-session.ts';

/** An agent at work: what it prints, and what it was started with. */
type AgentHere = {
  readonly session: AgentSession;
  readonly pid: number;
  readonly cwd: string;
  readonly args: readonly string[];
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
};

/** What agents do that need no process for it. Returns the exit code; `undefined`: it stays until it is ended. */
const behaviours = {
  complete: async ({ session, out }) => {
    await session.complete();
    out(`did ${session.task}`);
    return 0;
  },
  'hang-first': async ({ session, pid, out }) => {
    out(`ready ${pid}`);
    if (session.attempt === 1) return undefined;
    await session.complete();
    return 0;
  },
  'crash-once': async ({ session, err }) => {
    if (session.attempt > 1) await session.complete();
    else ['connecting', '\u001B[31mno network\u001B[0m'].forEach(err);
    return session.attempt > 1 ? 0 : 3;
  },
  'ask-and-leave': async ({ session }) => {
    if (session.attempt > 1) await session.complete();
    else await session.ask('Which port?');
    return session.attempt > 1 ? 0 : 1;
  },
  /** Completes every task but the one it is told to fail. */
  'fail-task': async ({ session, args: [failing], err }) => {
    if (session.task === failing) {
      err('I cannot do this one');
      return 1;
    }
    await session.complete();
    return 0;
  },
  /** Writes files of the working directory: <file of JSON: task, or task#attempt → path → text, or null to remove it>. */
  'change-files': async ({ session, cwd, args: [file = ''] }) => {
    const plan: Record<string, Record<string, string | null>> = JSON.parse(
      readFileSync(resolve(cwd, file), 'utf8'),
    );
    for (const [path, text] of Object.entries(
      plan[`${session.task}#${session.attempt}`] ?? plan[session.task] ?? {},
    )) {
      const place = resolve(cwd, path);
      if (text === null) rmSync(place);
      else {
        mkdirSync(dirname(place), { recursive: true });
        writeFileSync(place, text);
      }
    }
    if (plan['#together']) {
      // Each has begun with what was there before any of them was merged.
      await session.prepared(Object.keys(plan).filter((task) => !task.includes('#')));
    }
    await session.complete();
    return 0;
  },
  /** Prints the lines of say-<name>-<attempt>.jsonl in the project, and does what those with a mark say. */
  say: async ({ session, cwd, args: [name, ...rest], out, err }) => {
    const script = readFileSync(resolve(cwd, `say-${name}-${session.attempt}.jsonl`), 'utf8');
    for (const line of script.trimEnd().split('\n')) {
      if (line === '!complete') await session.complete();
      else if (line === '!stay') return undefined;
      else if (line === '!arguments') out(rest.join(' '));
      else if (line.startsWith('!error ')) err(line.slice('!error '.length));
      else if (line.startsWith('!exit ')) return Number(line.slice('!exit '.length));
      else out(line);
    }
    return 0;
  },
} satisfies Record<string, (agent: AgentHere) => Promise<number | undefined>>;

/**
 * The command line of an agent that is a process of a few milliseconds: its work is done in this one. Where it matters
 * that an agent has a process, or a project, of its own, take `agentCmd`.
 */
export function agentHere(name: keyof typeof behaviours, ...args: readonly string[]): string {
  const script = join(import.meta.dirname, '../fixtures/agents/here.sh');
  requests ??= listen();
  return ['/bin/sh', script, requests, name, ...args].map((word) => `"${word}"`).join(' ');
}

/** Where agents of this process ask for their work. */
let requests: string | undefined;

function listen(): string {
  const fifo = join(inject('fixtures'), `requests-${process.pid}`);
  rmSync(fifo, { force: true });
  execFileSync('mkfifo', [fifo]);
  process.once('exit', () => rmSync(fifo, { force: true }));
  // To be read and written, it does not end with the first that has written.
  const socket = new Socket({ fd: openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK) });
  socket.unref();
  createInterface(socket).on('line', (line) => void serve(`${fifo}.`, line));
  return fifo;
}

async function serve(replies: string, line: string): Promise<void> {
  const [pid = '', root, dir, runId, cwd = '', name = '', ...args] = line.split(';');
  const reply = openReply(`${replies}${pid}`);
  if (reply === undefined) return;
  const say = (channel: string, text: string | number) => void reply.write(`${channel} ${text}\n`);
  try {
    const session = await joinSprint({
      CLIFFORD_PROJECT_ROOT: root,
      CURRENT_SPRINT_DIR: dir,
      CLIFFORD_RUN_ID: runId,
    });
    const out = (text: string) => say('out', text);
    const err = (text: string) => say('err', text);
    const behaviour: (agent: AgentHere) => Promise<number | undefined> =
      behaviours[name as keyof typeof behaviours];
    try {
      const code = await behaviour({ session, pid: Number(pid), cwd, args, out, err });
      if (code !== undefined) say('exit', code);
    } finally {
      await session.close();
    }
  } catch (error) {
    say('err', String(error).replaceAll('\n', ' '));
    say('exit', 70);
  } finally {
    reply.end();
  }
}

/** `undefined`: the agent was ended meanwhile. */
function openReply(fifo: string): Socket | undefined {
  try {
    const fd = openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK);
    // Takes more than a pipe holds. An error: the agent was ended meanwhile.
    return new Socket({ fd, readable: false }).on('error', () => undefined);
  } catch {
    return undefined;
  } finally {
    rmSync(fifo, { force: true });
  }
}
