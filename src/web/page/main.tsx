import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { Session } from './connection/session.ts';
import { SessionContext } from './context.ts';
import { installShell } from './shell/install-shell.ts';
import './look/tokens.css';
import './look/base.css';
import './look/parts.css';
import './look/shell.css';
import './look/question.css';
import './look/sprint.css';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no place to be drawn in');
const session = new Session();
createRoot(root).render(
  <StrictMode>
    <SessionContext value={session}>
      <App />
    </SessionContext>
  </StrictMode>,
);
session.start();
installShell();
