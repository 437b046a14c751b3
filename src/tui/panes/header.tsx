import { Box, Text } from 'ink';
import { memo } from 'react';
import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import { cellsOf } from '../../lib/text/cells.ts';
import { stripAgentLine } from '../../lib/text/sanitise.ts';
import type { ScreenView } from '../../views/sprints/sprint-view.ts';
import { idAmong } from '../../views/sprints/several-projects.ts';
import { idleTexts, sprintWord, taskWord } from '../../views/sprints/standing.ts';
import { useHasRunner, useSince } from '../terminal/clock.ts';
import { isNarrow } from '../terminal/layout.ts';
import { colors, lookOfWord } from '../terminal/theme.ts';
import { GAP, headerParts, WAITED, type HeaderParts } from '../text/header-parts.ts';
import { Part } from './list-row.tsx';
import { ProgressBar } from './progress-bar.tsx';

/** Said in full where there is room. */
function noRunner({ queuedAt }: ScreenView, columns: number): string {
  const [full, short] = idleTexts(queuedAt !== undefined);
  return isNarrow(columns) ? short : full;
}
/** Stands at the end of the line in the past, at any width. */
const PAST = ' PAST ';
/** Among the counts it is not to be read over. */
const FAILED = /(\d+ failed)/;
const OUTSIDE = 'what is asked outside of any sprint';

type HeaderProps = {
  readonly sprint: ScreenView;
  /** What its project is called, where it is one of several. */
  readonly among?: string | undefined;
  readonly columns: number;
  /** It is a moment of the past. */
  readonly isStill?: boolean;
};

/** The first line: how the sprint stands, and whether someone is needed. When all is over, no clock has to tick. */
export const Header = memo(function Header(props: HeaderProps) {
  if (props.sprint.state === 'done') return <HeaderLine {...props} fixed={props.isStill ? PAST : ''} />;
  return <LiveHeader {...props} />;
});

/** Says whether the sprint moves: nobody runs it, or how long ago something happened. */
function LiveHeader(props: HeaderProps) {
  const { sprint, columns, isStill = false } = props;
  const hasRunner = useHasRunner();
  const isLeft = !hasRunner && sprint.id !== ADHOC_STREAM;
  return (
    <HeaderLine
      {...props}
      hasRunner={hasRunner}
      fixed={isStill ? PAST : isLeft ? noRunner(sprint, columns) : undefined}
    />
  );
}

type LineProps = HeaderProps & {
  readonly hasRunner?: boolean;
  /** Stands at the end in place of how long ago something happened. */
  readonly fixed: string | undefined;
};

/** What was asked in the past waits for nobody, and what stood then alarms nobody: both are faint. */
function HeaderLine({ sprint, among, columns, isStill = false, hasRunner = true, fixed }: LineProps) {
  const isOutside = sprint.id === ADHOC_STREAM;
  const name = among === undefined ? sprint.name : idAmong(among, sprint.name);
  const { mark, word, color } = lookOfWord(sprintWord(sprint, hasRunner));
  const state = isOutside ? '' : `${mark} ${word}  `;
  const parts = headerParts({
    name: stripAgentLine(isOutside ? `${name}: ${OUTSIDE}` : name),
    open: sprint.open,
    tasks: isOutside ? [] : sprint.tasks,
    head: cellsOf(state),
    columns,
    fixed,
    isPast: isStill,
    states: isOutside ? '' : statesOf(sprint, hasRunner),
  });
  return (
    <Box justifyContent="space-between" paddingX={1} width={columns} height={1}>
      <Text wrap="truncate">
        <Text bold={!isStill} dimColor={isStill} {...(color && !isStill ? { color } : {})}>
          {state}
        </Text>
        <Text bold>{parts.name}</Text>
        {parts.bar > 0 && ' '.repeat(GAP)}
        <ProgressBar tasks={sprint.tasks} cells={parts.bar} />
        {parts.counts !== '' && ' '.repeat(parts.bar > 0 ? 1 : GAP)}
        {parts.counts.split(FAILED).map((text, at) => (
          <Part key={at} {...(FAILED.test(text) && !isStill ? { color: colors.bad } : { dim: true })}>
            {text}
          </Part>
        ))}
      </Text>
      <Box flexShrink={0} gap={GAP}>
        {parts.open !== '' && isStill && <Text dimColor>{`${parts.open}${WAITED}`}</Text>}
        {parts.open !== '' && !isStill && (
          <Text bold inverse color={colors.question}>
            {` ? ${parts.open} `}
          </Text>
        )}
        {fixed === undefined && parts.life !== 'none' && (
          <LastEvent at={sprint.lastEventAt} life={parts.life} />
        )}
        {fixed !== undefined && fixed !== '' && (
          <Text bold={isStill} inverse={isStill} color={isStill ? colors.focus : colors.question}>
            {fixed}
          </Text>
        )}
      </Box>
    </Box>
  );
}

/** The sign of life. It costs nothing while nothing happens: after a minute it changes once in a minute. */
function LastEvent({ at, life }: { at: string | undefined; life: HeaderParts['life'] }) {
  const since = useSince(at);
  if (since === '') return <Text dimColor>no event yet</Text>;
  return <Text dimColor>{life === 'long' ? `last event ${since} ago` : `quiet ${since}`}</Text>;
}

/** `1 of 3 done · 1 failed · 1 pending`. */
function statesOf({ tasks }: ScreenView, hasRunner: boolean): string {
  if (tasks.length === 0) return '';
  const byWord = Map.groupBy(tasks, (task) => taskWord(task, hasRunner));
  const others = [...byWord]
    .filter(([word]) => word !== 'done')
    .map(([word, { length }]) => `${length} ${word}`);
  return [`${byWord.get('done')?.length ?? 0} of ${tasks.length} done`, ...others].join(' · ');
}
