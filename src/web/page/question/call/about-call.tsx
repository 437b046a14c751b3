import { rulesAskingNow } from '../../../../views/requests/asking-rule.ts';
import { beliefText } from '../../../../views/requests/belief-text.ts';
import type { SentCall, SentQuestion } from '../../../api/question.ts';
import { Facts } from '../../parts/facts.tsx';

/** So many characters of what is called stand in its title in the lowest window. */
const MOST_IN_TITLE = 16;

type AboutCallProps = { readonly call: SentCall } & Pick<SentQuestion, 'command'>;

/** Whose tool it is, what is said of it, where the risk comes from, too, and why it is asked about. */
export function AboutCall({ call, command }: AboutCallProps) {
  const { server, tool, agent, isTrusted, rule, hints } = call;
  const askingNow = rulesAskingNow(command?.parts ?? [], rule);
  const called = `${server}/${tool}`;
  const whose =
    agent === undefined
      ? [
          { label: 'Tool', text: called.length > MOST_IN_TITLE ? called : '' },
          { label: 'Server', text: `${server} (${beliefText(isTrusted)})` },
        ]
      : [
          { label: 'Kind', text: tool },
          { label: 'Agent', text: `${agent}, its own tool` },
        ];
  const said = { label: isTrusted ? 'It says' : 'It claims', text: hints.join(', ') };
  const asked = { label: askingNow.length > 0 ? 'Rule that asked' : 'Rule', text: rule };
  const asks = { label: 'What asks now', text: askingNow.join(', ') };
  return <Facts facts={[...whose, said, asked, asks].filter(({ text }) => text !== '')} />;
}
