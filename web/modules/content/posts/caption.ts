/** The first line of a caption is the title of the post. This returns the text below it. */
export function getCaptionBody({ caption, title }: { caption: string; title: string }): string {
  return caption.startsWith(title) ? caption.slice(title.length).trim() : caption;
}
