import { exportJournal } from '@stagedoor/contract/trust/transparency-log.ts';
import { useMutation } from '@tanstack/react-query';
import { downloadFile } from '../../../platform/download.ts';
import { showToast } from '../../../platform/feedback.ts';
import { Button } from '../../../ui/button.tsx';
import { SectionHead } from '../../../ui/label.tsx';

const FILE_NAME = 'stagedoor-journal.json';
const KEY_HREF = '/.well-known/stagedoor-ledger/key';

export function JournalExport() {
  const saving = useMutation({
    mutationFn: async () => {
      await downloadFile(exportJournal, {}, FILE_NAME);
      await showToast('Journal downloaded.', 'success');
    },
  });
  return (
    <section aria-labelledby="journal">
      <SectionHead id="journal" title="Verify your records" />
      <div className="prose">
        <p>
          Every transaction is recorded in a public, append-only log. We sign a checkpoint every minute, so past entries
          can’t be changed without anyone noticing.
        </p>
        <p>
          Your journal is a file with all your entries and the proof that each is in that log: sales and refunds,
          cleared earnings, payouts and returned payouts, outstanding balances and repayments, corrections, and referral
          earnings.
        </p>
        <ol>
          <li>Download your journal below.</li>
          <li>
            Save{' '}
            <a className="link" href={KEY_HREF}>
              our public key
            </a>{' '}
            once. Anything signed with a different key isn’t from us.
          </li>
          <li>
            In a copy of our source code, run{' '}
            <code className="wrap-anywhere">npm run ledger:verify -- {FILE_NAME} --key “our public key”</code>. It works
            offline, shows how many entries are proven, and adds them up.
          </li>
        </ol>
        <p className="text-small text-muted">
          This proves that nothing in the file was changed. To check that it’s complete, compare the total with your
          pending, available and reserved balance, minus what you owe. Entries from the last few minutes may be missing.
        </p>
      </div>
      <Button
        className="mt-4"
        icon="download"
        busy={saving.isPending}
        busyText="Saving…"
        onClick={() => saving.mutate()}
      >
        Download your journal
      </Button>
    </section>
  );
}
