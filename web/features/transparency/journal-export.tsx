import { exportJournal } from '@stagedoor/contract/transparency.ts';
import { useMutation } from '@tanstack/react-query';
import { download } from '../../kernel/download.ts';
import { showToast } from '../../kernel/outcome.ts';
import { Button } from '../../ui/button.tsx';
import { SectionHead } from '../../ui/label.tsx';

const FILE = 'stagedoor-journal.json';
const KEY_HREF = '/.well-known/stagedoor-ledger/key';

export function JournalExport() {
  const saving = useMutation({
    mutationFn: async () => {
      await download(exportJournal, {}, FILE);
      await showToast('Your journal is saved.', 'success');
    },
  });
  return (
    <section aria-labelledby="journal">
      <SectionHead id="journal" title="Check it yourself" />
      <div className="prose">
        <p>
          Whatever moves your money has a numbered place in a public log. Each minute we sign a checkpoint of the whole
          log, and what is below it cannot be changed any more without everybody seeing it.
        </p>
        <p>
          Your journal is a file with all of it and, for each, the proof that it is in that log: sales and what was
          given back of them, what cleared, payouts and those that came back, what was owed and kept, corrections, and
          what you earn by bringing people in.
        </p>
        <ol>
          <li>Save your journal with the button below.</li>
          <li>
            Save{' '}
            <a className="link" href={KEY_HREF}>
              our public key
            </a>{' '}
            once, and keep it: what was signed with another key is not ours.
          </li>
          <li>
            In a copy of the program’s code, run{' '}
            <code className="wrap-anywhere">npm run ledger:verify -- {FILE} --key “our public key”</code>. It needs no
            connection to us, says for how many the proof holds, and adds them up.
          </li>
        </ol>
        <p className="text-small text-muted">
          It shows that what stands in the file was never changed. Whether the file has everything, the sum shows: it is
          what is pending, available and reserved here, less what is owed, but for what has no place in the log yet.
          What has none after some minutes is worth a question.
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
