/**
 * Handles public messages without an account and without script. An accepted message redirects to an address with the
 * case numbers, so that a reload sends nothing again (row J1).
 */
import { dayWords } from '@stagedoor/contract/atoms/activities.ts';
import { REFERENCE } from '@stagedoor/contract/case-addresses.ts';
import type { ReactNode } from 'react';
import { type ActionFunctionArgs, Form, redirect, useActionData, useNavigation, useSearchParams } from 'react-router';
import { formValues, type Refused } from '../../kernel/form-action.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { FactList } from '../../ui/facts.tsx';
import { StatusPart } from './status.tsx';
import { answerStatus, type StatusAnswer } from './status-action.ts';

const ADDRESSED = ['where', 'number', 'received', 'by'];
export const LETTER_HANDLE: PageHandle = {
  hydrate: false,
  sendsOnce: true,
  query: ADDRESSED,
  freeText: ADDRESSED,
  width: 'column',
};

const receivedPath = (page: string, references: readonly string[], answerBy = '') =>
  `${page}?${new URLSearchParams({ received: references.join(' '), ...(answerBy !== '' && { by: answerBy.slice(0, 10) }) })}`;

function receivedIn(search: URLSearchParams): { references: readonly string[]; answerBy: string } | undefined {
  const references = (search.get('received') ?? '').split(' ');
  const by = search.get('by') ?? '';
  const isDay = by === '' || (/^\d{4}-\d{2}-\d{2}$/.test(by) && !Number.isNaN(Date.parse(by)));
  if (!isDay || references.length > 10 || !references.every((each) => REFERENCE.test(each))) return undefined;
  return { references, answerBy: by };
}

type Values = Readonly<Record<string, string>>;
type Sent = { ok: true; references: readonly string[]; answerBy?: string } | { ok: false; refused: Refused };
type Answer = StatusAnswer & { refused?: Refused };

/** Handles a posted form of such a page: either a status request, or a message that is passed to `send`. */
export async function answerLetter(
  args: ActionFunctionArgs,
  page: string,
  send: (values: Values) => Promise<Sent>,
): Promise<Answer> {
  const values = await formValues(args.request);
  const asked = await answerStatus(args, values);
  if (asked) return asked;
  const sent = await send(values);
  if (!sent.ok) return { refused: sent.refused };
  throw redirect(receivedPath(page, sent.references, sent.answerBy), { status: 303 });
}

type Received = NonNullable<ReturnType<typeof receivedIn>>;

export function Numbers({ title, lead, received }: { title: string; lead: ReactNode; received: Received }) {
  const { references, answerBy } = received;
  return (
    <section className="pb-6" aria-labelledby="received">
      <h2 id="received" className="display d3">
        {title}
      </h2>
      <p className="pt-3 pb-4">{lead}</p>
      <FactList
        strong
        facts={[
          ...references.map((reference, index) => ({
            name: references.length === 1 ? 'Reference number' : `Reference for link ${index + 1}`,
            value: <span className="num">{reference}</span>,
          })),
          ...(answerBy === '' ? [] : [{ name: 'We’ll reply by', value: dayWords(answerBy) }]),
        ]}
      />
    </section>
  );
}

export interface LetterProps {
  title: string;
  lead: ReactNode;
  page: string;
  name: string;
  fields: (part: { where: string | undefined; refused: Refused | undefined; isSending: boolean }) => ReactNode;
  received: (received: Received) => ReactNode;
  status: { title: string; emailLabel: string };
}

export function Letter({ title, lead, page, name, fields, received: words, status }: LetterProps) {
  const [search] = useSearchParams();
  const answer = useActionData<Answer>();
  const isSending = useNavigation().state === 'submitting';
  const received = receivedIn(search);
  return (
    <div className="pb-16">
      <h1 className="display d2 mt-8">{title}</h1>
      <p className="pt-3 pb-6 text-muted">{lead}</p>
      {received ? (
        words(received)
      ) : (
        <Form method="post" action={page} className="form" noValidate aria-label={name}>
          {fields({ where: search.get('where') ?? undefined, refused: answer?.refused, isSending })}
        </Form>
      )}
      <StatusPart
        {...status}
        action={page}
        number={search.get('number') ?? received?.references[0] ?? null}
        answer={answer}
        isSending={isSending}
      />
    </div>
  );
}
