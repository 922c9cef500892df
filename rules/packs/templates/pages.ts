const script = /<\s{0,4}script[\s>/]|(?:^|["'=\s])(?:javascript|vbscript)\s{0,4}:|data:text\/html/i;
const element = /<\s{0,4}[a-z][a-z0-9]{0,15}(?=[\s/])/gi;
const handler = /^[^>]{0,256}?[\s/"']on[a-z]{3,20}\s{0,4}=/i;
/** More elements than this in a field: a page, of which it is asked without a look at each. */
const maxElements = 2_000;

/** Whether a text holds a script that a page would run: a script's tag, an event's attribute, or an address that is a script. */
export const holdsScript = (text: string): boolean => {
  if (script.test(text)) return true;
  element.lastIndex = 0;
  for (let left = maxElements; element.exec(text) !== null; left--) {
    if (left === 0) return true;
    if (handler.test(text.slice(element.lastIndex, element.lastIndex + 320))) return true;
  }
  return false;
};

const redirectNames =
  /^(?:redirect|redirecturl|redirecturi|redirectto|returnurl|returnto|returnuri|next|nexturl|continue|continueurl|goto|dest|destination|successurl|forward|callbackurl|target)$/;
const offSite =
  /^\s{0,4}(?:[/\\]{2,}|https?:|[/\\]\s{0,2}[/\\]|javascript:|data:|\/%09\/|\/%5c|%2f%2f|https?:\/\/[^/]{0,200}@)/i;
const inQuery =
  /[?&](?:redirect|redirect_?ur[il]|return_?(?:to|url)|next|continue|goto|dest|url)=(?:https?(?::|%3a)(?:\/|%2f){2}|\/\/|%2f%2f)([^&/%]{1,200})/i;

/** Whether an address, or a field that says where to go on, leads to another host. `name` is the field's, bare. */
export const sendsOn = (text: string, name: string): boolean =>
  (redirectNames.test(name) && offSite.test(text)) || isForeignRedirect(text);

/** An address that sends on to another host than its own. */
const isForeignRedirect = (text: string): boolean => {
  const target = inQuery.exec(text)?.[1]?.toLowerCase();
  if (target === undefined) return false;
  const own = /^https?:\/\/([^/?#]{1,253})/i.exec(text)?.[1]?.toLowerCase();
  return own !== undefined && own !== target;
};
