import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import { closeAccount, getClosing } from '@stagedoor/contract/closing.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../kernel/mutation.ts';
import { apiQuery } from '../../kernel/query.ts';
import { leave } from '../../kernel/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { ProveForm } from './prove-form.tsx';

function Sentences({ label, sentences }: { label: string; sentences: readonly string[] }) {
  return (
    <ul aria-label={label} className="grid list-disc gap-2 ps-5">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

type AskedProps = { username: string; asksCode: boolean; isCreator: boolean };

function Asked({ username, asksCode, isCreator }: AskedProps) {
  const client = useQueryClient();
  const found = useQuery({ ...apiQuery(getClosing, {}), staleTime: 0 });
  if (!found.data)
    return found.isError ? <ErrorState onRetry={() => void found.refetch()} /> : <SkeletonRows count={4} />;
  const { hindrances, consequences } = found.data;
  if (hindrances.length > 0)
    return (
      <div className="grid gap-4">
        <p>You can’t delete your account yet:</p>
        <Sentences label="Before you can delete your account" sentences={hindrances} />
        <Button href={`${isCreator ? CASE_PATHS.creatorHelpdesk : CASE_PATHS.fanHelpdesk}?tab=new`}>
          Contact support
        </Button>
      </div>
    );
  return (
    <div className="grid gap-6">
      <Sentences label="What happens next" sentences={consequences} />
      <ProveForm
        isDanger
        prove={(body) => api(closeAccount, { body }, { showErrorMessage: false })}
        username={username}
        asksCode={asksCode}
        action="Delete account"
        onProven={() => leave(client, true)}
      />
    </div>
  );
}

export function CloseAccount(props: AskedProps) {
  const { isCreator } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <p className="text-muted">
        {isCreator ? 'Your profile, messages and media are deleted' : 'Your profile and messages are deleted'}, and it
        can’t be undone after 14 days. {isCreator && 'Fans keep what they’ve unlocked. '}Transaction records are kept
        without your name.
      </p>
      <Button icon="trash" className="mt-4" onClick={() => setOpen(true)}>
        Delete account
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Delete your account?">
        <Asked {...props} />
      </Dialog>
    </>
  );
}
