/** The export of the user's data: requested, prepared, and downloaded after step-up authentication. */
import {
  type DataExport,
  downloadDataExport,
  getDataExport,
  requestDataExport,
  unlockDataExport,
} from '@stagedoor/contract/identity/data-export.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatBytes } from '../../../platform/bytes.ts';
import { formatExactTime } from '../../../platform/dates.ts';
import { api, useApiMutation } from '../../../platform/mutation.ts';
import { apiBase, apiQuery } from '../../../platform/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { ReauthenticationForm } from './reauthentication-form.tsx';

const POLL_MS = 3_000;

export const dataExportQuery = () => apiQuery(getDataExport, {});

function describeExport(dataExport: DataExport | null): string {
  if (!dataExport)
    return 'A copy of your profile, posts, media, messages, calls and transactions. Opens in any browser.';
  if (dataExport.state === 'processing') return 'We’re preparing your data. We’ll notify you when it’s ready.';
  if (dataExport.state === 'failed') return 'Something went wrong. Request your data again.';
  const size = dataExport.bytes === null ? '' : `, ${formatBytes(dataExport.bytes)}`;
  return dataExport.expiresAt
    ? `Ready${size}. Available until ${formatExactTime(dataExport.expiresAt)}.`
    : `Ready${size}. Available for 7 days.`;
}

export function DataExportSection({ username, requiresCode }: { username: string; requiresCode: boolean }) {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({
    ...dataExportQuery(),
    refetchInterval: ({ state }) => (state.data?.dataExport?.state === 'processing' ? POLL_MS : false),
  });
  const request = useApiMutation(requestDataExport, {
    onSuccess: (response) => client.setQueryData(dataExportQuery().queryKey, response),
  });
  if (!query.data)
    return query.isError ? <ErrorState onRetry={() => void query.refetch()} /> : <SkeletonRows count={1} />;
  const { dataExport } = query.data;
  const isReady = dataExport?.state === 'ready';
  return (
    <>
      <p className="text-muted" role="status">
        {describeExport(dataExport)}
      </p>
      <Button
        icon="download"
        className="mt-4"
        busy={request.isPending || dataExport?.state === 'processing'}
        busyText={dataExport?.state === 'processing' ? 'Preparing…' : 'Requesting…'}
        onClick={() => (isReady ? setOpen(true) : request.mutate({}))}
      >
        {isReady ? 'Download' : 'Request my data'}
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Download your data"
        lead="Confirm it’s you. Store the file somewhere safe."
      >
        <ReauthenticationForm
          reauthenticate={(body) => api(unlockDataExport, { body }, { showErrorMessage: false })}
          username={username}
          requiresCode={requiresCode}
          action="Download"
          onReauthenticated={() => {
            setOpen(false);
            location.assign(`${apiBase}/api${downloadDataExport.path}`);
          }}
        />
      </Dialog>
    </>
  );
}
