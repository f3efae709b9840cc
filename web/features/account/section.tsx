/** One ruled part of the settings. */
import { type ReactNode, useId } from 'react';
import { SectionHead } from '../../ui/label.tsx';

export function Section({ title, end, children }: { title: string; end?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className="mt-12" aria-labelledby={id}>
      <SectionHead id={id} title={title} end={end} />
      <div className="mt-4">{children}</div>
    </section>
  );
}
