import { getAccountDeletion, requestAccountDeletion } from '@stagedoor/contract/identity/account-deletion.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../platform/mutation.ts';
import { apiQuery } from '../../../platform/query.ts';
import { leaveSession } from '../../../platform/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { ReauthenticationForm } from './reauthentication-form.tsx';

function Sentences({ label, sentences }: { label: string; sentences: readonly string[] }) {
  return (
    <ul aria-label={label} className="grid list-disc gap-2 ps-5">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

type DeletionFormProps = { username: string; requiresCode: boolean; isCreator: boolean };

function DeletionForm({ username, requiresCode, isCreator }: DeletionFormProps) {
  const client = useQueryClient();
  const query = useQuery({ ...apiQuery(getAccountDeletion, {}), staleTime: 0 });
  if (!query.data)
    return query.isError ? <ErrorState onRetry={() => void query.refetch()} /> : <SkeletonRows count={4} />;
  const { obstacles, consequences } = query.data;
  if (obstacles.length > 0)
    return (
      <div className="grid gap-4">
        <p>You can’t delete your account yet:</p>
        <Sentences label="Before you can delete your account" sentences={obstacles} />
        <Button href={`${isCreator ? CASE_PATHS.creatorHelpdesk : CASE_PATHS.fanHelpdesk}?tab=new`}>
          Contact support
        </Button>
      </div>
    );
  return (
    <div className="grid gap-6">
      <Sentences label="What happens next" sentences={consequences} />
      <ReauthenticationForm
        isDanger
        reauthenticate={(body) => api(requestAccountDeletion, { body }, { showErrorMessage: false })}
        username={username}
        requiresCode={requiresCode}
        action="Delete account"
        onReauthenticated={() => leaveSession(client, true)}
      />
    </div>
  );
}

export function DeleteAccountSection(props: DeletionFormProps) {
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
        <DeletionForm {...props} />
      </Dialog>
    </>
  );
}
