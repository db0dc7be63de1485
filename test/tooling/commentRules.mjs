// @ts-check
/** Lint rules for comments: whole sentences, and no puzzling words. */

/** @typedef {import('./roomRules.mjs').Rule} Rule */

/** First words of doc comments that are fragments: the reader has to guess what they belong to. */
const docFragments =
  /^(?:What|Of|As|Where|How|Those|Why|By|Which|Its|That|Whoever|Told|With|Without|From|For|In|At|To|On|Also|So|There|Nothing|It|They|Absent|Undefined|Counted|Likewise|Same|Not|No|Else|Only|Within|Below|Above|Beside|Between|Until|Unless|Because|But|And|Or)\b/;

/** First words of comments in code that are fragments. */
const lineFragments = /^(?:Of|Those|Its|What|Whoever|Likewise)\b/;

/** Words for which the message names a plainer one. */
const puzzlingWords = /** @type {const} */ ([
  [/\boddit(?:y|ies)\b/i, '“error” or “unknown data”'],
  [/\bwhoever\b/i, '“the person who”, or the role'],
  [/\blikewise\b/i, '“also”, or repeat the fact'],
  [/\bthat which\b/i, 'the noun'],
  [/\bby and by\b/i, '“gradually”'],
]);

/** @param {string} text of a block comment @returns {string} its description, without stars and tags */
function description(text) {
  const lines = text.split('\n').map((line) => line.replace(/^\s*\*? ?/, ''));
  const tag = lines.findIndex((line) => line.startsWith('@'));
  return (tag < 0 ? lines : lines.slice(0, tag)).join('\n').trim();
}

/** @param {string} text @returns {string | undefined} what is wrong with a doc comment */
function docProblem(text) {
  const [word = ''] = /^[\p{L}\p{N}'-]+/u.exec(text) ?? [];
  if (docFragments.test(text)) {
    return `A doc comment begins with its subject or its verb, not with “${word}”.`;
  }
  if (/^[a-z]+ /.test(text)) return 'A doc comment begins with a capital letter.';
  return undefined;
}

/** @param {string} text @returns {string | undefined} what is wrong with the comment of a function */
function functionProblem(text) {
  const [first = '', second = ''] = text.split(/[\s,]+/);
  if (/^[A-Z][a-z-]*[^s\W]s$|^(?:Does|Passes|Processes|Dismisses|Compresses)$/.test(first)) {
    if (!/^(?:of|that|which|in|between)$/.test(second)) return undefined;
  }
  if (/^[A-Z][a-z]+sses$/.test(first)) return undefined;
  return `The comment of a function begins with a verb, as in “Returns …”, not with “${first} ${second}”.`;
}

/** @type {Rule} */
const wholeSentences = {
  create(context) {
    const { sourceCode } = context;
    const report = (/** @type {any} */ comment, /** @type {string} */ message) => {
      context.report({ loc: comment.loc, message });
    };
    const docOf = (/** @type {any} */ node) => {
      const comment = sourceCode.getCommentsBefore(node).at(-1);
      return comment?.type === 'Block' && comment.value.startsWith('*') ? comment : undefined;
    };
    const checkFunction = (/** @type {any} */ place) => {
      const comment = docOf(place);
      const text = comment && description(comment.value);
      if (!text || docProblem(text)) return;
      const problem = functionProblem(text);
      if (problem) report(comment, problem);
    };
    /** Returns the statement that the node's comment stands before. */
    const statementOf = (/** @type {any} */ node) =>
      node.parent?.type === 'ExportNamedDeclaration' ? node.parent : node;
    return {
      Program: () => {
        for (const comment of sourceCode.getAllComments()) {
          const isDoc = comment.type === 'Block' && comment.value.startsWith('*');
          const text = isDoc ? description(comment.value) : comment.value.trim();
          const problem = isDoc
            ? docProblem(text)
            : lineFragments.test(text) && isFirstLine(comment)
              ? 'A comment is a whole sentence: say what it is about.'
              : undefined;
          if (problem) report(comment, problem);
          for (const [word, plainer] of puzzlingWords) {
            const [found] = word.exec(text) ?? [];
            if (found !== undefined) report(comment, `Say ${plainer} instead of “${found}”.`);
          }
        }
      },
      FunctionDeclaration: (node) => {
        checkFunction(statementOf(node));
      },
      MethodDefinition: (node) => {
        if (node.kind === 'method') checkFunction(node);
      },
      TSMethodSignature: (/** @type {any} */ node) => {
        checkFunction(node);
      },
    };

    /** @param {any} comment @returns whether no comment in the line above goes on in it */
    function isFirstLine(comment) {
      return !sourceCode
        .getAllComments()
        .some(
          (/** @type {any} */ { type, loc }) =>
            type === 'Line' && loc?.end.line === comment.loc.start.line - 1,
        );
    }
  },
};

export default { meta: { name: 'comments' }, rules: { 'whole-sentences': wholeSentences } };
