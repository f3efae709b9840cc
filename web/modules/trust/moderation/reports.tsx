import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatLongDay } from '@stagedoor/contract/shared/restrictions.ts';
import { appealReport, type OwnReport } from '@stagedoor/contract/trust/moderation.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatDayTime } from '../../../platform/dates.ts';
import { showToast } from '../../../platform/feedback.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { Button } from '../../../ui/button.tsx';
import { AppealReasonForm } from './appeal-reason-form.tsx';
import { reportsQuery } from './queries.ts';
import * as texts from './texts.ts';

function AppealForm({ report, onDone }: { report: OwnReport; onDone: () => void }) {
  const client = useQueryClient();
  const send = useApiMutation(appealReport, {
    showErrorMessage: false,
    onSuccess: (response) => {
      void showToast(response.message, 'success');
      onDone();
    },
    onSettled: () => void client.invalidateQueries({ queryKey: reportsQuery().queryKey }),
  });
  return (
    <AppealReasonForm
      button={texts.send}
      isSending={send.isPending}
      refusal={send.error?.message}
      onSend={(message) => send.mutate({ params: { id: report.id }, body: { message } })}
    />
  );
}

function formatReportStatus({ outcome, appealBy, appeal }: OwnReport): string {
  if (outcome === null) return texts.reportInReview;
  if (outcome === 'acted') return texts.reportActedOn;
  const dismissed = texts.reportDismissed;
  if (appeal?.outcome === 'uphold') return formatText(texts.secondReviewUpheld, { dismissal: dismissed });
  if (appeal?.outcome === 'overturn') return texts.secondReviewOverturned;
  if (appeal) return formatText(texts.secondReviewRequested, { dismissal: dismissed, reference: appeal.reference });
  return appealBy === null
    ? dismissed
    : formatText(texts.secondReviewDeadline, { dismissal: dismissed, date: formatLongDay(appealBy) });
}

function Report({ report, now }: { report: OwnReport; now: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="py-4">
      <p className="flex flex-wrap justify-between gap-x-4 text-small text-muted">
        <span className="num">{report.reference}</span>
        <span className="num">{formatDayTime(report.at, now)}</span>
      </p>
      <p dir="auto" className="pt-1 font-semibold wrap-anywhere">
        {report.title}
      </p>
      <p className="pt-1 text-small text-muted">{formatReportStatus(report)}</p>
      {report.appealBy !== null && !isOpen && (
        <Button variant="line" className="mt-2" onClick={() => setOpen(true)}>
          {texts.requestSecondReview}
        </Button>
      )}
      {report.appealBy !== null && isOpen && <AppealForm report={report} onDone={() => setOpen(false)} />}
    </li>
  );
}

export function Reports({ now }: { now: string }) {
  const reports = useQuery(reportsQuery()).data?.data ?? [];
  if (reports.length === 0) return null;
  return (
    <section id="reports" aria-labelledby="reports-title" className="pt-10">
      <h2 id="reports-title" className="display d3 pb-2">
        {texts.yourReports}
      </h2>
      <ul className="lines">
        {reports.map((report) => (
          <Report key={report.id} report={report} now={now} />
        ))}
      </ul>
    </section>
  );
}
