/** How a complaint or a notice stands, for who knows its number and the address that it came from. */
import { dayWords } from '@stagedoor/contract/atoms/activities.ts';
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import type { CaseState } from '@stagedoor/contract/case-kinds.ts';
import type { complaintStatus } from '@stagedoor/contract/cases.ts';
import { Form } from 'react-router';
import type { Refused } from '../../kernel/form-action.ts';
import { FactList } from '../../ui/facts.tsx';
import { Banner } from '../../ui/states.tsx';
import { StatusFields } from './complaint-forms.tsx';

export type Status = ResponseOf<typeof complaintStatus>;

const STATE_WORDS: Readonly<Record<CaseState, string>> = {
  open: 'We are looking at it',
  waiting: 'Answered: it waits for you',
  closed: 'Answered and closed',
};

function Standing({ status }: { status: Status }) {
  const { reference, state, openedAt, answerBy, closedAt, replies } = status;
  return (
    <div className="grid gap-4 pb-6" role="status">
      <FactList
        strong
        facts={[
          { name: 'Number', value: <span className="num">{reference}</span> },
          { name: 'How it stands', value: STATE_WORDS[state] },
          { name: 'Came in', value: dayWords(openedAt) },
          closedAt === null
            ? { name: 'Answered by', value: dayWords(answerBy) }
            : { name: 'Closed', value: dayWords(closedAt) },
        ]}
      />
      {replies.map(({ at, text }) => (
        <blockquote key={at} className="border-l-2 border-ink pl-4">
          <p dir="auto" className="whitespace-pre-line wrap-anywhere">
            {text}
          </p>
          <footer className="pt-1 text-small text-muted">{dayWords(at)}</footer>
        </blockquote>
      ))}
    </div>
  );
}

export interface StatusPartProps {
  title: string;
  /** Whose email it is, as "Email of the complaint". */
  emailLabel: string;
  action: string;
  status: Status | undefined;
  unknown: Refused | undefined;
  isSending: boolean;
}

export function StatusPart({ title, emailLabel, action, status, unknown, isSending }: StatusPartProps) {
  return (
    <section id="status" className="mt-10 border-t border-line pt-6" aria-labelledby="status-title">
      <h2 id="status-title" className="display d3 pb-4">
        {title}
      </h2>
      {unknown && (
        <div className="pb-4">
          <Banner kind="error" inline>
            {unknown.message ?? 'Please check the highlighted fields.'}
          </Banner>
        </div>
      )}
      {status ? (
        <Standing status={status} />
      ) : (
        <Form method="post" action={`${action}#status`} className="form" noValidate aria-label="Status">
          <StatusFields
            emailLabel={emailLabel}
            refused={unknown && { ...unknown, message: undefined }}
            isSending={isSending}
          />
        </Form>
      )}
    </section>
  );
}
