/**
 * Inline script for pages without the app: a submitted form shows that it is busy and is sent only once (row J1). The
 * content security policy allows it by its hash.
 */

/**
 * The button is restored when the page is left, so that Back shows it unchanged, and when no response arrives in 30
 * seconds.
 */
export const SUBMIT_ONCE_SCRIPT = `addEventListener("submit",e=>{
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
