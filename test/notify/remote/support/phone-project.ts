import { calledProject } from './called-project.ts';
import { telegramServer } from './telegram-server.ts';

const token = '123456:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';
/** Who answers there. */
export const ada = 4711;

/** A channel where ada answers. */
export function phoneAt(url: string) {
  return {
    via: 'telegram',
    url,
    token: '${BOT_TOKEN}',
    chat: String(ada),
    after: 0,
    answers: { ada: String(ada) },
    approvals: true,
  };
}

/** A project that calls through a bot of Telegram. Nobody is called yet. */
export async function withPhone(channel: object = {}, home?: string) {
  const server = await telegramServer(token);
  const phone = { ...phoneAt(server.url), ...channel };
  const called = await calledProject({
    notify: { channels: { phone } },
    env: { BOT_TOKEN: token, ...(home === undefined ? {} : { XDG_STATE_HOME: home }) },
  });
  const request = async (id: string) =>
    (await called.project.refresh()).streams.get('demo')?.requests.get(id);
  const edits = () => server.calls.filter(({ method }) => method.startsWith('editMessage'));
  return { server, ...called, request, edits };
}
