/** The export of the user's data: requested, prepared, and downloaded after step-up authentication. */
import {
  type DataExport,
  downloadDataExport,
  getDataExport,
  requestDataExport,
  unlockDataExport,
} from '@stagedoor/contract/identity/data-export.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
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
import * as texts from './texts.ts';

const POLL_MS = 3_000;

export const dataExportQuery = () => apiQuery(getDataExport, {});

function describeExport(dataExport: DataExport | null): string {
  if (!dataExport) return texts.exportDescription;
  if (dataExport.state === 'processing') return texts.exportInPreparation;
  if (dataExport.state === 'failed') return texts.exportFailed;
  const size = dataExport.bytes === null ? '' : `, ${formatBytes(dataExport.bytes)}`;
  return dataExport.expiresAt
    ? formatText(texts.exportReadyUntil, { size, expiryTime: formatExactTime(dataExport.expiresAt) })
    : formatText(texts.exportReadySevenDays, { size });
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
        busyText={dataExport?.state === 'processing' ? texts.preparing : texts.requesting}
        onClick={() => (isReady ? setOpen(true) : request.mutate({}))}
      >
        {isReady ? texts.download : texts.requestMyData}
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title={texts.downloadYourData} lead={texts.confirmIdentityLead}>
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
