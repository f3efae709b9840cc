/**
 * Of pages that visitors get without the app: a form that is being sent says so, and is not sent twice (row J1). A few bytes within
 * the page, which its policy allows by their hash and no others.
 */

/** A button is turned back when the page is left, so that Back shows it as it was, and when no answer came. */
export const SEND_ONCE = `addEventListener("submit",e=>{
const f=e.target,b=f.querySelector("[type=submit]");
if(f.method!=="post"||!b)return;
if(b.hasAttribute("aria-busy"))return e.preventDefault();
let busy=false;
const turn=()=>{busy=!busy;
for(const n of["aria-busy","aria-disabled"])busy?b.setAttribute(n,"true"):b.removeAttribute(n);
for(const s of b.querySelectorAll(".btn__stack>span"))s.setAttribute("aria-hidden",s.toggleAttribute("data-hidden"))};
turn();
const back=()=>{clearTimeout(late);removeEventListener("pagehide",back);turn()},late=setTimeout(back,3e4);
addEventListener("pagehide",back)})`;
