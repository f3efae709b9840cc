/**
 * Of pages that come alive: what is pressed or typed before the app's script runs is not lost. A few bytes within the page, since
 * they must be there before that script is.
 *
 * A press of what only the app can do is held, shown as held, and done when the page is alive; of several only the last, so that
 * an impatient second press asks for nothing twice. What is typed, chosen, ticked or opened shows so at once, as without script, and is
 * told to the app then, each field what it holds by then and before the press that was held: a price was chosen before "Publish" was
 * pressed. What a browser does by itself goes on: links, popovers, and forms that name where they are sent or are posted, once, which
 * the server answers without script. Another form would be sent to the page's own address, with its fields in it.
 *
 * Nothing is held from the moment that React has taken the page over (the first {@link ALIVE}), so that nothing is heard twice;
 * what was held is done when effects have run too (the second), and when no word is being composed any more, unless a form has put
 * another text there meanwhile, which ends that. React knows what a field
 * holds by a note of its own (`_valueTracker`): with another value in it, it hears of the field's own without a letter being touched.
 *
 * A script that does not come is said, with a way to load the page again: it would wait for ever.
 */
import { ALIVE } from './alive.ts';

export const HOLD_PRESSES = `{let held,composing,said,alive=0;const changed=new Map,sent=new Set,
drop=()=>{held?.[0].removeAttribute("data-held");held=undefined},
hold=(e,el,act)=>{e.preventDefault();e.stopImmediatePropagation();drop();held=[el,act];said||el.setAttribute("data-held","")},
isBox=el=>/^(checkbox|radio)$/.test(el.type),
keep=el=>{if(el.type=="radio")for(const o of changed.keys())if(o.type=="radio"&&o.name==el.name&&o.form==el.form)changed.delete(o);
changed.set(el,isBox(el)?[el.checked]:[el.value,el.selectionStart])},
say=e=>{if(said||e.type=="error"&&!/^(script|link)$/.test(e.target.localName))return;
drop();said=document.createElement("p");said.className="missing";said.setAttribute("role","alert");
said.innerHTML='Part of this page did not load. <a href="">Load it again</a>';document.body?.append(said)},
on={click(e){const el=e.target.closest("a[href],summary,label,button,input,select,textarea,[role]");if(!el)return;
if(isBox(el))e.stopImmediatePropagation();
else if(el.localName=="button"?!el.hasAttribute("popovertarget")&&(!el.form||el.type!="submit"):!el.href&&/^(button|switch|tab)$/.test(el.getAttribute("role")))hold(e,el,()=>el.click())},
submit(e){const f=e.target,by=e.submitter;
if(f.method=="post"&&!f.hasAttribute("action"))sent.has(f)?e.preventDefault():sent.add(f);
else if(!f.hasAttribute("action"))hold(e,by??f,()=>f.requestSubmit(by))},
input(e){const el=e.target;if("value"in el){e.stopImmediatePropagation();if(e.isComposing)composing=[el,el.value];else keep(el)}},
toggle({target:el}){if(el.localName=="details")changed.set(el)},
error:say,unhandledrejection:say},
words={compositionend(e){composing=undefined;keep(e.target);alive>1&&setTimeout(act)}},
act=()=>{if(composing&&composing[0].value==composing[1])return;
for(const n in words)removeEventListener(n,words[n],true);
for(const[el,was]of changed){
if(el.localName=="details"){el.dispatchEvent(new Event("toggle"));continue}
const[v,at]=was;
if(isBox(el)){if(v!=el.defaultChecked||v!=el.checked){el.checked=!v;el.click()}continue}
if(el.type!="file"){if(el.value!==v){Object.getOwnPropertyDescriptor(Object.getPrototypeOf(el),"value").set.call(el,v);
at!=null&&document.activeElement==el&&el.setSelectionRange(at,at)}
el._valueTracker?.setValue(v+" ")}
for(const n of["input","change"])el.dispatchEvent(new Event(n,{bubbles:true}))}
changed.clear();const press=held?.[1];drop();press&&setTimeout(press)};
for(const n in on)addEventListener(n,on[n],true);
for(const n in words)addEventListener(n,words[n],true);
addEventListener("${ALIVE}",()=>{if(alive++)return setTimeout(act);
said?.remove();for(const n in on)removeEventListener(n,on[n],true)})}`;
