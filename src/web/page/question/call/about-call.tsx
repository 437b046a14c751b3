import { rulesAskingNow } from '../../../../views/requests/asking-rule.ts';
import { trustText } from '../../../../views/requests/trust-text.ts';
import type { SentCall, SentQuestion } from '../../../api/question.ts';
import { Facts } from '../../parts/facts.tsx';

type AboutCallProps = { readonly call: SentCall } & Pick<SentQuestion, 'command'>;

/** Whose tool it is, what is said of it, where the risk comes from, too, and why it is asked about. */
export function AboutCall({ call, command }: AboutCallProps) {
  const { server, tool, agent, isTrusted, rule, hints } = call;
  const askingNow = rulesAskingNow(command?.parts ?? [], rule);
  const whose =
    agent === undefined
      ? [
          // In a low window its title is cut.
          { label: 'Tool', text: `${server}/${tool}` },
          { label: 'Server', text: `${server} (${trustText(isTrusted)})` },
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
