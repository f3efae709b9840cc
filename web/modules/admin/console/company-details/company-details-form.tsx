import { type AuditEntry, listAuditEntries } from '@stagedoor/contract/admin/audit-log.ts';
import {
  COMPANY_DETAIL_KEYS,
  type CompanyDetailKey,
  type CompanyDetails,
  getCompanyDetails,
  updateCompanyDetails,
} from '@stagedoor/contract/admin/company-details.ts';
import { getWorkQueue } from '@stagedoor/contract/admin/work-queue.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { apiInfiniteQuery, apiQuery, useApi } from '../../../../platform/query.ts';
import { Button } from '../../../../ui/button.tsx';
import { TextField } from '../../../../ui/field.tsx';
import { InlineError } from '../../../../ui/inline-error.tsx';
import { ChangeList } from '../change-list.tsx';
import { useAdminAction } from '../use-admin-action.ts';

export const companyDetailsQuery = () => apiQuery(getCompanyDetails, {});
export const companyDetailsChangesQuery = () =>
  apiInfiniteQuery(listAuditEntries, { query: { action: 'settings.operator', limit: 10 } });

const FIELD_TEXTS: Readonly<Record<CompanyDetailKey, { label: string; hint: string }>> = {
  company: { label: 'Company', hint: 'Its full legal name' },
  address: { label: 'Address', hint: 'Street, place and postal code' },
  country: { label: 'Country', hint: 'Whose law holds' },
  contactMail: { label: 'Contact email', hint: 'For privacy and the law' },
  dmcaAgent: { label: 'Copyright agent', hint: 'As registered with the U.S. Copyright Office' },
  dmcaAddress: { label: 'Agent’s address', hint: 'Where notices go by post' },
  dmcaMail: { label: 'Agent’s email', hint: 'Where notices go' },
  dmcaPhone: { label: 'Agent’s telephone', hint: 'With the country’s code' },
  custodian: { label: 'Custodian of records', hint: 'Who keeps the records of 18 U.S.C. 2257' },
  custodianAddress: { label: 'Custodian’s address', hint: 'A street address, where records are inspected' },
  custodianHours: { label: 'Inspection hours', hint: 'At least 20 hours a week' },
};

type CompanyDetailsDraft = { from: CompanyDetails; typed: Partial<CompanyDetails> };

export function CompanyDetailsForm() {
  const { details: current, missingKeys } = useApi(getCompanyDetails, {});
  // The draft is relative to the values at its start, even if newer ones arrive.
  const [draft, setDraft] = useState<CompanyDetailsDraft>();
  const { from, typed } = draft ?? { from: current, typed: {} };
  const save = useAdminAction(updateCompanyDetails, {
    invalidates: [getCompanyDetails, listAuditEntries, getWorkQueue],
    successMessage: () => 'Saved. The public texts say it from now on.',
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
          hint={missingKeys.includes(name) ? `${FIELD_TEXTS[name].hint}. Not said yet.` : FIELD_TEXTS[name].hint}
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
        busyText="Saving…"
      >
        Save
      </Button>
    </form>
  );
}

function formatEntry({ details }: AuditEntry): string[] {
  return COMPANY_DETAIL_KEYS.flatMap((name) => {
    const after = details[name];
    if (typeof after !== 'string') return [];
    return `${FIELD_TEXTS[name].label}: ${after === '' ? 'taken out' : after}`;
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
