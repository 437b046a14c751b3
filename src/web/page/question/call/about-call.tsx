import type { RefObject } from 'react';
import { rulesAskingNow } from '../../../../views/requests/asking-rule.ts';
import { trustText } from '../../../../views/requests/trust-text.ts';
import type { SentCall, SentQuestion } from '../../../api/question.ts';
import { Facts } from '../../parts/facts.tsx';

/** So many characters of what is called stand in its title on every page. */
const MOST_IN_TITLE = 50;

type AboutCallProps = Pick<SentQuestion, 'command'> & {
  readonly call: SentCall;
  /** Given these facts, unless they name the call. */
  readonly besides: RefObject<HTMLDListElement | null> | undefined;
};

/** Whose tool it is, what is said of it, where the risk comes from, too, and why it is asked about. */
export function AboutCall({ call, command, besides }: AboutCallProps) {
  const { server, tool, agent, isTrusted, rule, hints } = call;
  const askingNow = rulesAskingNow(command?.parts ?? [], rule);
  const called = `${server}/${tool}`;
  const isCut = agent === undefined && called.length > MOST_IN_TITLE;
  const whose =
    agent === undefined
      ? [
          { label: 'Tool', text: isCut ? called : '' },
          { label: 'Server', text: `${server} (${trustText(isTrusted)})` },
        ]
      : [
          { label: 'Kind', text: tool },
          { label: 'Agent', text: `${agent}, its own tool` },
        ];
  const said = { label: isTrusted ? 'It says' : 'It claims', text: hints.join(', ') };
  const asked = { label: askingNow.length > 0 ? 'Rule that asked' : 'Rule', text: rule };
  const asks = { label: 'What asks now', text: askingNow.join(', ') };
  const facts = [...whose, said, asked, asks].filter(({ text }) => text !== '');
  return <Facts facts={facts} ref={isCut ? undefined : besides} />;
}
