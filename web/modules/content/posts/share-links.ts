/** Share links of other platforms (row B10). */

type ShareTarget = 'Facebook' | 'WhatsApp' | 'Email' | 'Twitter' | 'LinkedIn' | 'Telegram';
export type ShareLink = { label: ShareTarget; href: string };

/** `url` is absolute and `text` describes it. Both may contain any character. */
export function listShareLinks(url: string, text: string): ShareLink[] {
  const [encodedUrl, encodedText] = [encodeURIComponent(url), encodeURIComponent(text)];
  return [
    { label: 'Facebook', href: `https://www.facebook.com/sharer/sharer.php?u=${encodedUrl}` },
    { label: 'WhatsApp', href: `https://api.whatsapp.com/send?text=${encodedText}%20${encodedUrl}` },
    // RFC 6068: line breaks in a mailto body are CRLF.
    { label: 'Email', href: `mailto:?subject=${encodedText}&body=${encodedText}%0D%0A${encodedUrl}` },
    { label: 'Twitter', href: `https://twitter.com/intent/tweet?url=${encodedUrl}&text=${encodedText}` },
    { label: 'LinkedIn', href: `https://www.linkedin.com/sharing/share-offsite/?url=${encodedUrl}` },
    { label: 'Telegram', href: `https://t.me/share/url?url=${encodedUrl}&text=${encodedText}` },
  ];
}
