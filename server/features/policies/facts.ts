/** Who runs the house: as operators say it on the desk, once for every text, and what of it is still missing. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import type * as contract from '@stagedoor/contract/policies.ts';
import { OPERATOR_FACTS, type OperatorFact, type OperatorFacts } from '@stagedoor/contract/policies.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Transaction } from '../../kernel/db.ts';
import { noteAct } from '../audit/index.ts';

export async function factsOf(db: Executor): Promise<OperatorFacts> {
  const row = await db.query.selectFrom('operator_facts').selectAll().executeTakeFirstOrThrow();
  return {
    company: row.company,
    address: row.address,
    country: row.country,
    contactMail: row.contact_mail,
    dmcaAgent: row.dmca_agent,
    dmcaAddress: row.dmca_address,
    dmcaMail: row.dmca_mail,
    dmcaPhone: row.dmca_phone,
    custodian: row.custodian,
    custodianAddress: row.custodian_address,
    custodianHours: row.custodian_hours,
  };
}

/** Every fact that is not said: each stands in a text that the law or the card schemes ask for. */
export function missingOf(facts: OperatorFacts): OperatorFact[] {
  return OPERATOR_FACTS.filter((name) => facts[name] === '');
}

/** For the desk: how many facts are missing. */
export async function countMissingFacts(db: Executor): Promise<{ count: number; since: Date | null }> {
  return { count: missingOf(await factsOf(db)).length, since: null };
}

export async function viewFacts({ db }: Pick<Context, 'db'>): Promise<AnswerOf<typeof contract.readOperatorFacts>> {
  const facts = await factsOf(db);
  return { facts, missing: missingOf(facts) };
}

/** Writes them, whoever says so; pages that name them are made anew. */
export async function writeFacts(tx: Transaction, facts: OperatorFacts): Promise<void> {
  await tx.query
    .updateTable('operator_facts')
    .set({
      company: facts.company,
      address: facts.address,
      country: facts.country,
      contact_mail: facts.contactMail,
      dmca_agent: facts.dmcaAgent,
      dmca_address: facts.dmcaAddress,
      dmca_mail: facts.dmcaMail,
      dmca_phone: facts.dmcaPhone,
      custodian: facts.custodian,
      custodian_address: facts.custodianAddress,
      custodian_hours: facts.custodianHours,
    })
    .execute();
  await tx.emit('house.changed', {});
}

/** An operator says who runs the house. Throws CONFLICT when it is no longer as that operator saw it. */
export async function setFacts(
  ctx: Pick<Context, 'clock' | 'db'>,
  operatorId: string,
  { from, to }: BodyOf<typeof contract.setOperatorFacts>,
): Promise<AnswerOf<typeof contract.setOperatorFacts>> {
  await ctx.db.transaction(async (tx) => {
    // Who comes second waits here, and reads what the first has said.
    await tx.query.selectFrom('operator_facts').select('id').forUpdate().execute();
    const before = await factsOf(tx);
    const changed = OPERATOR_FACTS.filter((name) => to[name] !== before[name]);
    if (changed.length === 0) return;
    if (OPERATOR_FACTS.some((name) => from[name] !== before[name]))
      throw new AppError('CONFLICT', { message: 'Somebody has changed them meanwhile: these are the new ones.' });
    await writeFacts(tx, to);
    await noteAct(ctx, tx, {
      operatorId,
      act: 'settings.operator',
      subjectKind: 'settings',
      subjectId: 'operator',
      facts: Object.fromEntries(
        changed.flatMap((name) => [
          [name, to[name]],
          [`${name}Before`, before[name]],
        ]),
      ),
    });
  });
  return viewFacts(ctx);
}
