import { spawn } from 'node:child_process';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { cliFile, runHere } from '../../helpers/clifford-process.ts';
import { logEnv } from '../../helpers/log-env.ts';
import { killAll, processesOf } from '../../helpers/project-processes.ts';
import { eventsOf } from '../../helpers/sprint-run.ts';
import { openTestProject, tempRoot } from '../../helpers/temp-project.ts';
import { isJsonObject } from '../../../src/lib/json/json-object.ts';
import { jsonValue } from '../../../src/lib/json/json-value.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { openRequests } from '../../../src/workflow/requests/find-request.ts';

/** A message as the editor gets it, as far as tests look at it. */
export type Heard = {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly requestId?: unknown;
    readonly options?: readonly { readonly optionId: string; readonly kind: string }[];
    readonly update?: {
      readonly sessionUpdate: string;
      readonly title?: string;
      readonly content?: { readonly text: string };
    };
  };
  readonly result?: { readonly outcome?: { readonly outcome: string; readonly optionId?: string } };
  readonly error?: { readonly code: number; readonly message: string };
};

/** The answers that the agents of these tests offer. */
export const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

/** What an agent says when it asks for permission to run a command. */
export function permission(id: number | string, command: string, more: object = {}): object {
  const toolCall = { toolCallId: `call-${id}`, kind: 'execute', title: 'A command', rawInput: { command } };
  const params = { sessionId: 's', toolCall: { ...toolCall, ...more }, options };
  return { jsonrpc: '2.0', id, method: 'session/request_permission', params };
}

type EditorOptions = {
  readonly root?: string;
  readonly env?: Record<string, string>;
  readonly args?: readonly string[];
};

/** How `clifford acp` ended. */
type EditorEnd = { readonly code: number | null; readonly signal: string | null; readonly err: string };

/** An editor in front of `clifford acp -- <command>`, a process of its own. Whatever is left of it ends with the test. */
export async function editorSide(
  command: readonly string[],
  { root, env = {}, args = [] }: EditorOptions = {},
) {
  const folder = root ?? (await tempRoot());
  const child = spawn(process.execPath, [cliFile, 'acp', ...args, '--', ...command], {
    cwd: folder,
    env: environmentIn(folder, env),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    killAll(await processesOf(folder, ''));
  });
  let err = '';
  child.stdin.on('error', () => undefined);
  child.stderr.setEncoding('utf8').on('data', (more: string) => void (err += more));
  const ended = new Promise<EditorEnd>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, err }));
  });
  return {
    ...hearing({ root: folder, stdin: child.stdin, stdout: child.stdout, ended }),
    child,
    pid: child.pid ?? 0,
  };
}

/** The same in the process of the tests, for what does not depend on one of its own. It has left when the test is finished. */
export async function editorHere(command: readonly string[], { root, env = {} }: EditorOptions = {}) {
  const folder = root ?? (await tempRoot());
  const stdin = new PassThrough();
  const { stdout, ended } = runHere(['acp', '--', ...command], {
    cwd: folder,
    env: environmentIn(folder, env),
    isWholeEnv: true,
    stdin,
  });
  onTestFinished(async () => {
    stdin.end();
    await ended;
  });
  return hearing({ root: folder, stdin, stdout, ended });
}

function environmentIn(folder: string, env: Readonly<Record<string, string>>): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: '/nonexistent',
    USER: 'ada',
    CLIFFORD_PROJECT_ROOT: folder,
    XDG_STATE_HOME: `${folder}/state`,
    ...logEnv(),
    ...env,
  };
}

/** What an editor says, and what it hears. */
function hearing({
  root,
  stdin,
  stdout,
  ended,
}: {
  readonly root: string;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly ended: Promise<EditorEnd>;
}) {
  const heard: Heard[] = [];
  const chunks: Buffer[] = [];
  let begun: Buffer[] = [];
  const watchers = new Set<() => void>();
  stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    begun.push(chunk);
    if (!chunk.includes(0x0a)) return;
    const lines = Buffer.concat(begun).toString('latin1').split('\n');
    begun = [Buffer.from(lines.pop() ?? '', 'latin1')];
    for (const line of lines) {
      const message = jsonValue(Buffer.from(line, 'latin1').toString('utf8'));
      if (isJsonObject(message)) heard.push(message as Heard);
    }
    for (const each of watchers) each();
  });
  const hear = <Found>(look: () => Found | undefined): Promise<Found> =>
    new Promise((resolve, reject) => {
      const watch = () => {
        const found = look();
        if (found === undefined) return;
        watchers.delete(watch);
        resolve(found);
      };
      watchers.add(watch);
      watch();
      void ended.then(({ err }) =>
        reject(new Error(`it ended before that:\n${JSON.stringify(heard)}\n${err}`)),
      );
    });
  return {
    root,
    heard,
    bytes: () => Buffer.concat(chunks),
    write: (text: string) => void stdin.write(text),
    say: (...messages: readonly object[]) =>
      void stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join('')),
    hear,
    /** The prompt for permission that the editor got as the nth. */
    prompt: (nth = 1) =>
      hear(() => heard.filter(({ method }) => method === 'session/request_permission')[nth - 1]),
    /** What the agent was answered. An agent that says back what it hears says it to the editor. */
    answerTo: (id: number | string) => hear(() => heard.find((each) => each.id === id && !each.method)),
    /** The texts that whoever sits at the editor is told. */
    told: () =>
      heard.flatMap(({ params }) => {
        const said = params?.update?.content?.text ?? params?.update?.title;
        return said?.includes('Clifford:') ? [said.trim()] : [];
      }),
    leave: () => void stdin.end(),
    ended,
    project: () => openTestProject(root),
    /** What the log has of it. */
    events: async () => eventsOf(await openTestProject(root), 'adhoc'),
  };
}

/** See {@link editorSide}. */
export type EditorSide = Awaited<ReturnType<typeof editorSide>>;

/** The editor's answer to a prompt. */
export function choice({ id }: Heard, optionId: string): object {
  return { jsonrpc: '2.0', id, result: { outcome: { outcome: 'selected', optionId } } };
}

/** The request that waits for a human, once there is one. */
export function openRequest(project: Project): Promise<string> {
  return project.until((state) => openRequests(state)[0]?.id);
}
