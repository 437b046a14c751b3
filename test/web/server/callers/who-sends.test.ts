import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, Socket, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { digestOf } from '../../../../src/lib/digest.ts';
import { identify } from '../../../../src/lib/processes/process-identity.ts';
import { readProcFile } from '../../../../src/lib/processes/proc-file.ts';
import { hasProcessTable, readProcess } from '../../../../src/lib/processes/process-table.ts';
import { agentAmong } from '../../../../src/web/server/callers/agent-at-other-end.ts';
import { deciderOf } from '../../../../src/web/server/callers/decider.ts';
import type { WebServer } from '../../../../src/web/server/web-server.ts';
import type { Project } from '../../../../src/workflow/project/project.ts';
import { addProject } from '../../../../src/workflow/projects/known-projects.ts';
import { askApproval } from '../../../../src/workflow/requests/approval.ts';
import { approval } from '../../../helpers/approval.ts';
import { adasEnvironment, cliFile, startClifford } from '../../../helpers/clifford-process.ts';
import { on } from '../../../helpers/history.ts';
import { hasNamespaces, otherUsers, ownProcesses } from '../../../helpers/namespaces.ts';
import { projectWithSprint } from '../../../helpers/temp-project.ts';
import { served } from '../../../helpers/web-server.ts';

const asAgent = { env: { CLIFFORD_RUN_ID: 'run-7' } };

function call(project: Project, path = 'notes.txt') {
  const args = { path };
  return askApproval(project, {
    stream: 'demo',
    taskId: 'a',
    agent: { id: 'a1', client: 'codex' },
    approval: { ...approval, args, callDigest: digestOf(['fs', 'write_file', args]) },
  });
}

/** Sends a yes, and prints the first line of what comes back; with `exit` it ends before that, with `reset` by breaking off. */
const program = `
const [options, path, token, leaves] = process.argv.slice(1);
const to = JSON.parse(options);
const socket = require('node:net').connect(to, () => {
  const head = ['POST ' + path + ' HTTP/1.1', 'Host: ' + to.host + ':' + to.port, 'Authorization: Bearer ' + token,
    'Content-Type: application/json', 'Content-Length: 2', 'Connection: close', '', '{}'];
  const leave = { exit: () => process.exit(0), reset: () => socket.resetAndDestroy() };
  socket.write(head.join('\\r\\n'), leave[leaves]);
});
socket.once('data', (bytes) => { console.log(String(bytes).split('\\r\\n')[0]); process.exit(0); });
`;

/**
 * Serves, as somebody who cannot see open files, and sends a yes by one connection again and again: from here, from a child that
 * has the connection from here and is an agent's, and from here when that has ended. Prints the first line of each that comes back.
 */
const handsOn = `
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { connect } = require('node:net');
const [clifford, heir, asAgent, ...paths] = process.argv.slice(1);
const [marks, ...marking] = JSON.parse(asAgent);
(async () => {
  const by = ['--map-root-user', process.execPath, clifford, 'serve', '--port', '0', '--json'];
  const server = spawn('unshare', by, { stdio: ['ignore', 'pipe', 'inherit'] });
  const { url, token } = JSON.parse(String((await once(server.stdout, 'data'))[0]));
  const { host, port } = new URL(url);
  const request = (path) => ['POST ' + path + ' HTTP/1.1', 'Host: ' + host, 'Authorization: Bearer ' + token,
    'Content-Type: application/json', 'Content-Length: 2', '', '{}'].join('\\r\\n');
  const socket = connect(port, '127.0.0.1');
  const send = async (path) => {
    socket.write(request(path));
    console.log(String((await once(socket, 'data'))[0]).split('\\r')[0]);
    // What comes next is for the child to read.
    socket.pause();
  };
  await send(paths[0]);
  const agent = spawn(marks, [...marking, process.execPath, '-e', heir, request(paths[1])],
    { stdio: ['ignore', 'inherit', 'inherit', socket] });
  await once(agent, 'exit');
  socket.resume();
  await send(paths[2]);
  process.exit(0);
})();
`;

/** Sends what it is told by a connection that it was started with, and prints the first line of what comes back. */
const heir = `
const socket = new (require('node:net').Socket)({ fd: 3 });
socket.once('data', (bytes) => { console.log(String(bytes).split('\\r')[0]); process.exit(0); });
socket.write(process.argv[1]);
`;

/**
 * Sends a yes by a connection that is not among the open files of its process: a thread of its own has it, or it is under way
 * to this very process, or to such a thread, until something has come back. Prints the first line of that.
 */
const hides = `
import ctypes, os, socket, sys, threading
how, port, head = sys.argv[1:]
request = head.encode()
connection = socket.create_connection(('127.0.0.1', int(port)))
own = ':%04X' % connection.getsockname()[1]
def come():
    rows = [line.split() for line in open('/proc/net/tcp')]
    return any(row[1].endswith(own) and not row[4].endswith(':00000000') for row in rows)
def send_to_itself(sender):
    here, there = socket.socketpair()
    socket.send_fds(here, [b'x'], [sender])
    # What is sent, is sent when nobody has it open.
    os.write(sender, request)
    os.close(sender)
    while not come(): pass
    return socket.recv_fds(there, 1, 1)[1][0]
if how in ('thread', 'sent by a thread'):
    fd, closed = connection.detach(), threading.Event()
    apart = threading.Event()
    def work():
        ctypes.CDLL(None).unshare(0x400)
        apart.set()
        closed.wait()
        if how == 'thread': os.write(fd, request)
        kept = fd if how == 'thread' else send_to_itself(fd)
        print(os.read(kept, 4096).decode().split('\\r')[0])
    thread = threading.Thread(target=work)
    thread.start()
    apart.wait()
    os.close(fd)
    closed.set()
    thread.join()
elif how == 'read':
    # It stays open for the one that reads, and stands among no open files.
    fd = connection.detach()
    answers = []
    reader = threading.Thread(target=lambda: answers.append(os.read(fd, 4096)))
    reader.start()
    def reads():
        task = '/proc/self/task/%d/' % reader.native_id
        state = open(task + 'stat').read().rsplit(')', 1)[1].split()[0]
        return state == 'S' and not open(task + 'wchan').read().startswith('futex')
    while not reads(): pass
    os.write(fd, request)
    os.close(fd)
    reader.join()
    print(answers[0].decode().split('\\r')[0])
else:
    fd = send_to_itself(connection.detach())
    print(os.read(fd, 4096).decode().split('\\r')[0])
`;

/** Hides its open files from others of its user, as `ssh-agent` does. Says so, and waits. */
const hidesFiles = `
import ctypes, os, time
# Who has started it is of the same user.
if os.fork() != 0: os.waitpid(-1, 0)
ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
print('here', flush=True)
time.sleep(600)
`;

/** Has ended, and nobody has noticed. */
const hasEnded = `
import os, time
if os.fork() == 0: os._exit(0)
os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
print('here', flush=True)
time.sleep(600)
`;

/**
 * Becomes another user as `sshd` does for whoever logs in, which hides its open files. Where it is told a port and a yes, it sends
 * that and prints the first line of what comes back; then it waits.
 */
const tunnel = `
import os, socket, sys, time
user, *told = sys.argv[1:]
if os.fork() != 0: os.waitpid(-1, 0)
os.setresuid(int(user), int(user), int(user))
if told:
    connection = socket.create_connection(('127.0.0.1', int(told[0])))
    connection.sendall(told[1].encode())
    print(connection.recv(4096).decode().split('\\r')[0], flush=True)
else: print('here', flush=True)
time.sleep(600)
`;

/** Becomes somebody who is nobody else here, who sees no open files of root's. */
const NOBODY = 900_000_000 + process.pid;
const isRoot = process.getuid?.() === 0;

/** Not where the checkout is in a folder that only its owner may enter. */
const canBeNobody =
  isRoot && spawnSync(process.execPath, [cliFile, '--version'], { uid: NOBODY }).status === 0;

const hasPython = spawnSync('python3', ['-c', 'import socket; socket.send_fds']).status === 0;

/** A yes, as it is sent. */
function requestFor(id: string, { port, token }: Pick<WebServer, 'port' | 'token'>): string {
  return [
    `POST /api/questions/${id}/approve HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Content-Length: 2',
    '',
    '{}',
  ].join('\r\n');
}

type To = {
  readonly host: string;
  readonly port: number;
  readonly localAddress?: string;
  readonly localPort?: number;
};

function yes(id: string, token: string, to: To, ...leaves: string[]): string[] {
  return ['-e', program, JSON.stringify(to), `/api/questions/${id}/approve`, token, ...leaves];
}

async function sendYes(id: string, token: string, to: To): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, yes(id, token, to), asAgent);
  return stdout.trim();
}

const phaseOf = (project: Project, id: string) => project.state.streams.get('demo')?.requests.get(id)?.phase;

describe.runIf(hasProcessTable)('a yes that an agent sends to the page', () => {
  it.each(['exit', 'reset'])('does not count where the agent is gone when it is read: by %s', async (how) => {
    const { ask: send, project, server } = await served();
    const { id } = await call(project);
    // Nothing is read here before it has ended.
    const args = yes(id, server.token, { host: '127.0.0.1', port: server.port }, how);
    expect(spawnSync(process.execPath, args, asAgent).status).toBe(0);
    for (let at = 0; at < 3; at += 1) expect((await send(`/api/questions/${id}`)).status).toBe(200);
    expect(phaseOf(project, id)).toBe('open');
    expect(await send(`/api/questions/${id}/approve`, { body: {} })).toMatchObject({ status: 200 });
  });

  it('does not count a moment after a human with the same token was told that theirs would', async () => {
    const { ask: send, project, server } = await served();
    const { id } = await call(project);
    expect((await send('/api/state')).json()).toMatchObject({ reader: { may: 'decide' } });
    const to = { host: '127.0.0.1', port: server.port };
    expect(await sendYes(id, server.token, to)).toBe('HTTP/1.1 403 Forbidden');
    expect(phaseOf(project, id)).toBe('open');
    expect(await send(`/api/questions/${id}/approve`, { body: {} })).toMatchObject({ status: 200 });
  });

  it('does not count by a connection that it has from a process whose yes counted, and that has it still', async () => {
    const { project, server } = await served();
    const [{ id }, next] = [await call(project, '1'), await call(project, '2')];
    const human = connect(server.port, '127.0.0.1');
    onTestFinished(() => void human.destroy());
    human.write(requestFor(id, server));
    expect(String((await once(human, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 OK\r/);
    // What comes next is for the agent to read.
    human.pause();
    const agent = spawn(process.execPath, ['-e', heir, requestFor(next.id, server)], {
      ...asAgent,
      stdio: ['ignore', 'pipe', 'inherit', human],
    });
    onTestFinished(() => void agent.kill());
    let told = '';
    agent.stdout?.on('data', (bytes) => (told += String(bytes)));
    await once(agent, 'close');
    expect(told).toBe('HTTP/1.1 403 Forbidden\n');
    expect([id, next.id].map((each) => phaseOf(project, each))).toEqual(['answered', 'open']);
  });

  it.runIf(hasPython).each(['thread', 'sent'])(
    'does not count by a connection that is none of its open files: %s',
    async (how) => {
      const { project, server } = await served();
      const { id } = await call(project);
      const args = ['-c', hides, how, String(server.port), requestFor(id, server)];
      const env = { ...process.env, ...asAgent.env };
      const { stdout } = await promisify(execFile)('python3', args, { env });
      expect(stdout).toBe('HTTP/1.1 403 Forbidden\n');
      expect(phaseOf(project, id)).toBe('open');
    },
  );

  it('does not count where something could not be read, or who has its connection has ended by the time that it is told from an agent', async () => {
    const { project } = await projectWithSprint();
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const human = spawn(process.execPath, ['-e', `require('node:net').connect(${port}, '127.0.0.1')`]);
    onTestFinished(() => void human.kill());
    const [socket] = (await once(server, 'connection')) as [Socket];
    onTestFinished(() => void socket.destroy());
    const identity = { name: 'ann', may: 'decide', digest: '', isNamed: false } as const;
    const caller = { ...identity, socket, isHere: true, isPrivate: true };
    let asked = 0;
    const place = (end: () => void) => ({
      env: {},
      among: undefined,
      project: {
        ...project,
        get state() {
          asked += 1;
          // The log is asked last: for its attempts, of this process, then of the other one.
          if (asked === 3) end();
          return project.state;
        },
      },
    });
    expect(
      deciderOf(
        caller,
        place(() => {}),
      ).answerer,
    ).toEqual({ by: 'ann', via: 'web' });
    expect(asked).toBe(3);
    asked = 0;
    // What it reads there are no bytes of a file: an error of the machine, as where the server has too many files open.
    const fail = () => void readProcFile(process.pid, 'fdinfo/../mem');
    expect(() => deciderOf(caller, place(fail))).toThrow('cannot be seen');
    asked = 0;
    const end = () => {
      human.kill('SIGKILL');
      while (readProcess(human.pid ?? 0)?.isDead === false);
    };
    expect(() => deciderOf(caller, place(end))).toThrow('is not there any more');
    expect(asked).toBe(3);
  });

  describe('where all processes cannot be looked at, since new ones come all the time', () => {
    /** What is told of a connection of one process, which is an agent's, has ended, or is somebody else's. */
    async function toldOf(is: 'agent' | 'ended' | 'other' | 'unknown', { works = false } = {}) {
      const { project } = await projectWithSprint();
      const env = { ...process.env, ...(is === 'agent' ? asAgent.env : {}) };
      const [one, worker] = [spawn('sleep', ['60'], { env }), spawn('sleep', ['60'])];
      onTestFinished(() => [one, worker].forEach((each) => each.kill()));
      await Promise.all([once(one, 'spawn'), once(worker, 'spawn')]);
      if (works)
        await project.record('demo', [
          on('demo/a', 'agent.started', { runId: 'run-8', ...identify(worker.pid ?? 0) }),
        ]);
      if (is === 'ended') {
        one.kill('SIGKILL');
        await once(one, 'exit');
      }
      const owners = { is: 'unsaid', pids: is === 'unknown' ? [] : [one.pid ?? 0] } as const;
      return () => agentAmong(owners, { socket: new Socket(), isHere: true }, { project, among: undefined });
    }

    it('does not count from an agent, from one that has ended, or while any agent works', async () => {
      expect((await toldOf('agent'))()).toBe('run-7');
      expect(await toldOf('ended')).toThrow('cannot be seen, and it could be one of an agent');
      expect(await toldOf('other', { works: true })).toThrow('cannot be seen');
      expect(await toldOf('unknown', { works: true })).toThrow('cannot be seen');
    });

    it('counts where no agent works', async () => {
      expect((await toldOf('other'))()).toBeUndefined();
      expect((await toldOf('unknown'))()).toBeUndefined();
    });
  });

  const outside = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

  it.runIf(outside !== undefined)('does not count by way of another address of this machine', async () => {
    const { project, server } = await served({ host: '0.0.0.0' });
    const { id } = await call(project);
    const to = { host: outside ?? '', port: server.port };
    expect(await sendYes(id, server.token, to)).toBe('HTTP/1.1 403 Forbidden');
    expect(phaseOf(project, id)).toBe('open');
  });

  it('does not count from the port of a connection that a human has open, at another address', async () => {
    const { project, server } = await served();
    const human = connect(server.port, '127.0.0.1');
    onTestFinished(() => void human.destroy());
    await once(human, 'connect');
    human.write('GET /api/events HTTP/1.1\r\nHost: x\r\n');
    const { localPort = 0 } = human;
    for (const last of [2, 3, 4, 5, 6, 7]) {
      const { id } = await call(project, String(last));
      const from = { localAddress: `127.0.0.${last}`, localPort };
      const to = { host: '127.0.0.1', port: server.port, ...from };
      expect(await sendYes(id, server.token, to)).toBe('HTTP/1.1 403 Forbidden');
    }
  });
});

describe.runIf(hasNamespaces)('a yes from a process whose open files the server cannot see', () => {
  async function servedBySomebodyElse(all: 'alone' | 'everywhere' = 'alone') {
    const { root, project } = await projectWithSprint();
    const { id } = await call(project);
    const asSomebodyElse = { cwd: root, env: { XDG_STATE_HOME: root }, by: otherUsers };
    const other = await projectWithSprint();
    await addProject({ XDG_STATE_HOME: root }, other.root);
    const isAll = all === 'everywhere';
    const args = ['serve', '--port', '0', '--json', ...(isAll ? ['--everywhere'] : [])];
    const { printed } = startClifford(args, asSomebodyElse);
    const [line] = await printed(/^\{.*\}$/m);
    const { url, token } = JSON.parse(line) as { url: string; token: string };
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const approve = async () => {
      const below = isAll ? `p/${basename(root)}/` : '';
      const reply = await fetch(`${url}${below}api/questions/${id}/approve`, {
        method: 'POST',
        headers,
        body: '{}',
      });
      return { status: reply.status, text: await reply.text() };
    };
    /** Has all that is served read what has happened. */
    const look = () => fetch(`${url}api/projects`, { headers });
    return { project, other: other.project, id, approve, look };
  }

  it('counts where none of those processes is an agent, and not where one of them came to be that has the connection from another', async () => {
    const { root, project } = await projectWithSprint();
    const ids: string[] = [];
    for (const file of ['1', '2', '3']) ids.push((await call(project, file)).id);
    const paths = ids.map((id) => `/api/questions/${id}/approve`);
    const marking = JSON.stringify(['prlimit', `--locks=${2n ** 62n}`, '--']);
    const [file = '', ...line] = [
      ...ownProcesses,
      process.execPath,
      '-e',
      handsOn,
      cliFile,
      heir,
      marking,
      ...paths,
    ];
    const env = adasEnvironment({ XDG_STATE_HOME: root });
    const { stdout } = await promisify(execFile)(file, line, { cwd: root, env });
    expect(stdout.trim().split('\n')).toEqual([
      'HTTP/1.1 200 OK',
      'HTTP/1.1 403 Forbidden',
      'HTTP/1.1 200 OK',
    ]);
    await project.refresh();
    expect(ids.map((id) => phaseOf(project, id))).toEqual(['answered', 'open', 'answered']);
  });

  /** A page that is served to somebody who is nobody else here. */
  async function servedToNobody({ works }: { readonly works: boolean }) {
    const { root, project } = await projectWithSprint();
    const { id } = await call(project);
    if (works) {
      const agent = spawn('sleep', ['60'], { stdio: 'ignore', uid: NOBODY });
      onTestFinished(() => void agent.kill());
      await project.record('demo', [
        on('demo/a', 'agent.started', { runId: 'run-7', ...identify(agent.pid ?? 0) }),
      ]);
    }
    await promisify(execFile)('chown', ['-R', `${NOBODY}`, root]);
    const { printed } = startClifford(['serve', '--port', '0', '--json'], {
      cwd: root,
      env: { XDG_STATE_HOME: join(root, 'state') },
      by: ['setpriv', `--reuid=${NOBODY}`, '--clear-groups'],
    });
    const [line] = await printed(/^\{.*\}$/m);
    const { url, token } = JSON.parse(line) as { url: string; token: string };
    const port = Number(new URL(url).port);
    const request = [String(port), requestFor(id, { port, token })];
    const phase = async () => {
      await project.refresh();
      return phaseOf(project, id);
    };
    const send = async (how: string) => {
      const args = ['-c', hides, how, ...request];
      return (await promisify(execFile)('python3', args, { ...asAgent, uid: NOBODY })).stdout;
    };
    return { request, send, phase };
  }

  /** Starts a program that lives beside the page, and returns the first that it prints. */
  async function beside(text: string, args: readonly string[], { uid = NOBODY } = {}) {
    const program = spawn('python3', ['-c', text, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
      env: {},
      uid,
    });
    onTestFinished(() => void process.kill(-(program.pid ?? 0), 'SIGKILL'));
    return String((await once(program.stdout, 'data'))[0]);
  }

  describe.runIf(hasPython && canBeNobody)(
    'by a connection that no process of the user has among its open files',
    () => {
      it.each(['thread', 'sent', 'sent by a thread', 'read'])(
        'does not count while an agent works: %s',
        async (how) => {
          const { send, phase } = await servedToNobody({ works: true });
          expect(await send(how)).toBe('HTTP/1.1 403 Forbidden\n');
          expect(await phase()).toBe('open');
        },
      );

      it('does not count when the run is over', async () => {
        const { send, phase } = await servedToNobody({ works: false });
        expect(await send('read')).toBe('HTTP/1.1 403 Forbidden\n');
        expect(await phase()).toBe('open');
      });

      it('does not count from an agent beside one of the user that hides its own', async () => {
        const { send, phase } = await servedToNobody({ works: false });
        await beside(hidesFiles, []);
        expect(await send('read')).toBe('HTTP/1.1 403 Forbidden\n');
        expect(await phase()).toBe('open');
      });

      it('does not count from an agent beside a tunnel where it is under way to a thread', async () => {
        const { send, phase } = await servedToNobody({ works: false });
        await beside(tunnel, [String(NOBODY)], { uid: 0 });
        expect(await send('sent by a thread')).toBe('HTTP/1.1 403 Forbidden\n');
        expect(await phase()).toBe('open');
      });

      it('counts through a tunnel while an agent works, also beside a process of the user that has ended', async () => {
        const { request, phase } = await servedToNobody({ works: true });
        await beside(hasEnded, []);
        expect(await beside(tunnel, [String(NOBODY), ...request], { uid: 0 })).toBe('HTTP/1.1 200 OK\n');
        expect(await phase()).toBe('answered');
      });
    },
  );

  it('does not count while one of them is an agent, whoever has sent it', async () => {
    const { project, id, approve } = await servedBySomebodyElse();
    const agent = spawn('sleep', ['60'], { stdio: 'ignore' });
    onTestFinished(() => void agent.kill());
    const { pid = 0 } = agent;
    await project.record('demo', [on('demo/a', 'agent.started', { runId: 'run-7', ...identify(pid) })]);
    expect(await approve()).toMatchObject({
      status: 403,
      text: expect.stringContaining('cannot be seen, and it could be one of an agent'),
    });
    expect(phaseOf(project, id)).toBe('open');
  });

  it('does not count while one of them is an agent of another project that is served beside it', async () => {
    const { other, approve, look } = await servedBySomebodyElse('everywhere');
    const agent = spawn('sleep', ['60'], { stdio: 'ignore' });
    onTestFinished(() => void agent.kill());
    const { pid = 0 } = agent;
    await other.record('demo', [on('demo/a', 'agent.started', { runId: 'run-7', ...identify(pid) })]);
    await look();
    expect(await approve()).toMatchObject({ status: 403, text: expect.stringContaining('cannot be seen') });
  });
});
