/**
 * Copies uploaded after a removal are taken down too, after a copyright notice only those of the same user. The owner
 * is notified, and a case about the uploader is opened.
 */
import type { Context } from '../../../kernel/context.ts';
import type { Statement, Transaction } from '../../../kernel/db.ts';
import { findUser } from '../../accounts/index.ts';
import { noteAct } from '../../audit/index.ts';
import { findSameMedia, withholdMedia } from '../../media/index.ts';
import { addEntry, entriesOf, openCase } from '../store.ts';
import { accessSubject } from '../subjects.ts';
import { tellCopied } from './copies.ts';
import { THE_DESK } from './open.ts';

type Holding = { reference: string; kind: string; person_id: string | null; ground: string };
const HOLDING: Statement = {
  name: 'cases-holding-copies',
  text: `select c.reference, c.kind, d.person_id, d.ground from case_decisions d join cases c on c.id = d.case_id
    where d.act = 'remove' and d.undone_at is null and d.undo -> 'mediaIds' ?| $1::text[] order by d.id`,
};

/** Adds one note per removal while the case is open. */
async function tellDesk(ctx: Context, tx: Transaction, personId: string, { reference }: Holding): Promise<void> {
  const { title, snapshot } = await accessSubject({ db: tx }, undefined, { subject: 'profile', id: personId });
  const about = { subject: 'profile' as const, subjectId: personId, personId, snapshot };
  const wish = { kind: 'report' as const, title: `Removed file uploaded again: ${title}`, from: THE_DESK, about };
  const { row, isNew } = await openCase(ctx, tx, wish);
  const body = `A file removed in ${reference} was uploaded again. It’s blocked for everyone.`;
  if ((await entriesOf(tx, row.id, ['note'])).some((entry) => entry.body === body)) return;
  await addEntry(ctx, tx, row.id, { kind: 'note', byId: null, body });
  await noteAct(ctx, tx, {
    ...{ operatorId: null, act: 'case.open', subjectKind: 'case', subjectId: row.id },
    facts: { reference: row.reference, copyOf: reference, isNew },
  });
}

export async function hearLaterCopy(
  ctx: Context,
  { mediaId, ownerId }: { mediaId: string; ownerId: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const same = await findSameMedia(tx, [mediaId]);
    const all = await tx.run<Holding>(HOLDING, [same.map(({ id }) => id)]);
    if (all.length === 0) return;
    const [holding] = all.filter(({ kind, person_id: personId }) => kind !== 'copyright' || personId === ownerId);
    if (!holding) return withholdMedia(ctx, tx, [mediaId], false);
    const owner = await findUser(tx, ownerId);
    if (!owner || owner.is_erasing) return;
    await tellCopied(ctx, tx, [ownerId], { ground: holding.ground, isBack: false });
    if (owner.type !== 'operator') await tellDesk(ctx, tx, ownerId, holding);
  });
}
