import { spawn } from 'node:child_process';
import { PassThrough, Readable, Writable } from 'node:stream';
import {
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

/**
 * A turn of a session as an editor has it: the SDK's own client, all prompts answered with "once". Returns the lines
 * that came and went.
 */
export async function editorTurn(
  {
    file,
    args,
    cwd,
    env,
  }: { file: string; args: readonly string[]; cwd: string; env: Record<string, string> },
  prompt: string,
): Promise<{
  readonly heard: readonly string[];
  readonly said: readonly string[];
  readonly stopReason: string;
}> {
  const child = spawn(file, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = new Promise((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  const [heard, said] = [new PassThrough(), new PassThrough()];
  const bytes: Record<'heard' | 'said', Buffer[]> = { heard: [], said: [] };
  child.stdout.on('data', (chunk: Buffer) => void (bytes.heard.push(chunk), heard.write(chunk)));
  said.on('data', (chunk: Buffer) => void (bytes.said.push(chunk), child.stdin.write(chunk)));
  const readable = z.instanceof(ReadableStream<Uint8Array>).parse(Readable.toWeb(heard));
  const writable = z.instanceof(WritableStream<Uint8Array>).parse(Writable.toWeb(said));
  const connection = client({ name: 'editor' })
    .onRequest(
      methods.client.session.requestPermission,
      ({ params: { options } }): RequestPermissionResponse => {
        const once = options.find(({ kind }) => kind === 'allow_once');
        return {
          outcome: once ? { outcome: 'selected', optionId: once.optionId } : { outcome: 'cancelled' },
        };
      },
    )
    .onNotification(methods.client.session.update, () => undefined)
    .connect(ndJsonStream(writable, readable));
  const { agent } = connection;
  await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
    clientInfo: { name: 'editor', version: '1.0.0' },
  });
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
  const { stopReason } = await agent.request(methods.agent.session.prompt, {
    sessionId,
    prompt: [{ type: 'text', text: prompt }],
  });
  await agent.request(methods.agent.session.list, {});
  child.stdin.end();
  await closed;
  return { heard: linesOf(bytes.heard), said: linesOf(bytes.said), stopReason };
}

function linesOf(chunks: readonly Buffer[]): string[] {
  return Buffer.concat(chunks).toString('utf8').trimEnd().split('\n');
}
