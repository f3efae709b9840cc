import type { ReactNode } from 'react';
import { formatNodes } from './format-nodes.ts';
import * as texts from './texts.ts';

export interface AgeNoticeProps {
  action: string;
  leaveHref: string;
  children?: ReactNode;
  fields?: Readonly<Record<string, string>> | undefined;
  acceptText?: string | undefined;
  leaveText?: string | undefined;
}

export function AgeNotice({
  action,
  leaveHref,
  children,
  fields,
  acceptText = texts.confirmAdult,
  leaveText = texts.leave,
}: AgeNoticeProps) {
  return (
    <aside className="age" aria-label={texts.ageNotice}>
      <span>{children ?? formatNodes(texts.adultsOnlyNotice, { age: <b>18+</b> })}</span>
      <form className="age__acts" method="post" action={action}>
        {Object.entries(fields ?? {}).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <button type="submit">{acceptText}</button>
        <a href={leaveHref} rel="nofollow">
          {leaveText}
        </a>
      </form>
    </aside>
  );
}
