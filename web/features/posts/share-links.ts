/** Share links of other platforms (row B10). */

type Target = 'Facebook' | 'WhatsApp' | 'Email' | 'Twitter' | 'LinkedIn' | 'Telegram';
export type ShareLink = { label: Target; href: string };

/** `url` is absolute and `text` describes it. Both may contain any character. */
export function shareLinks(url: string, text: string): ShareLink[] {
  const [u, t] = [encodeURIComponent(url), encodeURIComponent(text)];
  return [
    { label: 'Facebook', href: `https://www.facebook.com/sharer/sharer.php?u=${u}` },
    { label: 'WhatsApp', href: `https://api.whatsapp.com/send?text=${t}%20${u}` },
    // RFC 6068: line breaks in a mailto body are CRLF.
    { label: 'Email', href: `mailto:?subject=${t}&body=${t}%0D%0A${u}` },
    { label: 'Twitter', href: `https://twitter.com/intent/tweet?url=${u}&text=${t}` },
    { label: 'LinkedIn', href: `https://www.linkedin.com/sharing/share-offsite/?url=${u}` },
    { label: 'Telegram', href: `https://t.me/share/url?url=${u}&text=${t}` },
  ];
}
