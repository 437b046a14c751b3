import { goTo, routeNow } from '../route.ts';
import { allMarks, isAllThatMatters, markNames, pressed, type ShownMarks } from './shown-marks.ts';

/** Which events are shown: all, those that matter, or those of some sorts. It stands in the address. */
export function EventFilter({ shown }: { readonly shown: ShownMarks }) {
  const isAll = isAllThatMatters(shown);
  const show = (next: ShownMarks) => goTo({ ...routeNow(), show: next }, { replace: true });
  return (
    <div className="event-filter">
      <div className="event-chips" role="group" aria-label="Which events are shown">
        <Chip name="All" isOn={shown === undefined} onPress={() => show(undefined)} />
        <Chip name="What matters" isOn={isAll} onPress={() => show(allMarks)} />
        <div className="event-chips">
          {allMarks.map((mark) => (
            <Chip
              key={mark}
              name={markNames[mark]}
              isOn={!isAll && shown?.includes(mark) === true}
              onPress={() => show(pressed(mark, shown))}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

type ChipProps = { readonly name: string; readonly isOn: boolean; readonly onPress: () => void };

function Chip({ name, isOn, onPress }: ChipProps) {
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={onPress}>
      {name}
    </button>
  );
}
