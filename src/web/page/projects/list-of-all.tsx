import { ProjectList } from '../connection/project-list.ts';
import { ProjectsPage } from './projects-page.tsx';
import '../look/projects.css';

/** What leads to the pages of several projects. */
export function listOfAll() {
  const list = new ProjectList();
  list.start();
  return <ProjectsPage list={list} />;
}
