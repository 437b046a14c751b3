import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { Session } from './connection/session.ts';
import { SessionContext } from './context.ts';
import { later } from './parts/later.tsx';
import { installShell } from './shell/install-shell.ts';
import './look/tokens.css';
import './look/base.css';
import './look/button.css';
import './look/text.css';
import './look/state.css';
import './look/notice.css';
import './look/field.css';
import './look/chip.css';
import './look/tabs.css';
import './look/menu.css';
import './look/prose.css';
import './look/shell.css';
import './look/told.css';
import './look/inbox.css';
import './look/progress.css';
import './look/modal.css';
import './look/modal-phone.css';
import './look/question.css';
import './look/call.css';
import './look/facts.css';
import './look/command.css';
import './look/edit.css';
import './look/diff.css';
import './look/sprint.css';
import './look/columns.css';
import './look/tasks.css';
import './look/task.css';
import './look/events.css';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no place to be drawn in');
const ListOfAll = later(async () => (await import('./projects/list-of-all.tsx')).listOfAll(), 'The list');
const isList = document.documentElement.dataset['of'] === 'projects';
createRoot(root).render(<StrictMode>{isList ? <ListOfAll /> : page()}</StrictMode>);
installShell();

/** The page of one project. */
function page() {
  const session = new Session();
  session.start();
  return (
    <SessionContext value={session}>
      <App />
    </SessionContext>
  );
}
