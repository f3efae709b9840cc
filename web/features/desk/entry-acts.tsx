/** The actions of a list row. Their shortcut keys work only inside the row. */
import { type Act, ActPanel, type ActPanelProps, useActs } from '../../ui/case.tsx';

export function EntryActs<T extends string>({
  acts,
  ...panel
}: { acts: readonly Act<T>[] } & Omit<ActPanelProps<T>, 'of' | 'children'>) {
  const of = useActs(acts);
  if (acts.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys beside the controls, which do the same
    <div className="max-w-120 pt-5" onKeyDown={of.onKeyDown}>
      <ActPanel of={of} {...panel} />
    </div>
  );
}

/** Past decisions with operator and reason. `operator` is null for a command on the server. */
export function Said({
  title,
  lines,
}: {
  title: string;
  lines: readonly { key: string; words: string; operator: string | null; ground: string; more?: string | undefined }[];
}) {
  if (lines.length === 0) return null;
  return (
    <div className="pt-4">
      <p className="case-head">{title}</p>
      <ul className="grid gap-2 text-small">
        {lines.map(({ key, words, operator, ground, more }) => (
          <li key={key} className="wrap-anywhere">
            <span className="font-semibold">{words}</span>
            <span className="text-muted">{operator === null ? ' via CLI' : ` by @${operator}`}</span>
            <span className="block">
              “<bdi>{ground}</bdi>”
            </span>
            {more !== undefined && <span className="block text-muted">{more}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
