import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { formatLongDay } from '@stagedoor/contract/shared/restrictions.ts';
import type { CaseState } from '@stagedoor/contract/trust/case-kinds.ts';
import { Form } from 'react-router';
import type { FormRefusal } from '../../../platform/form-action.ts';
import { LinkedText } from '../../../platform/linked-text.tsx';
import { Button } from '../../../ui/button.tsx';
import { DefinitionList } from '../../../ui/definition-list.tsx';
import { TextAreaField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { Banner } from '../../../ui/states.tsx';
import { StatusFields } from './complaint-forms.tsx';
import type { ComplaintStatus, ComplaintStatusResult } from './status-action.ts';
import * as texts from './texts.ts';

const COMPLAINT_STATE_LABELS: Readonly<Record<CaseState, string>> = {
  open: texts.inReview,
  waiting: texts.waitingForYourReply,
  closed: texts.closed,
};

function StatusDetails({ status }: { status: ComplaintStatus }) {
  const { reference, state, openedAt, answerBy, closedAt, replies } = status;
  return (
    <div className="grid gap-4 pb-6" role="status">
      <DefinitionList
        strong
        items={[
          { name: texts.referenceNumber, value: <span className="num">{reference}</span> },
          { name: 'Status', value: COMPLAINT_STATE_LABELS[state] },
          { name: 'Received', value: formatLongDay(openedAt) },
          ...(state === 'open' ? [{ name: texts.replyDateLabel, value: formatLongDay(answerBy) }] : []),
          ...(closedAt === null ? [] : [{ name: 'Closed', value: formatLongDay(closedAt) }]),
        ]}
      />
      {replies.map(({ at, text }) => (
        <blockquote key={at} className="border-l-2 border-ink pl-4">
          <p dir="auto" className="whitespace-pre-line wrap-anywhere">
            <LinkedText text={text} />
          </p>
          <footer className="pt-1 text-small text-muted">{formatLongDay(at)}</footer>
        </blockquote>
      ))}
    </div>
  );
}

interface ReplyFormProps {
  action: string;
  status: ComplaintStatus;
  email: string;
  replyRefused: FormRefusal | undefined;
  isSending: boolean;
}

function ReplyForm({ action, status: { reference, state }, email, replyRefused, isSending }: ReplyFormProps) {
  return (
    <Form method="post" action={`${action}#status`} className="form" noValidate aria-label={texts.reply}>
      <input type="hidden" name="reference" value={reference} />
      <input type="hidden" name="email" value={email} />
      <TextAreaField
        label={state === 'waiting' ? texts.yourReply : texts.addDetails}
        name="message"
        rows={4}
        required
        counter={CASE_LIMITS.messageLength}
        defaultValue={replyRefused?.values.message}
        error={replyRefused?.fields.message}
      />
      {replyRefused?.message !== undefined && <InlineError message={replyRefused.message} />}
      <Button
        type="submit"
        variant={state === 'waiting' ? 'primary' : 'line'}
        size="lg"
        wide
        busy={isSending}
        busyText={texts.sending}
      >
        {texts.send}
      </Button>
    </Form>
  );
}

function SentReply({ text }: { text: string }) {
  return (
    <div className="pb-4" role="status">
      <Banner kind="success" inline>
        {text}
      </Banner>
    </div>
  );
}

export interface StatusSectionProps {
  title: string;
  emailLabel: string;
  action: string;
  reference: string | null;
  result: ComplaintStatusResult | undefined;
  isSending: boolean;
}

export function StatusSection({ title, emailLabel, action, reference, result = {}, isSending }: StatusSectionProps) {
  const { status, notFound, replyRefused, sentReply, email = '' } = result;
  return (
    <section id="status" className="mt-10 border-t border-line pt-6" aria-labelledby="status-title">
      <h2 id="status-title" className="display d3 pb-4">
        {title}
      </h2>
      {sentReply !== undefined && <SentReply text={sentReply} />}
      {notFound && (
        <div className="pb-4">
          <Banner kind="error" inline>
            {notFound.message ?? texts.checkHighlightedFields}
          </Banner>
        </div>
      )}
      {status ? (
        <>
          <StatusDetails status={status} />
          {status.state !== 'closed' && sentReply === undefined && (
            <ReplyForm
              action={action}
              status={status}
              email={email}
              replyRefused={replyRefused}
              isSending={isSending}
            />
          )}
        </>
      ) : (
        <Form method="post" action={`${action}#status`} className="form" noValidate aria-label={texts.status}>
          <StatusFields
            emailLabel={emailLabel}
            reference={reference ?? undefined}
            refusal={notFound && { ...notFound, message: undefined }}
            isSending={isSending}
          />
        </Form>
      )}
    </section>
  );
}
