const icon =
  /(?::(?:material|octicons|fontawesome|simple)-[a-z0-9-]+:(?:\{[^{}\n]{0,300}\})?|\{(?:octicon|fa[bsr]?|fa-\w{1,50}|material-\w{1,50})\}`[^`\n]{1,200}`|\{%-?[ \t]{0,9}octicon[ \t][^{}\n]{0,300}%\}|\{\{[<%][ \t]{0,9}(?:fa|fas|icon|octicon)[ \t][^{}\n]{0,300}[>%]\}\})(?:[ \t]|&nbsp;)*/g;

/**
 * Returns a heading's Markdown without its icons, which have no part in its fragment: `:material-owl:` of MkDocs,
 * `` {octicon}`owl` `` of MyST, `{% octicon "owl" %}` of Jekyll and `{{< icon "owl" >}}` of Hugo.
 */
export function withoutIcons(heading: string): string {
  return heading.replace(icon, '');
}
