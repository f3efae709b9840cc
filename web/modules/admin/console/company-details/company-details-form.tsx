import { type AuditEntry, listAuditEntries } from '@stagedoor/contract/admin/audit-log.ts';
import {
  COMPANY_DETAIL_KEYS,
  type CompanyDetailKey,
  type CompanyDetails,
  getCompanyDetails,
  updateCompanyDetails,
} from '@stagedoor/contract/admin/company-details.ts';
import { getWorkQueue } from '@stagedoor/contract/admin/work-queue.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { apiInfiniteQuery, apiQuery, useApi } from '../../../../platform/query.ts';
import { Button } from '../../../../ui/button.tsx';
import { TextField } from '../../../../ui/field.tsx';
import { InlineError } from '../../../../ui/inline-error.tsx';
import { ChangeList } from '../change-list.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import * as texts from './texts.ts';

export const companyDetailsQuery = () => apiQuery(getCompanyDetails, {});
export const companyDetailsChangesQuery = () =>
  apiInfiniteQuery(listAuditEntries, { query: { action: 'settings.operator', limit: 10 } });

const FIELD_TEXTS: Readonly<Record<CompanyDetailKey, { label: string; hint: string }>> = {
  company: { label: texts.company, hint: texts.companyHint },
  address: { label: texts.address, hint: texts.addressHint },
  country: { label: texts.country, hint: texts.countryHint },
  contactMail: { label: texts.contactEmail, hint: texts.contactEmailHint },
  dmcaAgent: { label: texts.copyrightAgent, hint: texts.copyrightAgentHint },
  dmcaAddress: { label: texts.agentsAddress, hint: texts.agentsAddressHint },
  dmcaMail: { label: texts.agentsEmail, hint: texts.agentsEmailHint },
  dmcaPhone: { label: texts.agentsTelephone, hint: texts.agentsTelephoneHint },
  custodian: { label: texts.custodianOfRecords, hint: texts.custodianHint },
  custodianAddress: { label: texts.custodiansAddress, hint: texts.custodiansAddressHint },
  custodianHours: { label: texts.inspectionHours, hint: texts.inspectionHoursHint },
};

type CompanyDetailsDraft = { from: CompanyDetails; typed: Partial<CompanyDetails> };

export function CompanyDetailsForm() {
  const { details: current, missingKeys } = useApi(getCompanyDetails, {});
  // The draft is relative to the values at its start, even if newer ones arrive.
  const [draft, setDraft] = useState<CompanyDetailsDraft>();
  const { from, typed } = draft ?? { from: current, typed: {} };
  const save = useAdminAction(updateCompanyDetails, {
    invalidates: [getCompanyDetails, listAuditEntries, getWorkQueue],
    successMessage: () => texts.companyDetailsSaved,
    onDone: () => setDraft(undefined),
    onConflict: () => setDraft(undefined),
  });
  const to = { ...from, ...typed };
  const isChanged = COMPANY_DETAIL_KEYS.some((name) => to[name] !== from[name]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged) save.send({ body: { from, to } });
  };
  return (
    <form className="form max-w-140" onSubmit={send}>
      {COMPANY_DETAIL_KEYS.map((name) => (
        <TextField
          key={name}
          {...FIELD_TEXTS[name]}
          hint={
            missingKeys.includes(name)
              ? formatText(texts.missingDetailHint, { hint: FIELD_TEXTS[name].hint })
              : FIELD_TEXTS[name].hint
          }
          autoComplete="off"
          readOnly={!save.isAllowed}
          maxLength={200}
          value={to[name]}
          onChange={(event) => setDraft({ from, typed: { ...typed, [name]: event.currentTarget.value } })}
        />
      ))}
      {save.error !== undefined && <InlineError message={save.error} />}
      <Button
        type="submit"
        variant="primary"
        className={save.isAllowed ? 'justify-self-start' : 'hidden'}
        disabled={!isChanged}
        busy={save.isPending}
        busyText={texts.saving}
      >
        {texts.save}
      </Button>
    </form>
  );
}

function formatEntry({ details }: AuditEntry): string[] {
  return COMPANY_DETAIL_KEYS.flatMap((name) => {
    const after = details[name];
    if (typeof after !== 'string') return [];
    return `${FIELD_TEXTS[name].label}: ${after === '' ? texts.detailRemoved : after}`;
  });
}

export function CompanyDetailsHistory() {
  const query = useInfiniteQuery(companyDetailsChangesQuery());
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <ChangeList
      entries={entries}
      formatEntry={formatEntry}
      onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
      busy={query.isFetchingNextPage}
    />
  );
}
