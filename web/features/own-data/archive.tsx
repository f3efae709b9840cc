/** The export of the user's data: requested, prepared, and downloaded after step-up authentication. */
import { type Archive, askArchive, downloadArchive, getArchive, openArchive } from '@stagedoor/contract/archive.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatBytes } from '../../kernel/bytes.ts';
import { formatExact } from '../../kernel/dates.ts';
import { api, useApiMutation } from '../../kernel/mutation.ts';
import { apiBase, apiQuery } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { ProveForm } from './prove-form.tsx';

const LOOK_MS = 3_000;

export const archiveQuery = () => apiQuery(getArchive, {});

function wordsOf(archive: Archive | null): string {
  if (!archive) return 'A copy of your profile, posts, media, messages, calls and transactions. Opens in any browser.';
  if (archive.state === 'making') return 'We’re preparing your data. We’ll notify you when it’s ready.';
  if (archive.state === 'failed') return 'Something went wrong. Request your data again.';
  const size = archive.bytes === null ? '' : `, ${formatBytes(archive.bytes)}`;
  return archive.expiresAt
    ? `Ready${size}. Available until ${formatExact(archive.expiresAt)}.`
    : `Ready${size}. Available for 7 days.`;
}

export function ArchiveSection({ username, asksCode }: { username: string; asksCode: boolean }) {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const found = useQuery({
    ...archiveQuery(),
    refetchInterval: ({ state }) => (state.data?.archive?.state === 'making' ? LOOK_MS : false),
  });
  const ask = useApiMutation(askArchive, { onSuccess: (told) => client.setQueryData(archiveQuery().queryKey, told) });
  if (!found.data)
    return found.isError ? <ErrorState onRetry={() => void found.refetch()} /> : <SkeletonRows count={1} />;
  const { archive } = found.data;
  const isReady = archive?.state === 'ready';
  return (
    <>
      <p className="text-muted" role="status">
        {wordsOf(archive)}
      </p>
      <Button
        icon="download"
        className="mt-4"
        busy={ask.isPending || archive?.state === 'making'}
        busyText={archive?.state === 'making' ? 'Preparing…' : 'Requesting…'}
        onClick={() => (isReady ? setOpen(true) : ask.mutate({}))}
      >
        {isReady ? 'Download' : 'Request my data'}
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Download your data"
        lead="Confirm it’s you. Store the file somewhere safe."
      >
        <ProveForm
          prove={(body) => api(openArchive, { body }, { showErrorMessage: false })}
          username={username}
          asksCode={asksCode}
          action="Download"
          onProven={() => {
            setOpen(false);
            location.assign(`${apiBase}/api${downloadArchive.path}`);
          }}
        />
      </Dialog>
    </>
  );
}
