/** Types of the modules that the build makes from TextMate grammars. See `grammarPlugin.mjs`. */
declare module 'grammar:*' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports -- an ambient module cannot import by a relative name
  const grammar: import('./grammars').TranslatedGrammar;
  export default grammar;
}
