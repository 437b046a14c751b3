import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as a service got it. */
export type Received = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
};

/** What a service answers; `undefined`: it hangs up without a word. */
export type Answer =
  | {
      readonly status?: number;
      readonly headers?: Record<string, string>;
      readonly json?: unknown;
      readonly text?: string;
    }
  | undefined;

/** A web server on loopback, closed when the test is finished. */
export async function webServer(
  answer: (received: Received, response: ServerResponse) => Promise<Answer> | Answer,
): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((request, response) => void handle(request, response));
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const received = {
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    const given = await answer(received, response);
    if (response.destroyed || response.writableEnded) return;
    if (!given) return void request.socket.destroy();
    const { status = 200, headers = {}, json, text } = given;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(text ?? JSON.stringify(json ?? {}));
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
