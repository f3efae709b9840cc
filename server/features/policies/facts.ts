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

/** The law or the card schemes require each of them in a text. */
export function missingOf(facts: OperatorFacts): OperatorFact[] {
  return OPERATOR_FACTS.filter((name) => facts[name] === '');
}

export async function countMissingFacts(db: Executor): Promise<{ count: number; since: Date | null }> {
  return { count: missingOf(await factsOf(db)).length, since: null };
}

export async function viewFacts({ db }: Pick<Context, 'db'>): Promise<AnswerOf<typeof contract.readOperatorFacts>> {
  const facts = await factsOf(db);
  return { facts, missing: missingOf(facts) };
}

/** Pages that show them are rendered again. */
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

/** Sets the company details. Throws CONFLICT when they have changed since the operator loaded them. */
export async function setFacts(
  ctx: Pick<Context, 'clock' | 'db'>,
  operatorId: string,
  { from, to }: BodyOf<typeof contract.setOperatorFacts>,
): Promise<AnswerOf<typeof contract.setOperatorFacts>> {
  await ctx.db.transaction(async (tx) => {
    // A concurrent change waits here.
    await tx.query.selectFrom('operator_facts').select('id').forUpdate().execute();
    const before = await factsOf(tx);
    const changed = OPERATOR_FACTS.filter((name) => to[name] !== before[name]);
    if (changed.length === 0) return;
    if (OPERATOR_FACTS.some((name) => from[name] !== before[name]))
      throw new AppError('CONFLICT', { message: 'Someone else changed these settings. Showing the latest.' });
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
