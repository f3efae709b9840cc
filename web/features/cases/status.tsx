import { dayWords } from '@stagedoor/contract/atoms/activities.ts';
import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import type { CaseState } from '@stagedoor/contract/case-kinds.ts';
import { Form } from 'react-router';
import type { Refused } from '../../kernel/form-action.ts';
import { Button } from '../../ui/button.tsx';
import { FactList } from '../../ui/facts.tsx';
import { TextAreaField } from '../../ui/field.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { Banner } from '../../ui/states.tsx';
import { StatusFields } from './complaint-forms.tsx';
import type { Status, StatusAnswer } from './status-action.ts';

const STATE_WORDS: Readonly<Record<CaseState, string>> = {
  open: 'In review',
  waiting: 'Waiting for your reply',
  closed: 'Closed',
};

function Standing({ status }: { status: Status }) {
  const { reference, state, openedAt, answerBy, closedAt, replies } = status;
  return (
    <div className="grid gap-4 pb-6" role="status">
      <FactList
        strong
        facts={[
          { name: 'Reference number', value: <span className="num">{reference}</span> },
          { name: 'Status', value: STATE_WORDS[state] },
          { name: 'Received', value: dayWords(openedAt) },
          ...(state === 'open' ? [{ name: 'We’ll reply by', value: dayWords(answerBy) }] : []),
          ...(closedAt === null ? [] : [{ name: 'Closed', value: dayWords(closedAt) }]),
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

interface GoOnProps {
  action: string;
  status: Status;
  email: string;
  unsaid: Refused | undefined;
  isSending: boolean;
}

function GoOn({ action, status: { reference, state }, email, unsaid, isSending }: GoOnProps) {
  return (
    <Form method="post" action={`${action}#status`} className="form" noValidate aria-label="Reply">
      <input type="hidden" name="reference" value={reference} />
      <input type="hidden" name="email" value={email} />
      <TextAreaField
        label={state === 'waiting' ? 'Your reply' : 'Add details'}
        name="message"
        rows={4}
        required
        counter={CASES.messageLength}
        defaultValue={unsaid?.values.message}
        error={unsaid?.fields.message}
      />
      {unsaid?.message !== undefined && <Refusal message={unsaid.message} />}
      <Button
        type="submit"
        variant={state === 'waiting' ? 'primary' : 'line'}
        size="lg"
        wide
        busy={isSending}
        busyText="Sending…"
      >
        Send
      </Button>
    </Form>
  );
}

function Said({ words }: { words: string }) {
  return (
    <div className="pb-4" role="status">
      <Banner kind="success" inline>
        {words}
      </Banner>
    </div>
  );
}

export interface StatusPartProps {
  title: string;
  emailLabel: string;
  action: string;
  number: string | null;
  answer: StatusAnswer | undefined;
  isSending: boolean;
}

export function StatusPart({ title, emailLabel, action, number, answer = {}, isSending }: StatusPartProps) {
  const { status, unknown, unsaid, said, email = '' } = answer;
  return (
    <section id="status" className="mt-10 border-t border-line pt-6" aria-labelledby="status-title">
      <h2 id="status-title" className="display d3 pb-4">
        {title}
      </h2>
      {said !== undefined && <Said words={said} />}
      {unknown && (
        <div className="pb-4">
          <Banner kind="error" inline>
            {unknown.message ?? 'Check the highlighted fields.'}
          </Banner>
        </div>
      )}
      {status ? (
        <>
          <Standing status={status} />
          {status.state !== 'closed' && said === undefined && (
            <GoOn action={action} status={status} email={email} unsaid={unsaid} isSending={isSending} />
          )}
        </>
      ) : (
        <Form method="post" action={`${action}#status`} className="form" noValidate aria-label="Status">
          <StatusFields
            emailLabel={emailLabel}
            number={number ?? undefined}
            refused={unknown && { ...unknown, message: undefined }}
            isSending={isSending}
          />
        </Form>
      )}
    </section>
  );
}
