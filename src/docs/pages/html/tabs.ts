/** Finds the labels of tabs, which pages write apart from the contents of the tabs. */
import {
  attribute,
  childElements,
  classesOf,
  collapsedText,
  contains,
  descendants,
  hasClass,
  type HtmlElement,
  parentOf,
} from './dom';
import { isPanel } from './mainContent';

/** Tabs of a page. */
export interface Tabs {
  /** Label of each panel. */
  readonly labels: ReadonlyMap<HtmlElement, string>;
  /** Elements that show the labels of tabs. Their text is in `labels`. */
  readonly lists: ReadonlySet<HtmlElement>;
}

/** Number of ancestors of a list of tabs that are searched for its panels. */
const MAX_DISTANCE = 5;

/** Returns the tabs of a page: those with ARIA roles, and those of generators that write no roles. */
export function findTabs(root: HtmlElement): Tabs {
  const labels = new Map<HtmlElement, string>();
  const lists = new Set<HtmlElement>();
  const byId = new Map<string, HtmlElement>();
  const panelsBelow = outerPanels();
  const all = [...descendants(root)];
  for (const element of all) {
    const id = attribute(element, 'id');
    if (id !== undefined) byId.set(id, element);
  }
  for (const element of all) {
    if (attribute(element, 'role') === 'tablist') {
      readTabList(element, panelsBelow, byId, labels);
      lists.add(element);
    } else if (hasClass(element, 'vp-code-group', 'tabbed-set', 'sd-tab-set'))
      readLabelled(element, labels, lists);
  }
  return { labels, lists };
}

function readTabList(
  list: HtmlElement,
  panelsBelow: FindPanels,
  byId: ReadonlyMap<string, HtmlElement>,
  labels: Map<HtmlElement, string>,
): void {
  const tabs = [...descendants(list)].filter((element) => attribute(element, 'role') === 'tab');
  const panels = panelsOf(list, panelsBelow);
  const selected = tabs.find((tab) => attribute(tab, 'aria-selected') === 'true');
  tabs.forEach((tab, position) => {
    const target = (
      attribute(tab, 'aria-controls') ??
      attribute(tab, 'data-bs-target') ??
      attribute(tab, 'data-target') ??
      attribute(tab, 'href') ??
      ''
    ).replace(/^#/, '');
    const label = collapsedText(tab);
    const named = target === '' ? undefined : byId.get(target);
    // Some pages contain only the panel of the selected tab.
    const inOrder = panels.length === tabs.length ? panels[position] : undefined;
    const shown = panels.length === 1 && tab === (selected ?? tabs[0]) ? panels[0] : undefined;
    const panel = named ?? inOrder ?? shown;
    if (panel && label !== '' && !labels.has(panel)) labels.set(panel, label);
  });
}

/** Returns the panels that belong to a list of tabs, in order, without the panels of nested tabs. */
function panelsOf(list: HtmlElement, panelsBelow: FindPanels): readonly HtmlElement[] {
  let at = parentOf(list);
  for (let up = 0; at && up < MAX_DISTANCE; up++, at = parentOf(at)) {
    const panels = panelsBelow(at);
    if (panels.length > 0) return panels;
  }
  return [];
}

/** Returns the panels below an element, in order, without panels in other panels. */
type FindPanels = (element: HtmlElement) => readonly HtmlElement[];

/** Returns a function that searches each element once. Several lists of tabs can be below one element. */
function outerPanels(): FindPanels {
  const known = new Map<HtmlElement, readonly HtmlElement[]>();
  return (element) => {
    const found = known.get(element) ?? findOuterPanels(element);
    known.set(element, found);
    return found;
  };
}

function findOuterPanels(element: HtmlElement): HtmlElement[] {
  const panels: HtmlElement[] = [];
  for (const inner of descendants(element)) {
    const last = panels.at(-1);
    if (isPanel(inner) && !(last && contains(last, inner))) panels.push(inner);
  }
  return panels;
}

/** Reads tabs that are radio buttons with labels, which need no script. */
function readLabelled(
  group: HtmlElement,
  labels: Map<HtmlElement, string>,
  lists: Set<HtmlElement>,
): void {
  const own = [...descendants(group)].filter(
    (element) => element.name === 'label' && groupOf(element) === group,
  );
  const panels = [...descendants(group)].filter(
    (element) => groupOf(element) === group && isLabelledPanel(element, group),
  );
  own.forEach((label, position) => {
    lists.add(label);
    const panel = panels[position];
    const text = collapsedText(label);
    if (panel && text !== '') labels.set(panel, text);
  });
}

function groupOf(element: HtmlElement): HtmlElement | undefined {
  for (let at = parentOf(element); at; at = parentOf(at)) {
    if (hasClass(at, 'vp-code-group', 'tabbed-set', 'sd-tab-set')) return at;
  }
  return undefined;
}

function isLabelledPanel(element: HtmlElement, group: HtmlElement): boolean {
  if (hasClass(element, 'tabbed-block', 'sd-tab-content')) return true;
  const parent = parentOf(element);
  if (!parent) return false;
  if (hasClass(parent, 'blocks') && parentOf(parent) === group) return true;
  // MkDocs before 2022 alternates labels and contents.
  return (
    parent === group &&
    classesOf(element).includes('tabbed-content') &&
    !childElements(element).some((child) => hasClass(child, 'tabbed-block'))
  );
}
