import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { expect, it, onTestFinished } from 'vitest';
import { CliffordMcpServer } from '../../src/index.ts';
import { clifford, followClifford, startClifford } from '../helpers/clifford-process.ts';
import { agentCmd } from '../helpers/sprint-run.ts';
import { openTestProject, projectWithSprint, tempRoot, writeSprint } from '../helpers/temp-project.ts';
import { textOf } from '../mcp/support/connect-agent.ts';
import { startServer } from '../mcp/support/mcp-process.ts';
import { untilLogged } from '../mcp/support/project-log.ts';
import { askOf, closed, filesIn } from '../signals/support/serve-files.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { logEnv } from '../helpers/log-env.ts';

const block = '.clifford/mcp-block.json';
const response = '.clifford/mcp-response.json';

describeOnEachEngine('files', () => {
  it('clifford run shows the question of its agent as a file, and takes the answer from one', async () => {
    const root = await tempRoot();
    await writeSprint(root, { tasks: ['a'] });
    const files = filesIn(root);
    const { ended } = followClifford(['run', '--agent-cmd', agentCmd('ask')], { cwd: root });
    expect(await files.appears(block)).toMatchObject({ task: 'a', question: 'Which port?' });
    await files.write(response, { response: '8080' });
    const { code, out, err } = await ended;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('signal.received response in .clifford/mcp-response.json\n');
    expect(out).toContain('a | answer: 8080\n');
    expect(files.has(block)).toBe(false);
  });

  it('clifford attach serves the files while nobody runs the sprint', async () => {
    const { root, project, stream } = await projectWithSprint();
    const files = filesIn(root);
    const { id } = await askOf(project, 'help', 'Which port?', { stream, task: 'a' });
    const attached = startClifford(['attach', '--plain'], { cwd: root });
    await files.appears(block);
    expect(CliffordMcpServer.resolveViaFile('8080', { projectRoot: root })).toBe(true);
    expect((await closed(project, id)).answer?.response).toBe('8080');
    await attached.printed(/help\.answered somebody through file: 8080/);
    attached.kill('SIGINT');
    await attached.ended;
    expect(await clifford(['status'], { cwd: root })).toMatchObject({ code: 0 });
  });

  it('an MCP server serves the files of its agent’s questions, and takes them away when it leaves', async () => {
    const { root, project } = await projectWithSprint();
    const files = filesIn(root);
    const server = startServer(root, { env: { CURRENT_SPRINT_DIR: 'sprints/demo' } });
    const { call } = await server.connect();
    const first = call('request_help', { task: 'a', reason: 'two ways', question: 'Which port?' });
    await files.appears(block);
    await files.write(response, { response: '8080' });
    expect(textOf(await first)).toBe('8080');
    await files.vanishes(block);

    call('request_help', { task: 'a', reason: 'two ways', question: 'And the host?' }).catch(() => undefined);
    expect(await files.appears(block)).toMatchObject({ question: 'And the host?' });
    const { code } = await server.exitAfter(() => server.child.stdin.end());
    expect(code).toBe(0);
    expect(files.has(block)).toBe(false);
    expect(server.stderr).toBe('');
    await untilLogged(project, 'help.detached');
  });

  it('the CliffordMcpServer of the package serves them too, from start to stop', async () => {
    const root = await tempRoot();
    const files = filesIn(root);
    const [transport] = InMemoryTransport.createLinkedPair();
    const server = new CliffordMcpServer({ projectRoot: root, transport, env: logEnv() });
    onTestFinished(() => server.stop());
    await server.start();
    // Listened for first: it may be told before the write is known to be done.
    const asked = new Promise<[{ question: string; requestId: string }]>((resolve) => {
      server.once('block', (...args) => resolve(args));
    });
    await files.write('.agent-questions/test.json', { question: 'Which port?' });
    const [{ question, requestId }] = await asked;
    expect(question).toBe('Which port?');
    await server.answer(requestId, '8080');
    expect(await files.appears('.agent-questions/test_answer.json')).toMatchObject({ answer: '8080' });
    const project = await openTestProject(root);
    await askOf(project, 'help', 'And the host?');
    await files.appears(block);
    await server.stop();
    expect(files.has(block)).toBe(false);
  });
});
