/** `npm run names` lists the names that wait for a review. `approve` or `decline` with an id and `--reason` decides. */
import { parseArgs } from 'node:util';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { ground as groundSchema } from '@stagedoor/contract/processor-desk.ts';
import { atTheMachine } from '../../kernel/at-the-machine.ts';
import { systemClock } from '../../kernel/clock.ts';
import { createLogger } from '../../kernel/log.ts';
import { createSecurityLog } from '../../kernel/security-log.ts';
import { decideName, listWaiting, NAME_DECISIONS, type WaitingName } from './names.ts';

const USAGE = 'npm run names -- [list | approve ID | decline ID] [--reason "why"]';

function lineOf({ id, askedAt, username, name, verifiedName, readsLike }: WaitingName): string {
  const alike = readsLike === undefined ? '' : `, SIMILAR TO @${readsLike}`;
  const names = `${JSON.stringify(verifiedName)} requested ${JSON.stringify(name)}`;
  return `${id}  ${askedAt.toISOString().slice(0, 16).replace('T', ' ')}  @${username}: ${names}${alike}`;
}

await atTheMachine(async ({ db }) => {
  const { values, positionals } = parseArgs({ options: { reason: { type: 'string' } }, allowPositionals: true });
  const [verb = 'list', id = ''] = positionals;
  if (verb === 'list') {
    const waiting = await listWaiting(db);
    for (const one of waiting) console.log(lineOf(one));
    console.log(waiting.length === 0 ? 'No names to review.' : USAGE);
    return;
  }
  const decision = NAME_DECISIONS.find((known) => known === verb);
  if (!decision || !isId(id)) throw new Error(USAGE);
  const ground = groundSchema.safeParse(values.reason ?? '');
  if (!ground.success) throw new Error(`--reason: ${ground.error.issues[0]?.message ?? 'Give a reason.'}`);
  const log = createLogger({ level: 'warn', isPretty: true });
  const security = createSecurityLog(() => db, systemClock, log);
  await decideName({ db, clock: systemClock, security }, id, { decision, ground: ground.data });
  await security.close();
  console.log(decision === 'approve' ? 'Approved. Verified badge restored.' : 'Declined. Previous name restored.');
});
