import type { ReactNode } from 'react';

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
  acceptText = 'I’m 18 or older',
  leaveText = 'Leave',
}: AgeNoticeProps) {
  return (
    <aside className="age" aria-label="Age notice">
      <span>
        {children ?? (
          <>
            <b>18+</b> Stagedoor is for adults only.
          </>
        )}
      </span>
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
