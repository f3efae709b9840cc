import { getAccountDeletion, requestAccountDeletion } from '@stagedoor/contract/identity/account-deletion.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../platform/mutation.ts';
import { apiQuery } from '../../../platform/query.ts';
import { leaveSession } from '../../../platform/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { ReauthenticationForm } from './reauthentication-form.tsx';
import * as texts from './texts.ts';

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
        <p>{texts.deletionBlocked}</p>
        <Sentences label={texts.deletionObstaclesLabel} sentences={obstacles} />
        <Button href={`${isCreator ? CASE_PATHS.creatorHelpdesk : CASE_PATHS.fanHelpdesk}?tab=new`}>
          {texts.contactSupport}
        </Button>
      </div>
    );
  return (
    <div className="grid gap-6">
      <Sentences label={texts.whatHappensNext} sentences={consequences} />
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
        {formatNodes(texts.deletionSummary, {
          deletedData: isCreator ? texts.creatorDeletedData : texts.fanDeletedData,
          mediaNote: isCreator && texts.unlockedMediaNote,
        })}
      </p>
      <Button icon="trash" className="mt-4" onClick={() => setOpen(true)}>
        {texts.deleteAccount}
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title={texts.deleteAccountQuestion}>
        <DeletionForm {...props} />
      </Dialog>
    </>
  );
}
