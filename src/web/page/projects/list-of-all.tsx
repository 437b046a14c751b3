import type { ComponentType } from 'react';
import { ProjectList } from '../connection/project-list.ts';
import { ProjectsPage } from './projects-page.tsx';
import '../look/projects.css';

/** Begins to look at all projects. Returns what leads to their pages. */
export function listOfAll(): ComponentType {
  const list = new ProjectList();
  list.start();
  return () => <ProjectsPage list={list} />;
}
