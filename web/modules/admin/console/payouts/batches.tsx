import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { type BATCH_STATES, downloadPayoutBatch, listPayoutBatches } from '@stagedoor/contract/admin/payouts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
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
import * as texts from './texts.ts';

type Batch = ResponseOf<typeof listPayoutBatches>['data'][number];
type BatchState = (typeof BATCH_STATES)[number];

export const batchesQuery = () => apiInfiniteQuery(listPayoutBatches, { query: { limit: 10 } });

const BATCH_STATE_VIEWS: Readonly<Record<BatchState, { tone: 'on' | 'busy' | 'danger'; label: string }>> = {
  ready: { tone: 'on', label: texts.fileReady },
  sending: { tone: 'busy', label: texts.sendingToPaypal },
  unknown: { tone: 'danger', label: texts.paypalNoConfirmation },
  sent: { tone: 'on', label: texts.acceptedByPaypal },
  refused: { tone: 'danger', label: texts.paypalRejectedBatch },
};

function DownloadFileButton({ id, fileName }: { id: Batch['id']; fileName: string }) {
  const canDownload = useCanCallRoute(downloadPayoutBatch);
  const isDownloading = useRef(false);
  const fileDownload = useMutation({
    mutationFn: async () => {
      await downloadFile(downloadPayoutBatch, { params: { id } }, fileName);
      await showToast(formatText(texts.fileDownloaded, { fileName }), 'success');
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
      busyText={texts.downloading}
      onClick={startDownload}
      aria-label={formatText(texts.downloadFile, { fileName })}
    >
      {texts.download}
    </Button>
  );
}

/** `now` is an ISO timestamp. */
export function BatchRows({ batches, now }: { batches: readonly Batch[]; now: string }) {
  return (
    <ul className="lines" aria-label={texts.batches}>
      {batches.map(({ id, rail, state, count, net, fileName, detail, createdAt }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
          <div className="grid min-w-0 flex-1 basis-70 gap-1">
            <UiLink
              href={`${ADMIN_PATHS.adminPayouts}?batchId=${id}`}
              className="font-semibold underline underline-offset-4 num w-fit"
            >
              {formatText(texts.batchSummary, {
                payoutCount: formatCount(count, 'payout'),
                method: RAIL_LABELS[rail].name,
                net: formatUsd(net),
              })}
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
