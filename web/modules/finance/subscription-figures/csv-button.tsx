import { downloadSubscribers, type SubscriberFilter } from '@stagedoor/contract/finance/subscription-figures.ts';
import { useMutation } from '@tanstack/react-query';
import { downloadFile } from '../../../platform/download.ts';
import { showToast } from '../../../platform/feedback.ts';
import { Button } from '../../../ui/button.tsx';
import * as texts from './texts.ts';

export function CsvButton({ filter }: { filter: SubscriberFilter }) {
  const download = useMutation({
    mutationFn: async () => {
      const day = new Date().toISOString().slice(0, 10);
      await downloadFile(downloadSubscribers, { query: { filter } }, `stagedoor-subscribers-${filter}-${day}.csv`);
      await showToast(texts.downloaded, 'success');
    },
  });
  return (
    <Button
      icon="download"
      aria-label={texts.downloadLabel}
      busy={download.isPending}
      busyText={texts.generating}
      onClick={() => download.mutate()}
    >
      {texts.downloadCsv}
    </Button>
  );
}
