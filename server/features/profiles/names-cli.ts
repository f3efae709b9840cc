/** `npm run names` lists the names that wait for a review. `approve` or `decline` with an id and `--ground` decides. */
import { parseArgs } from 'node:util';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { ground as groundSchema } from '@stagedoor/contract/processor-desk.ts';
import { atTheMachine } from '../../kernel/at-the-machine.ts';
import { systemClock } from '../../kernel/clock.ts';
import { createLogger } from '../../kernel/log.ts';
import { createSecurityLog } from '../../kernel/security-log.ts';
import { decideName, listWaiting, NAME_DECISIONS, type WaitingName } from './names.ts';

const USAGE = 'npm run names -- [list | approve ID | decline ID] [--ground "why"]';

function lineOf({ id, askedAt, username, name, verifiedName, readsLike }: WaitingName): string {
  const alike = readsLike === undefined ? '' : `, READS LIKE @${readsLike}`;
  const names = `${JSON.stringify(verifiedName)} wants to be ${JSON.stringify(name)}`;
  return `${id}  ${askedAt.toISOString().slice(0, 16).replace('T', ' ')}  @${username}: ${names}${alike}`;
}

await atTheMachine(async ({ db }) => {
  const { values, positionals } = parseArgs({ options: { ground: { type: 'string' } }, allowPositionals: true });
  const [verb = 'list', id = ''] = positionals;
  if (verb === 'list') {
    const waiting = await listWaiting(db);
    for (const one of waiting) console.log(lineOf(one));
    console.log(waiting.length === 0 ? 'No name waits.' : USAGE);
    return;
  }
  const decision = NAME_DECISIONS.find((known) => known === verb);
  if (!decision || !isId(id)) throw new Error(USAGE);
  const ground = groundSchema.safeParse(values.ground ?? '');
  if (!ground.success) throw new Error(`--ground: ${ground.error.issues[0]?.message ?? 'Please say why.'}`);
  const log = createLogger({ level: 'warn', isPretty: true });
  const security = createSecurityLog(() => db, systemClock, log);
  await decideName({ db, clock: systemClock, security }, id, { decision, ground: ground.data });
  await security.close();
  console.log(decision === 'approve' ? 'Approved: it has the tick.' : 'Declined: the name of before is back.');
});
