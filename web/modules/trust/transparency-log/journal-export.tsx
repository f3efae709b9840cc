import { exportJournal } from '@stagedoor/contract/trust/transparency-log.ts';
import { useMutation } from '@tanstack/react-query';
import { downloadFile } from '../../../platform/download.ts';
import { showToast } from '../../../platform/feedback.ts';
import { Button } from '../../../ui/button.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { SectionHead } from '../../../ui/label.tsx';
import * as texts from './texts.ts';

const FILE_NAME = 'stagedoor-journal.json';
const KEY_HREF = '/.well-known/stagedoor-ledger/key';

export function JournalExport() {
  const saving = useMutation({
    mutationFn: async () => {
      await downloadFile(exportJournal, {}, FILE_NAME);
      await showToast(texts.journalDownloaded, 'success');
    },
  });
  return (
    <section aria-labelledby="journal">
      <SectionHead id="journal" title={texts.verifyYourRecords} />
      <div className="prose">
        <p>{texts.publicLogExplanation}</p>
        <p>{texts.journalExplanation}</p>
        <ol>
          <li>{texts.downloadStep}</li>
          <li>
            {formatNodes(texts.publicKeyStep, {
              keyLink: (
                <a className="link" href={KEY_HREF}>
                  {texts.ourPublicKey}
                </a>
              ),
            })}
          </li>
          <li>
            {formatNodes(texts.verifyStep, {
              command: (
                <code className="wrap-anywhere">npm run ledger:verify -- {FILE_NAME} --key “our public key”</code>
              ),
            })}
          </li>
        </ol>
        <p className="text-small text-muted">{texts.completenessHint}</p>
      </div>
      <Button
        className="mt-4"
        icon="download"
        busy={saving.isPending}
        busyText={texts.saving}
        onClick={() => saving.mutate()}
      >
        {texts.downloadYourJournal}
      </Button>
    </section>
  );
}
