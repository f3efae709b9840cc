/**
 * Shares a post or profile: links that work without script, and with script also copying and the device's share sheet
 * (rows B10, B11).
 */
import { EMBED_SIZES, type EmbedKind, embedCode, embedPath } from '@stagedoor/contract/content/embeds.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type ReactNode, useId, useState } from 'react';
import { useRouteLoaderData } from 'react-router';
import { copyText, shareNatively } from '../../../platform/clipboard.ts';
import { useViewer } from '../../../platform/session.ts';
import { Button } from '../../../ui/button.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { DetailsMenu, PopoverSheet } from '../../../ui/popover.tsx';
import { listShareLinks } from './share-links.ts';
import * as texts from './texts.ts';

export type ShareMenuProps = {
  path: string;
  text: string;
  /** A post by its ID or a profile by its username, which other sites can embed. */
  embed: { kind: EmbedKind; id: string };
  more?: ReactNode;
  /** The edge of the button that the menu aligns to: 'start' for a button on the left. */
  align?: 'start' | 'end';
};

const ICONS: Readonly<Record<string, IconName>> = { Email: 'mail' };

function useOrigin(): string {
  const root = useRouteLoaderData('root');
  return typeof root === 'object' && root !== null && 'origin' in root && typeof root.origin === 'string'
    ? root.origin
    : '';
}

type EmbedSheetProps = { id: string; url: string; code: string; tipCode: string | undefined; isHydrated: boolean };

function EmbedSheet({ id, url, code, tipCode, isHydrated }: EmbedSheetProps) {
  const fields = [
    { name: 'Link', text: url, rows: 1, message: texts.linkCopied },
    { name: texts.embedCode, text: code, rows: 5, message: texts.codeCopied },
    ...(tipCode === undefined
      ? []
      : [{ name: texts.tipButtonCode, text: tipCode, rows: 4, message: texts.codeCopied }]),
  ];
  return (
    <PopoverSheet id={id} title={texts.shareOptions}>
      <div className="form">
        {fields.map(({ name, text, rows, message }) => (
          <div key={name}>
            <label className="field__label" htmlFor={`${id}-${rows}`}>
              {name}
            </label>
            <textarea
              id={`${id}-${rows}`}
              className="input h-auto resize-none font-body break-all"
              readOnly
              rows={rows}
              value={text}
              onFocus={(event) => event.currentTarget.select()}
            />
            {isHydrated && (
              <Button icon="copy" className="mt-2" onClick={() => void copyText(text, message)}>
                {texts.copy}
              </Button>
            )}
          </div>
        ))}
        <p className="text-small text-muted">
          {formatNodes(texts.embedThemeHint, {
            lightParameter: <code>?theme=light</code>,
            darkParameter: <code>?theme=dark</code>,
          })}
        </p>
      </div>
    </PopoverSheet>
  );
}

function ShareMenuItems({
  url,
  text,
  sheetId,
  isHydrated,
}: {
  url: string;
  text: string;
  sheetId: string;
  isHydrated: boolean;
}) {
  const canShare = isHydrated && typeof navigator !== 'undefined' && 'share' in navigator;
  return (
    <>
      {canShare && (
        <li>
          <button type="button" className="menu__item" onClick={() => shareNatively(url, text)}>
            <Icon name="device" />
            {texts.shareVia}
          </button>
        </li>
      )}
      {listShareLinks(url, text).map(({ label, href }) => (
        <li key={label}>
          <a className="menu__item" href={href} target="_blank" rel="noopener">
            <Icon name={ICONS[label] ?? 'external'} />
            {label}
          </a>
        </li>
      ))}
      <li className="menu__line" aria-hidden="true" />
      {isHydrated && (
        <li>
          <button type="button" className="menu__item" onClick={() => void copyText(url, texts.linkCopied)}>
            <Icon name="copy" />
            {texts.copyLink}
          </button>
        </li>
      )}
      <li>
        <button type="button" className="menu__item" popoverTarget={sheetId} aria-haspopup="dialog">
          <Icon name="link" />
          {isHydrated ? texts.embed : texts.shareOptions}
        </button>
      </li>
    </>
  );
}

/** After hydration the menu is rendered when it is opened, because a feed has hundreds of them. */
export function ShareMenu({ path, text, embed, more, align = 'end' }: ShareMenuProps) {
  const viewer = useViewer();
  const origin = useOrigin();
  const sheetId = useId();
  const [wasOpened, setOpened] = useState(false);
  const isHydrated = viewer !== null;
  const url = `${origin}${path}`;
  const code = embedCode(`${origin}${embedPath(embed.kind, embed.id)}`, { title: text, ...EMBED_SIZES[embed.kind] });
  const tipCode =
    embed.kind === 'profile'
      ? embedCode(`${origin}${embedPath('tip', embed.id)}`, {
          title: formatText(texts.tipCreator, { creatorName: text }),
          ...EMBED_SIZES.tip,
        })
      : undefined;
  const isRendered = wasOpened || !isHydrated;
  return (
    <>
      <DetailsMenu label={texts.share} icon="share" align={align} onOpenChange={(isOpen) => isOpen && setOpened(true)}>
        {isRendered && <ShareMenuItems url={url} text={text} sheetId={sheetId} isHydrated={isHydrated} />}
        {isRendered && more}
      </DetailsMenu>
      {isRendered && <EmbedSheet id={sheetId} url={url} code={code} tipCode={tipCode} isHydrated={isHydrated} />}
    </>
  );
}
