/**
 * Of pages that come alive: what is pressed or typed before the app's script runs is not lost. A few bytes within the page, since
 * they must be there before that script is.
 *
 * A press of what only the app can do is held, shown as held, and done when the page is alive; of several only the last, so that
 * an impatient second press asks for nothing twice. What is typed stands where it was typed, and is told to the app then, as is what
 * was opened. What a browser does by itself goes on: links, popovers, and forms that name where they are sent, which the server answers
 * without script. A form that names nothing would be sent to the page's own address.
 *
 * Nothing is held from the moment that React has taken the page over (the first {@link ALIVE}), so that nothing is heard twice;
 * what was held is done when effects have run too (the second).
 */
import { ALIVE } from './alive.ts';

export const HOLD_PRESSES = `{let held,isAlive;const changed=new Map,
hold=(e,el,act)=>{e.preventDefault();e.stopImmediatePropagation();
held?.[0].removeAttribute("data-held");el.setAttribute("data-held","");held=[el,act]},
on={click(e){let el=e.target.closest("a[href],summary,label,button,input,select,textarea,[role]");
if(el?.localName=="label")el=el.control;
if(el&&(el.localName=="button"?!el.hasAttribute("popovertarget")&&(!el.form||el.type!="submit"):/^(checkbox|radio)$/.test(el.type)||!el.href&&/^(button|switch|tab)$/.test(el.getAttribute("role"))))hold(e,el,()=>el.click())},
submit(e){const f=e.target,by=e.submitter;if(!f.hasAttribute("action"))hold(e,by??f,()=>f.requestSubmit(by))},
input(e){const el=e.target;if("value"in el){e.stopImmediatePropagation();changed.set(el,el.value)}},
toggle({target:el}){if(el.localName=="details")changed.set(el)}},
act=()=>{
for(const[el,value]of changed){if(el.localName=="details"){el.dispatchEvent(new Event("toggle"));continue}
if(el.type!="file"){el.value="";Object.getOwnPropertyDescriptor(Object.getPrototypeOf(el),"value").set.call(el,value)}
for(const n of["input","change"])el.dispatchEvent(new Event(n,{bubbles:true}))}
changed.clear();held?.[0].removeAttribute("data-held");held?.[1]();held=0};
for(const n in on)addEventListener(n,on[n],true);
addEventListener("${ALIVE}",()=>{if(isAlive)return setTimeout(act);
isAlive=1;for(const n in on)removeEventListener(n,on[n],true)})}`;
