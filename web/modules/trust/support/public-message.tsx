/**
 * Handles public messages without an account and without script. An accepted message redirects to an address with the
 * case numbers, so that a reload sends nothing again (row J1).
 */

import { formatLongDay } from '@stagedoor/contract/shared/restrictions.ts';
import { CASE_REFERENCE_PATTERN } from '@stagedoor/contract/trust/case-addresses.ts';
import type { ReactNode } from 'react';
import { type ActionFunctionArgs, Form, redirect, useActionData, useNavigation, useSearchParams } from 'react-router';
import { type FormRefusal, readFormValues } from '../../../platform/form-action.ts';
import type { PageHandle } from '../../../platform/page.ts';
import { DefinitionList } from '../../../ui/definition-list.tsx';
import { StatusSection } from './status.tsx';
import { type ComplaintStatusResult, handleStatusForm } from './status-action.ts';
import * as texts from './texts.ts';

const QUERY_PARAMETERS = ['where', 'number', 'received', 'by'];
export const PUBLIC_MESSAGE_HANDLE: PageHandle = {
  hydrate: false,
  submitsOnce: true,
  query: QUERY_PARAMETERS,
  freeText: QUERY_PARAMETERS,
  width: 'column',
};

const toReceivedPath = (page: string, references: readonly string[], answerBy = '') =>
  `${page}?${new URLSearchParams({ received: references.join(' '), ...(answerBy !== '' && { by: answerBy.slice(0, 10) }) })}`;

function parseReceived(search: URLSearchParams): { references: readonly string[]; answerBy: string } | undefined {
  const references = (search.get('received') ?? '').split(' ');
  const by = search.get('by') ?? '';
  const isDay = by === '' || (/^\d{4}-\d{2}-\d{2}$/.test(by) && !Number.isNaN(Date.parse(by)));
  if (!isDay || references.length > 10 || !references.every((each) => CASE_REFERENCE_PATTERN.test(each)))
    return undefined;
  return { references, answerBy: by };
}

type FormValues = Readonly<Record<string, string>>;
type SendResult = { ok: true; references: readonly string[]; answerBy?: string } | { ok: false; refusal: FormRefusal };
type PublicMessageResult = ComplaintStatusResult & { refusal?: FormRefusal };

/** Handles a posted form of such a page: either a status request, or a message that is passed to `send`. */
export async function handlePublicMessage(
  args: ActionFunctionArgs,
  page: string,
  send: (values: FormValues) => Promise<SendResult>,
): Promise<PublicMessageResult> {
  const values = await readFormValues(args.request);
  const statusResult = await handleStatusForm(args, values);
  if (statusResult) return statusResult;
  const sendResult = await send(values);
  if (!sendResult.ok) return { refusal: sendResult.refusal };
  throw redirect(toReceivedPath(page, sendResult.references, sendResult.answerBy), { status: 303 });
}

type ReceivedMessage = NonNullable<ReturnType<typeof parseReceived>>;

export function ReferenceNumbers({
  title,
  lead,
  received,
}: {
  title: string;
  lead: ReactNode;
  received: ReceivedMessage;
}) {
  const { references, answerBy } = received;
  return (
    <section className="pb-6" aria-labelledby="received">
      <h2 id="received" className="display d3">
        {title}
      </h2>
      <p className="pt-3 pb-4">{lead}</p>
      <DefinitionList
        strong
        items={[
          ...references.map((reference, index) => ({
            name: references.length === 1 ? texts.referenceNumber : `Reference for link ${index + 1}`,
            value: <span className="num">{reference}</span>,
          })),
          ...(answerBy === '' ? [] : [{ name: texts.replyDateLabel, value: formatLongDay(answerBy) }]),
        ]}
      />
    </section>
  );
}

export interface PublicMessagePageProps {
  title: string;
  lead: ReactNode;
  page: string;
  name: string;
  renderFields: (part: {
    where: string | undefined;
    refusal: FormRefusal | undefined;
    isSending: boolean;
  }) => ReactNode;
  renderReceived: (received: ReceivedMessage) => ReactNode;
  status: { title: string; emailLabel: string };
}

export function PublicMessagePage({
  title,
  lead,
  page,
  name,
  renderFields,
  renderReceived,
  status,
}: PublicMessagePageProps) {
  const [search] = useSearchParams();
  const result = useActionData<PublicMessageResult>();
  const isSending = useNavigation().state === 'submitting';
  const received = parseReceived(search);
  return (
    <div className="pb-16">
      <h1 className="display d2 mt-8">{title}</h1>
      <p className="pt-3 pb-6 text-muted">{lead}</p>
      {received ? (
        renderReceived(received)
      ) : (
        <Form method="post" action={page} className="form" noValidate aria-label={name}>
          {renderFields({ where: search.get('where') ?? undefined, refusal: result?.refusal, isSending })}
        </Form>
      )}
      <StatusSection
        {...status}
        action={page}
        reference={search.get('number') ?? received?.references[0] ?? null}
        result={result}
        isSending={isSending}
      />
    </div>
  );
}
