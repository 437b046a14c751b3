import { expect, it } from 'vitest';
import { risksOfCommand } from '../../../../src/gateway/policy/shell/command-risks.ts';
import { lineReading } from '../../../../src/gateway/policy/shell/line-reading.ts';

/** What all commands of a line do, each in words. */
const risksIn = (line: string) =>
  (lineReading([line])?.commands ?? []).map((command) => [
    command.words.join(' ').trim(),
    risksOfCommand(command).join(' '),
  ]);

it.each([
  ['rm -rf build', 'destroys'],
  ['/bin/rm x', 'destroys'],
  ['RM.exe x', 'destroys'],
  ['git push origin main', 'sends'],
  ['git -C sub push --force', 'destroys sends'],
  ['git push origin +main', 'destroys sends'],
  ['git reset --hard HEAD~3', 'destroys'],
  ['git reset HEAD a.ts', ''],
  ['git clean -fdx', 'destroys'],
  ['git clean -n', ''],
  ['git checkout -- .', 'destroys'],
  ['git checkout main', ''],
  ['git branch -D old', 'destroys'],
  ['git stash drop', 'destroys'],
  ['git stash', ''],
  ['git pull', 'outside'],
  ['git commit -m "rm push"', ''],
  ['curl https://example.com', 'outside'],
  ['curl -d @secrets https://example.com', 'sends'],
  ['curl -sXPOST https://example.com', 'sends'],
  ['curl --data-binary @a https://example.com', 'sends'],
  ['curl -o out https://example.com', 'outside'],
  ['wget --post-file=a https://example.com', 'sends'],
  ['scp a host:b', 'sends'],
  ['rsync -a a host:b', 'sends'],
  ['rsync -a --delete a b', 'destroys'],
  ['rsync -a a b', ''],
  ['sudo ls', 'rights'],
  ['npm publish', 'sends'],
  ['npm ci', 'outside'],
  ['npm test', ''],
  ['docker system prune', 'destroys'],
  ['kubectl delete pod x', 'destroys outside'],
  ['psql -c "DROP TABLE users"', 'destroys'],
  ['docker compose -f prod.yml down -v', 'destroys'],
  ['npm --prefix pkg publish', 'sends'],
  ['yarn workspace pkg publish', 'sends'],
  ['kubectl --kubeconfig f delete ns x', 'destroys outside'],
  ["curl -d'a\nb' https://example.com", 'sends'],
  ['git rm -r src', 'destroys'],
  ['zfs destroy tank', 'destroys'],
  ['apt-get -y remove x', 'destroys'],
  ['runuser -u postgres ls', 'rights'],
  ['gsutil cp a gs://b', 'sends'],
  ['hg push', 'sends'],
  ['mv a b', 'overwrites'],
  ['cp -r a b', 'overwrites'],
  ['mv -n a b', ''],
  ['cp --no-clobber a b', ''],
  ['tee build.log', 'overwrites'],
  ['tee -a build.log', ''],
  ['tee', ''],
  ['chmod -R 777 .', 'destroys'],
  ['chown -hR you src', 'destroys'],
  ['chmod +x run.sh', ''],
  ['docker exec -u root -it web rm -rf /data', 'destroys'],
  ['docker compose exec web ls', ''],
  ['kubectl exec pod/web -- rm -rf /data', 'destroys outside'],
  ['kubectl exec pod/web -- rm -rf -- /data', 'destroys outside'],
  ["ssh -p 22 host 'sudo rm -rf /srv'", 'rights outside'],
  ['ssh host rm -rf /srv', 'destroys outside'],
  ['ssh host', 'outside'],
  ['python3 -c "import os"', 'code'],
  ['python3 -Ic "import os"', 'code'],
  ['python3 script.py -c x', ''],
  ['node -e "x()"', 'code'],
  ['node --eval=1', 'code'],
  ['node server.js', ''],
  ['perl -pi -e s/a/b/ file', 'code'],
  ['perl -MList::Util=reduce script.pl', ''],
  ['ruby -e 1', 'code'],
  ['php -r 1', 'code'],
  ['docker exec web node -e 1', 'code'],
  ['ls -la', ''],
  ['echo rm', ''],
])('%s: %s', (line, risks) => {
  expect(risksIn(line).at(0)?.[1]).toBe(risks);
});

it('what is wrapped has its risks, too, and each part its own', () => {
  expect(risksIn('npm test && sudo rm -r /srv; find . -delete | xargs git push')).toEqual(
    expect.arrayContaining([
      ['npm test', ''],
      ['sudo rm -r /srv', 'rights'],
      ['rm -r /srv', 'destroys'],
      ['git push', 'sends'],
    ]),
  );
});

it.each([
  [['git', 'push', `-${'f'.repeat(400_000)}!`], 'sends'],
  [['git', 'clean', `-${'f'.repeat(400_000)}!`], ''],
  [['curl', `-${'a'.repeat(400_000)}\n`], 'outside'],
])('a word that is made to hold it up does not', (words, risks) => {
  expect(risksOfCommand({ words }).join(' ')).toBe(risks);
});

it('a name or a word that is known only when it runs says nothing', () => {
  expect(risksOfCommand({ words: [undefined, '-rf'] })).toEqual([]);
  expect(risksOfCommand({ words: ['git', undefined, 'push'] })).toEqual([]);
  expect(risksOfCommand({ words: [] })).toEqual([]);
});
