/** One ruled part of the settings. */
import { type ReactNode, useId } from 'react';
import { SectionHead } from '../../ui/label.tsx';

export type SectionProps = {
  title: string;
  end?: ReactNode;
  /** The part of an address that leads here. */
  anchor?: string;
  children: ReactNode;
};

export function Section({ title, end, anchor, children }: SectionProps) {
  const id = useId();
  return (
    <section id={anchor} className="mt-12 scroll-mt-18 lg:scroll-mt-6" aria-labelledby={id}>
      <SectionHead id={id} title={title} end={end} />
      <div className="mt-4">{children}</div>
    </section>
  );
}
