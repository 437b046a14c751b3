import { Box, Text } from 'ink';

type LineProps = {
  readonly rows: number;
  /** How it begins. Default: as it goes on. */
  readonly start?: string;
  /** The rows, from 0, at which a rule left of it ends. */
  readonly joinsAt?: readonly number[] | undefined;
  /** The row at which one right of it begins. */
  readonly branchAt?: number | undefined;
};

/** The line between two columns. */
export function Line({ rows, start = '│', joinsAt = [], branchAt }: LineProps) {
  const signAt = (at: number) =>
    joinsAt.includes(at) ? '┤' : at === branchAt ? '├' : at === 0 ? start : '│';
  const line = Array.from({ length: rows }, (_, at) => signAt(at));
  return (
    <Box flexShrink={0} width={1}>
      <Text dimColor>{line.join('\n')}</Text>
    </Box>
  );
}
