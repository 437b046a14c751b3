import { renderToStaticMarkup } from 'react-dom/server';
import { visibleLine } from '../../lib/text/visible.ts';
import type { SprintReport } from '../../views/sprints/sprint-report.ts';
import { Report, type MadeBy } from './report.tsx';
import { styles } from './styles.ts';

/** No script runs, and nothing is loaded: whoever opens it tells nobody. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** A report as one HTML file that needs no other: it can be sent, kept and printed. */
export function reportHtml(report: SprintReport, madeBy: MadeBy): string {
  const page = (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta httpEquiv="Content-Security-Policy" content={POLICY} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="generator" content={`Clifford ${madeBy.version}`} />
        <title>{`${visibleLine(report.name)}: ${report.word}`}</title>
        {/* Of sheets of our own: nothing in it is anybody else's. */}
        <style dangerouslySetInnerHTML={{ __html: styles }} />
      </head>
      <body>
        <Report report={report} madeBy={madeBy} />
      </body>
    </html>
  );
  return `<!doctype html>\n${renderToStaticMarkup(page)}\n`;
}
