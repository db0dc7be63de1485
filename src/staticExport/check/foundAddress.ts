import type { AddressKind } from './reportTypes';

/** An address in the text of a file, before anyone knows where it leads. */
export interface FoundAddress {
  readonly kind: AddressKind;
  /** Decoded as the format asks (entities, escapes), otherwise as written. */
  readonly address: string;
  /** Offsets into the text, the end behind the last: of the address or of what holds it. */
  readonly start: number;
  readonly end: number;
  /** The offsets are those of an attribute with its name. */
  readonly isAttribute?: boolean;
  /**
   * - `mention`: describes the page to others (canonical). Never loaded, never broken.
   * - `inert`: in a `<template>`, where placeholders are common: only outside addresses count.
   * - `outside-only`: too little is known to judge an address within the site.
   * - `origin`: only its host matters (preconnect).
   * - `posted`: receives a form's POST.
   */
  readonly role?: 'mention' | 'inert' | 'outside-only' | 'origin' | 'posted';
  /** In a script: relative to the page that runs it, not to the script's own file. */
  readonly isOfDocument?: boolean;
}

/**
 * A copy that holds nothing else in memory: the engine keeps the whole text alive for a piece cut
 * out of it, and a check of 10,000 pages would keep all of them.
 */
export function own(text: string): string {
  return ` ${text}`.slice(1);
}
