import type * as contract from '@stagedoor/contract/admin/company-details.ts';
import {
  COMPANY_DETAIL_KEYS,
  type CompanyDetailKey,
  type CompanyDetails,
} from '@stagedoor/contract/admin/company-details.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../platform/database/db.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import * as texts from './texts.ts';

export async function getCompanyDetails(db: Executor): Promise<CompanyDetails> {
  const row = await db.query.selectFrom('company_details').selectAll().executeTakeFirstOrThrow();
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
export function listMissingDetails(details: CompanyDetails): CompanyDetailKey[] {
  return COMPANY_DETAIL_KEYS.filter((name) => details[name] === '');
}

export async function countMissingDetails(db: Executor): Promise<{ count: number; since: Date | null }> {
  return { count: listMissingDetails(await getCompanyDetails(db)).length, since: null };
}

export async function getCompanyDetailsView({
  db,
}: Pick<Context, 'db'>): Promise<ResponseInputOf<typeof contract.getCompanyDetails>> {
  const details = await getCompanyDetails(db);
  return { details, missingKeys: listMissingDetails(details) };
}

/** The event removes cached pages that show them. */
export async function saveCompanyDetails(tx: DbTransaction, details: CompanyDetails): Promise<void> {
  await tx.query
    .updateTable('company_details')
    .set({
      company: details.company,
      address: details.address,
      country: details.country,
      contact_mail: details.contactMail,
      dmca_agent: details.dmcaAgent,
      dmca_address: details.dmcaAddress,
      dmca_mail: details.dmcaMail,
      dmca_phone: details.dmcaPhone,
      custodian: details.custodian,
      custodian_address: details.custodianAddress,
      custodian_hours: details.custodianHours,
    })
    .execute();
  await tx.emit('companyDetails.changed', {});
}

/** Sets the company details. Throws CONFLICT when they have changed since the operator loaded them. */
export async function updateCompanyDetails(
  ctx: Pick<Context, 'clock' | 'db'>,
  operatorId: string,
  { from, to }: BodyOf<typeof contract.updateCompanyDetails>,
): Promise<ResponseInputOf<typeof contract.updateCompanyDetails>> {
  await ctx.db.transaction(async (tx) => {
    // A concurrent change waits here.
    await tx.query.selectFrom('company_details').select('id').forUpdate().execute();
    const before = await getCompanyDetails(tx);
    const changed = COMPANY_DETAIL_KEYS.filter((name) => to[name] !== before[name]);
    if (changed.length === 0) return;
    if (COMPANY_DETAIL_KEYS.some((name) => from[name] !== before[name]))
      throw new AppError('CONFLICT', { message: texts.settingsChangedBySomeoneElse });
    await saveCompanyDetails(tx, to);
    await logAction(ctx, tx, {
      operatorId,
      action: 'settings.operator',
      subjectKind: 'settings',
      subjectId: 'operator',
      details: Object.fromEntries(
        changed.flatMap((name) => [
          [name, to[name]],
          [`${name}Before`, before[name]],
        ]),
      ),
    });
  });
  return getCompanyDetailsView(ctx);
}
