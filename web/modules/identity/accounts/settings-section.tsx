import { type ReactNode, useId } from 'react';
import { SectionHead } from '../../../ui/label.tsx';

export type SettingsSectionProps = {
  title: string;
  end?: ReactNode;
  anchor?: string;
  children: ReactNode;
};

export function SettingsSection({ title, end, anchor, children }: SettingsSectionProps) {
  const id = useId();
  return (
    <section
      id={anchor}
      tabIndex={anchor === undefined ? undefined : -1}
      className="mt-12 scroll-mt-18 outline-none lg:scroll-mt-6"
      aria-labelledby={id}
    >
      <SectionHead id={id} title={title} end={end} />
      <div className="mt-4">{children}</div>
    </section>
  );
}
