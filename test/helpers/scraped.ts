/** What is served at an address, and how. */
export async function scrape(url: string): Promise<{ status: number; type: string | null; text: string }> {
  const response = await fetch(url);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

/** The values of a text for Prometheus, by name and labels. @throws when one has no help or type before it. */
export function valuesIn(text: string): ReadonlyMap<string, number> {
  const [helped, typed] = ['HELP', 'TYPE'].map(
    (word) => new Set([...text.matchAll(new RegExp(`^# ${word} (\\w+) .+$`, 'gm'))].map(([, name]) => name)),
  );
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line): [string, number] => {
      const {
        key = '',
        name = '',
        value,
      } = /^(?<key>(?<name>\w+)(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})?) (?<value>\S+)$/.exec(line)?.groups ??
      {};
      const base = name.replace(/_(?:bucket|sum|count)$/, '');
      const isTold = [name, base].some((each) => helped?.has(each) && typed?.has(each));
      if (!isTold || value === undefined || Number.isNaN(Number(value)))
        throw new Error(`Not a value of a metric that was described: ${line}`);
      return [key, Number(value)];
    }),
  );
}
