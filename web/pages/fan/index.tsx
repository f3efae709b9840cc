/** The fan's dashboard is the feed. */
import { redirect } from 'react-router';

export const loader = () => redirect('/fan/feed');
export const clientLoader = () => redirect('/fan/feed');

export default function Fan() {
  return null;
}
