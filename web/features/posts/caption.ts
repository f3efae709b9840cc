/** A caption's first line names the post; this is the text that is left below it. */
export function textBelow({ caption, title }: { caption: string; title: string }): string {
  return caption.startsWith(title) ? caption.slice(title.length).trim() : caption;
}
