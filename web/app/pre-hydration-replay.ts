/**
 * Inline script for hydrated pages: presses and input made before the app's script runs are not lost. It is part of the
 * HTML because it must run first.
 *
 * A press that only the app can handle is held and replayed after hydration. Only the last one is replayed, so that an
 * impatient second press sends nothing twice. Input is reported to the app before the held press, because a price may
 * have been entered before "Publish" was pressed. Links, popovers, and forms that have an action or are posted (once)
 * work natively. Other forms are held, because the browser would send their fields to the page's own address.
 *
 * After hydration (the first {@link HYDRATION_EVENT}), field values that a form has overwritten are restored. Holding ends in the
 * task after effects have run (the second {@link HYDRATION_EVENT}), because a form must know its values before it is submitted.
 * Text in IME composition stays in its field and is lost if a form overwrites it at that moment. A different
 * `_valueTracker` value makes React notice the current value of a field.
 *
 * If a script fails to load, a message offers to reload the page.
 */
import { HYDRATION_EVENT } from './hydration-signal.ts';

export const PRE_HYDRATION_SCRIPT = `{let held,composing,banner,alive;const changed=new Map,sent=new Set,
drop=()=>{held?.[0].removeAttribute("data-held");held=undefined},
hold=(e,el,act)=>{e.preventDefault();e.stopImmediatePropagation();drop();held=[el,act];banner||el.setAttribute("data-held","")},
isBox=el=>/^(checkbox|radio)$/.test(el.type),
record=el=>{if(el.type=="radio")for(const o of changed.keys())if(o.type=="radio"&&o.name==el.name&&o.form==el.form)changed.delete(o);
changed.set(el,isBox(el)?[el.checked]:[el.value,el.selectionStart])},
showError=e=>{const el=e.target;if(banner||e.type=="error"&&el.localName!="script"&&!/^(modulepreload|stylesheet)$/.test(el.rel))return;
held?.[0].removeAttribute("data-held");banner=document.createElement("p");banner.className="missing";banner.setAttribute("role","alert");
banner.innerHTML='Part of this page didn’t load. <a href="">Reload</a>';
const show=()=>document.body.append(banner);document.body?show():addEventListener("DOMContentLoaded",show,{once:true})},
on={click(e){const el=e.target.closest("a[href],summary,label,button,input,select,textarea,[role]");if(!el)return;
if(isBox(el))e.stopImmediatePropagation();
else if(el.localName=="button"?!el.hasAttribute("popovertarget")&&(!el.form||el.type!="submit"):!el.href&&/^(button|switch|tab)$/.test(el.getAttribute("role")))hold(e,el,()=>el.click())},
submit(e){const f=e.target,by=e.submitter;
if(f.method=="post"&&!f.hasAttribute("action"))sent.has(f)?e.preventDefault():sent.add(f);
else if(!f.hasAttribute("action"))hold(e,by??f,()=>f.requestSubmit(by))},
toggle({target:el}){if(el.localName=="details")changed.set(el)},
error:showError,unhandledrejection:showError},
recordInput=el=>{composing=undefined;record(el)},
inputEvents={input(e){const el=e.target;if(!("value"in el))return;
e.stopImmediatePropagation();if(e.isComposing)composing=[el,el.value];else recordInput(el)},
compositionend(e){if(composing?.[1]==e.target.value)recordInput(e.target);composing=undefined}},
isText=el=>el.localName!="details"&&!isBox(el)&&el.type!="file",
put=([el,was])=>{if(!isText(el)||el==composing?.[0]&&el.value==composing[1])return;
const[v,at]=was;if(el==composing?.[0])composing=undefined;
if(el.value!==v){Object.getOwnPropertyDescriptor(Object.getPrototypeOf(el),"value").set.call(el,v);
at!=null&&document.activeElement==el&&el.setSelectionRange(at,at)}},
act=()=>{if(composing&&!changed.has(composing[0]))record(composing[0]);
for(const n in inputEvents)removeEventListener(n,inputEvents[n],true);
for(const n in on)removeEventListener(n,on[n],true);
banner?.remove();
for(const[el,was]of changed){
if(el.localName=="details"){el.dispatchEvent(new Event("toggle"));continue}
const[v]=was;
if(isBox(el)){if(v!=el.defaultChecked||v!=el.checked){el.checked=!v;el.click()}continue}
if(isText(el)){put([el,was]);el._valueTracker?.setValue(el.value+" ")}
for(const n of["input","change"])el.dispatchEvent(new Event(n,{bubbles:true}))}
changed.clear();const press=held?.[1];drop();press&&setTimeout(press)};
for(const n in on)addEventListener(n,on[n],true);
for(const n in inputEvents)addEventListener(n,inputEvents[n],true);
addEventListener("${HYDRATION_EVENT}",()=>{for(const one of changed)put(one);
if(alive)setTimeout(act);alive=1})}`;
