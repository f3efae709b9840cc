import type { mail } from '@stagedoor/contract/identity/dev-mailbox.ts';
import { splitLinks } from '@stagedoor/contract/shared/text-links.ts';
import type * as z from 'zod/mini';
import type { Executor } from '../../../platform/database/db.ts';

const MAX_MAILS = 50;

/** Ignores the case of the address. */
export async function listStoredMail(db: Executor, to: string | undefined): Promise<z.input<typeof mail>[]> {
  let statement = db.query.selectFrom('development_mail').selectAll().orderBy('id', 'desc').limit(MAX_MAILS);
  if (to !== undefined) statement = statement.where('recipient', '=', to);
  const rows = await statement.execute();
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at.toISOString(),
    to: row.recipient,
    subject: row.subject,
    text: row.body,
    links: splitLinks(row.body, { allowsLocalHosts: true }).flatMap(({ href }) => href ?? []),
  }));
}
