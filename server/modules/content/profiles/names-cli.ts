/** `npm run names` lists the names that wait for a review. `approve` or `decline` with an id and `--reason` decides. */
import { parseArgs } from 'node:util';
import { reason as reasonSchema } from '@stagedoor/contract/admin/processor-webhooks.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import { runCliCommand } from '../../../platform/cli.ts';
import { systemClock } from '../../../platform/clock.ts';
import { createLogger } from '../../../platform/log.ts';
import { createSecurityLogger } from '../../../platform/security/security-log.ts';
import { decideName, listWaitingNames, NAME_DECISIONS, type WaitingName } from './display-name-review.ts';

const USAGE = 'npm run names -- [list | approve ID | decline ID] [--reason "why"]';

function formatWaitingName({ id, requestedAt, username, name, verifiedName, similarUsername }: WaitingName): string {
  const similarText = similarUsername === undefined ? '' : `, SIMILAR TO @${similarUsername}`;
  const names = `${JSON.stringify(verifiedName)} requested ${JSON.stringify(name)}`;
  return `${id}  ${requestedAt.toISOString().slice(0, 16).replace('T', ' ')}  @${username}: ${names}${similarText}`;
}

await runCliCommand(async ({ db }) => {
  const { values, positionals } = parseArgs({ options: { reason: { type: 'string' } }, allowPositionals: true });
  const [command = 'list', id = ''] = positionals;
  if (command === 'list') {
    const waiting = await listWaitingNames(db);
    for (const waitingName of waiting) console.log(formatWaitingName(waitingName));
    console.log(waiting.length === 0 ? 'No names to review.' : USAGE);
    return;
  }
  const decision = NAME_DECISIONS.find((candidate) => candidate === command);
  if (!decision || !isId(id)) throw new Error(USAGE);
  const reason = reasonSchema.safeParse(values.reason ?? '');
  if (!reason.success) throw new Error(`--reason: ${reason.error.issues[0]?.message ?? 'Give a reason.'}`);
  const log = createLogger({ level: 'warn', isPretty: true });
  const security = createSecurityLogger(() => db, systemClock, log);
  await decideName({ db, clock: systemClock, security }, id, { decision, reason: reason.data });
  await security.close();
  console.log(decision === 'approve' ? 'Approved. Verified badge restored.' : 'Declined. Previous name restored.');
});
