import { type ReactNode, Suspense, useState } from 'react';
import { isolated } from '../../kernel/bidi.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { LazyReportDialog } from './lazy-report.ts';

type ReportProps = { person: { id: string; name: string } };

function Asking({ person, children }: ReportProps & { children: (label: string, ask: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {children(`Report ${isolated(person.name)}`, () => setOpen(true))}
      {isOpen && (
        <Suspense fallback={null}>
          <LazyReportDialog
            target={{ userId: person.id, type: 'profile', typeId: person.id }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}

export function ReportButton({ person }: ReportProps) {
  return (
    <Asking person={person}>
      {(label, ask) => <IconButton quiet icon="warning" label={label} aria-haspopup="dialog" onClick={ask} />}
    </Asking>
  );
}

export function ReportWords({ person }: ReportProps) {
  return (
    <Asking person={person}>
      {(label, ask) => (
        <Button icon="warning" aria-haspopup="dialog" onClick={ask}>
          {label}
        </Button>
      )}
    </Asking>
  );
}
