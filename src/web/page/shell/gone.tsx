import '../look/way-in.css';

/** Where no project has the name that is in the address: the way to those that there are. */
export function Gone() {
  return (
    <main className="way-in">
      <img src="./icon.svg" width="48" height="48" alt="" />
      <h1>There is no project of this name here</h1>
      <p className="muted">
        It may have another name by now, or not be in the list any more. If it comes back, this page goes on
        by itself.
      </p>
      <a className="button first" href="../../">
        All projects
      </a>
    </main>
  );
}
