import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { type BATCH_STATES, downloadPayoutBatch, listPayoutBatches } from '@stagedoor/contract/admin/payouts.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { formatCount, formatDayTime } from '../../../../platform/dates.ts';
import { downloadFile } from '../../../../platform/download.ts';
import { showToast } from '../../../../platform/feedback.ts';
import { isStepUpRequired, requestStepUp, useCanCallRoute } from '../../../../platform/operator.ts';
import { apiInfiniteQuery } from '../../../../platform/query.ts';
import { StatusDot } from '../../../../ui/avatar.tsx';
import { Button } from '../../../../ui/button.tsx';
import { UiLink } from '../../../../ui/link.tsx';
import { RAIL_LABELS } from './payout-labels.ts';

type Batch = ResponseOf<typeof listPayoutBatches>['data'][number];
type BatchState = (typeof BATCH_STATES)[number];

export const batchesQuery = () => apiInfiniteQuery(listPayoutBatches, { query: { limit: 10 } });

const BATCH_STATE_VIEWS: Readonly<Record<BatchState, { tone: 'on' | 'busy' | 'danger'; label: string }>> = {
  ready: { tone: 'on', label: 'The file is ready' },
  sending: { tone: 'busy', label: 'Sending to PayPal' },
  unknown: { tone: 'danger', label: 'No confirmation from PayPal. Retrying automatically.' },
  sent: { tone: 'on', label: 'Accepted by PayPal' },
  refused: { tone: 'danger', label: 'Rejected by PayPal. Payouts are queued again.' },
};

function DownloadFileButton({ id, fileName }: { id: Batch['id']; fileName: string }) {
  const canDownload = useCanCallRoute(downloadPayoutBatch);
  const isDownloading = useRef(false);
  const fileDownload = useMutation({
    mutationFn: async () => {
      await downloadFile(downloadPayoutBatch, { params: { id } }, fileName);
      await showToast(`${fileName} downloaded.`, 'success');
    },
    onError: (error) => {
      if (isStepUpRequired(error)) requestStepUp(startDownload);
    },
    onSettled: () => {
      isDownloading.current = false;
    },
  });
  function startDownload() {
    if (isDownloading.current) return;
    isDownloading.current = true;
    fileDownload.mutate();
  }
  if (!canDownload) return null;
  return (
    <Button
      icon="download"
      busy={fileDownload.isPending}
      busyText="Downloading…"
      onClick={startDownload}
      aria-label={`Download ${fileName}`}
    >
      Download
    </Button>
  );
}

/** `now` is an ISO timestamp. */
export function BatchRows({ batches, now }: { batches: readonly Batch[]; now: string }) {
  return (
    <ul className="lines" aria-label="Batches">
      {batches.map(({ id, rail, state, count, net, fileName, detail, createdAt }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
          <div className="grid min-w-0 flex-1 basis-70 gap-1">
            <UiLink
              href={`${ADMIN_PATHS.adminPayouts}?batchId=${id}`}
              className="font-semibold underline underline-offset-4 num w-fit"
            >
              {formatCount(count, 'payout')} by {RAIL_LABELS[rail].name}, {formatUsd(net)}
            </UiLink>
            <span className="text-small text-muted num">
              {[formatDayTime(createdAt, now), fileName].filter(Boolean).join(' · ')}
            </span>
            <span className="text-small">
              <StatusDot state={BATCH_STATE_VIEWS[state].tone}>{BATCH_STATE_VIEWS[state].label}</StatusDot>
            </span>
            {detail !== null && <span className="text-small text-muted wrap-anywhere">{detail}</span>}
          </div>
          {fileName !== null && <DownloadFileButton id={id} fileName={fileName} />}
        </li>
      ))}
    </ul>
  );
}
