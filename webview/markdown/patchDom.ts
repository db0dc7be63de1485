/**
 * Turns live DOM into what a fresh rendering gives, keeping every node that stays: a selection, a
 * scroll position or the focus within it survives while text streams in.
 */

/** Nodes that the view made richer than their rendering, such as a code block for a `pre`. */
export interface RichNodes {
  /** Updates `live` from the plain `fresh` node. @returns false if `live` is not its rich form. */
  patch(live: Node, fresh: Node): boolean;
  /** Makes a fresh node rich; it is about to be put into the document. @returns what to put there. */
  enrich(fresh: Node): Node;
}

/**
 * @param fresh loses the nodes that are taken over.
 * @param from the children of `live` before it are left as they are.
 * @param skipped so many children of `fresh` are left out.
 */
export function patchChildren(
  live: Node,
  fresh: Node,
  rich: RichNodes,
  from = 0,
  skipped = 0,
): void {
  const wanted = [...fresh.childNodes].slice(skipped);
  let liveChild = live.childNodes[from] ?? null;
  for (const freshChild of wanted) {
    const next: ChildNode | null = liveChild?.nextSibling ?? null;
    if (!liveChild) live.appendChild(rich.enrich(freshChild));
    else if (!patchNode(liveChild, freshChild, rich)) {
      live.replaceChild(rich.enrich(freshChild), liveChild);
    }
    liveChild = next;
  }
  while (live.childNodes.length > from + wanted.length && live.lastChild) {
    live.removeChild(live.lastChild);
  }
}

function patchNode(live: Node, fresh: Node, rich: RichNodes): boolean {
  if (rich.patch(live, fresh)) return true;
  if (live.nodeName !== fresh.nodeName) return false;
  if (live instanceof Text && fresh instanceof Text) {
    if (live.data === fresh.data) return true;
    if (fresh.data.startsWith(live.data)) live.appendData(fresh.data.slice(live.data.length));
    else live.data = fresh.data;
    return true;
  }
  if (!(live instanceof Element) || !(fresh instanceof Element)) return false;
  for (const { name } of [...live.attributes]) {
    if (!fresh.hasAttribute(name)) live.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (live.getAttribute(name) !== value) live.setAttribute(name, value);
  }
  patchChildren(live, fresh, rich);
  return true;
}
