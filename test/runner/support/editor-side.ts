import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { cliFile } from '../../helpers/clifford-process.ts';
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

/** An editor in front of `clifford acp -- <command>`. Whatever is left of it ends with the test. */
export async function editorSide(
  command: readonly string[],
  {
    root,
    env = {},
    args = [],
  }: { root?: string; env?: Record<string, string>; args?: readonly string[] } = {},
) {
  const folder = root ?? (await tempRoot());
  const child = spawn(process.execPath, [cliFile, 'acp', ...args, '--', ...command], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: '/nonexistent',
      USER: 'ada',
      CLIFFORD_PROJECT_ROOT: folder,
      XDG_STATE_HOME: `${folder}/state`,
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    killAll(await processesOf(folder, ''));
  });
  const heard: Heard[] = [];
  const chunks: Buffer[] = [];
  let begun: Buffer[] = [];
  let err = '';
  const watchers = new Set<() => void>();
  child.stdin.on('error', () => undefined);
  child.stderr.setEncoding('utf8').on('data', (more: string) => void (err += more));
  child.stdout.on('data', (chunk: Buffer) => {
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
  const ended = new Promise<{ code: number | null; signal: string | null; err: string }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, err }));
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
      void ended.then(() => reject(new Error(`it ended before that:\n${JSON.stringify(heard)}\n${err}`)));
    });
  return {
    root: folder,
    pid: child.pid ?? 0,
    child,
    heard,
    bytes: () => Buffer.concat(chunks),
    say: (...messages: readonly object[]) =>
      void child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join('')),
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
    leave: () => void child.stdin.end(),
    ended,
    project: () => openTestProject(folder),
    /** What the log has of it. */
    events: async () => eventsOf(await openTestProject(folder), 'adhoc'),
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
