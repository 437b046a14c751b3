import { Text } from 'ink';
import type { Remark } from '../text/remark.ts';

/** What there is to say, a line each. */
export function RemarkLines({ remarks }: { remarks: readonly Remark[] }) {
  return remarks.map(({ text, color }, at) => (
    <Text key={at} wrap="truncate" {...(color ? { color } : {})}>
      {` ${text}`}
    </Text>
  ));
}
