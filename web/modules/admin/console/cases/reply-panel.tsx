/** Replies to a ticket, with shared canned responses that operators can insert, edit and delete. */

import {
  type CannedResponse,
  deleteCannedResponse,
  listCannedResponses,
  saveCannedResponse,
} from '@stagedoor/contract/admin/canned-responses.ts';
import { type CaseView, replyToCase } from '@stagedoor/contract/admin/cases.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useCanCallRoute } from '../../../../platform/operator.ts';
import { useUnsavedChanges } from '../../../../platform/unsaved.ts';
import { Button } from '../../../../ui/button.tsx';
import { SelectField, TextAreaField, TextField } from '../../../../ui/field.tsx';
import { InlineError } from '../../../../ui/inline-error.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import { CASE_ROUTES, cannedResponsesQuery } from './queries.ts';
import { useReopen } from './reopen.tsx';
import * as texts from './texts.ts';

function useCannedResponses() {
  return useQuery({ ...cannedResponsesQuery(), enabled: useCanCallRoute(listCannedResponses) }).data?.data ?? [];
}

const CANNED_RESPONSE_ROUTES = [listCannedResponses];

function SaveNewResponse({ text, onSaved }: { text: string; onSaved: (cannedResponse: CannedResponse) => void }) {
  const [title, setTitle] = useState('');
  const save = useAdminAction(saveCannedResponse, {
    invalidates: CANNED_RESPONSE_ROUTES,
    successMessage: () => texts.templateSaved,
    onDone: onSaved,
  });
  return (
    <>
      <TextField
        label={texts.templateName}
        maxLength={CASE_LIMITS.subjectLength}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      {save.error !== undefined && <InlineError message={save.error} />}
      <Button
        className="w-fit"
        disabled={title.trim() === '' || text.trim() === ''}
        busy={save.isPending}
        busyText={texts.saving}
        onClick={() => save.send({ body: { title, text } })}
      >
        {texts.saveTemplate}
      </Button>
    </>
  );
}

function EditCannedResponse({
  cannedResponse,
  text,
  onSaved,
}: {
  cannedResponse: CannedResponse;
  text: string;
  onSaved: (cannedResponse: CannedResponse | undefined) => void;
}) {
  const save = useAdminAction(saveCannedResponse, {
    invalidates: CANNED_RESPONSE_ROUTES,
    successMessage: () => texts.templateUpdated,
    onDone: onSaved,
  });
  const restore = useAdminAction(saveCannedResponse, {
    invalidates: CANNED_RESPONSE_ROUTES,
    successMessage: () => texts.templateRestored,
    onDone: onSaved,
  });
  const { title, text: savedText } = cannedResponse;
  const remove = useAdminAction(deleteCannedResponse, {
    invalidates: CANNED_RESPONSE_ROUTES,
    successMessage: () => formatText(texts.templateDeleted, { title }),
    undo: () => () => restore.send({ body: { title, text: savedText } }),
    onDone: () => onSaved(undefined),
  });
  const error = save.error ?? remove.error;
  return (
    <>
      {error !== undefined && <InlineError message={error} />}
      <div className="flex flex-wrap gap-3">
        <Button
          disabled={text.trim() === '' || text.trim() === savedText}
          busy={save.isPending}
          busyText={texts.updating}
          onClick={() => save.send({ body: { title, text } })}
        >
          {texts.updateTemplate}
        </Button>
        <Button
          variant="quiet"
          busy={remove.isPending}
          busyText={texts.deleting}
          onClick={() => remove.send({ params: { id: cannedResponse.id } })}
        >
          {texts.deleteTemplate}
        </Button>
      </div>
    </>
  );
}

function CannedResponseEditor({
  cannedResponse,
  text,
  onSaved,
}: {
  cannedResponse: CannedResponse | undefined;
  text: string;
  onSaved: (cannedResponse: CannedResponse | undefined) => void;
}) {
  return (
    <details className="text-small">
      <summary className="flex min-h-11 cursor-pointer items-center wrap-anywhere">
        {cannedResponse
          ? formatText(texts.editOrDeleteTemplate, { title: cannedResponse.title })
          : texts.saveAsTemplate}
      </summary>
      <div className="grid gap-3">
        {cannedResponse ? (
          <EditCannedResponse cannedResponse={cannedResponse} text={text} onSaved={onSaved} />
        ) : (
          <SaveNewResponse text={text} onSaved={onSaved} />
        )}
      </div>
    </details>
  );
}

export function ReplyPanel({ view, onDone }: { view: CaseView; onDone: (view: CaseView) => void }) {
  const id = useId();
  const cannedResponses = useCannedResponses();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<CannedResponse>();
  const canSave = useCanCallRoute(saveCannedResponse);
  const reopen = useReopen();
  const reply = useAdminAction(replyToCase, {
    invalidates: CASE_ROUTES,
    successMessage: ({ state }) => (state === 'closed' ? texts.repliedAndClosed : texts.replySent),
    undo: (updated) => (updated.canReopen ? () => reopen.undo([updated.id]) : undefined),
    onDone: (updated) => {
      setText('');
      if (updated.state === 'closed') onDone(updated);
    },
  });
  useUnsavedChanges(text !== '' && text !== chosen?.text, reply.isPending);
  const hasReplies =
    view.kind === 'ticket' || view.kind === 'contact' || view.kind === 'complaint' || view.kind === 'copyright';
  if (!hasReplies || !reply.isAllowed || view.state === 'closed' || view.blockedReason !== null) return null;
  const send = (isClosing: boolean) => {
    if (text.trim() !== '') reply.send({ params: { id: view.id }, body: { text, isClosing } });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(false);
  };
  return (
    <form className="grid gap-3 border-t border-line pt-4" aria-labelledby={id} onSubmit={submit}>
      <p id={id} className="case-head">
        {texts.reply}
      </p>
      {cannedResponses.length > 0 && (
        <SelectField
          label={texts.template}
          placeholder={texts.chooseATemplate}
          options={cannedResponses.map((cannedResponse) => ({ value: cannedResponse.id, label: cannedResponse.title }))}
          value={cannedResponses.some(({ id: one }) => one === chosen?.id) ? (chosen?.id ?? '') : ''}
          onChange={(event) => {
            const selected = cannedResponses.find((cannedResponse) => cannedResponse.id === event.currentTarget.value);
            setChosen(selected);
            if (selected) setText(selected.text);
          }}
        />
      )}
      <TextAreaField
        label={texts.messageToUser}
        rows={5}
        counter={CASE_LIMITS.messageLength}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {reply.error !== undefined && <InlineError message={reply.error} />}
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          variant="ink"
          disabled={text.trim() === ''}
          busy={reply.isPending}
          busyText={texts.sending}
        >
          {texts.reply}
        </Button>
        <Button disabled={text.trim() === '' || reply.isPending} onClick={() => send(true)}>
          {texts.replyAndClose}
        </Button>
      </div>
      {canSave && <CannedResponseEditor cannedResponse={chosen} text={text} onSaved={setChosen} />}
    </form>
  );
}
