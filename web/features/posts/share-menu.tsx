/** Sharing a post or profile (row B10): plain links, so that it works without script. */
import { useRouteLoaderData } from 'react-router';
import { DetailsMenu } from '../../ui/popover.tsx';

/** The addresses that take a shared link, by target. */
export function shareLinks(url: string, text: string): { label: string; href: string }[] {
  const [u, t] = [encodeURIComponent(url), encodeURIComponent(text)];
  return [
    { label: 'Facebook', href: `https://www.facebook.com/sharer/sharer.php?u=${u}` },
    { label: 'WhatsApp', href: `https://api.whatsapp.com/send?text=${t}%20${u}` },
    { label: 'Email', href: `mailto:?subject=${t}&body=${u}` },
    { label: 'Twitter', href: `https://twitter.com/intent/tweet?url=${u}&text=${t}` },
    { label: 'LinkedIn', href: `https://www.linkedin.com/sharing/share-offsite/?url=${u}` },
    { label: 'Telegram', href: `https://t.me/share/url?url=${u}&text=${t}` },
  ];
}

type ShareMenuProps = {
  path: string;
  text: string;
  /** Which edge of the button the menu keeps: 'start' where the button stands on the left. */
  align?: 'start' | 'end';
};

export function ShareMenu({ path, text, align = 'end' }: ShareMenuProps) {
  const root = useRouteLoaderData('root');
  const origin =
    typeof root === 'object' && root !== null && 'origin' in root && typeof root.origin === 'string' ? root.origin : '';
  return (
    <DetailsMenu
      label="Share"
      icon="share"
      align={align}
      items={shareLinks(`${origin}${path}`, text).map((link) => ({
        ...link,
        icon: link.label === 'Email' ? ('mail' as const) : ('external' as const),
      }))}
    />
  );
}
